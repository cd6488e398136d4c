// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/sentence_text.h"

#include <QWidget>

#include <vector>

class QPushButton;

namespace meshwright {

class FigureSentence;

/// The minimal changes that meet the deadline, in one line above the charts. Its height is constant, so that nothing
/// below it moves.
class MinimalChangesStrip : public QWidget {
    Q_OBJECT

public:
    explicit MinimalChangesStrip(QWidget *parent = nullptr);
    void say(const SentenceText &words, bool applies);
    QString text() const;
    QPushButton *applyButton() const { return m_apply; }

Q_SIGNALS:
    void applyWanted();
    /// The user asked for the comparison of both plans.
    void detailsWanted();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    FigureSentence *m_words;
    QPushButton *m_apply;
    QPushButton *m_details;
};

} // namespace meshwright
