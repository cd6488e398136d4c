// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/sentence_text.h"

#include <QWidget>

#include <vector>

class QPushButton;

namespace meshwright {

class FigureSentence;

/// What the minimal changes that meet the deadline are, in one line over the charts. It keeps its height whatever it
/// says, so that nothing below it moves.
class MinimalChangesStrip : public QWidget {
    Q_OBJECT

public:
    explicit MinimalChangesStrip(QWidget *parent = nullptr);
    /// @param figures  that the line says, in its order  @param applies  whether there is something to apply
    void say(const SentenceText &words, bool applies);
    QString text() const;
    QPushButton *applyButton() const { return m_apply; }

Q_SIGNALS:
    void applyWanted();
    /// The card with both sides is to be seen.
    void detailsWanted();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    FigureSentence *m_words;
    QPushButton *m_apply;
    QPushButton *m_details;
};

} // namespace meshwright
