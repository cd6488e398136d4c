// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "glossary/glossary.h"

#include <QFrame>
#include <QRect>

namespace meshwright {

class GlossaryCard;

/// A popup with the definition of a term, next to its mention. Related terms open in the same popup. Esc or a click
/// outside closes it.
class TermPopup : public QFrame {
    Q_OBJECT

public:
    explicit TermPopup(QWidget *window);

    /// Opens below `area`, in `from`'s coordinates, or above it if there is no room below.
    void openAt(const QWidget *from, const QRect &area, const GlossaryTerm &term);
    GlossaryCard *card() const { return m_card; }

Q_SIGNALS:
    void glossaryWanted(const QString &id);
    void fieldWanted(const QString &pointer);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void showTerm(const GlossaryTerm &term);
    void place();

    bool m_blended; ///< the popup is translucent with a shadow; otherwise it is opaque with square corners
    int m_spread;
    QRect m_anchor; ///< rectangle of the term in screen coordinates
    GlossaryCard *m_card;
};

} // namespace meshwright
