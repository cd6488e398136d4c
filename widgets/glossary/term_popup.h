// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "glossary/glossary.h"

#include <QFrame>
#include <QRect>

namespace meshwright {

class GlossaryCard;

/// The card of a term next to where the term is named. Related terms open in the same popup; Esc or a click outside
/// closes it.
class TermPopup : public QFrame {
    Q_OBJECT

public:
    explicit TermPopup(QWidget *window);

    /// Opens below an area of `from`, given in its coordinates, or above it if the screen has no room below.
    void openAt(const QWidget *from, const QRect &area, const GlossaryTerm &term);
    GlossaryCard *card() const { return m_card; }

Q_SIGNALS:
    /// The user wants to see the term in the whole glossary.
    void glossaryWanted(const QString &id);
    void fieldWanted(const QString &pointer);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void showTerm(const GlossaryTerm &term);
    void place();

    bool m_blended; ///< translucent, with a shadow; otherwise opaque with square corners
    int m_spread; ///< spread of the shadow in pixels
    QRect m_anchor; ///< rectangle of the term on the screen
    GlossaryCard *m_card;
};

} // namespace meshwright
