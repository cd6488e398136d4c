// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "figures/figure_ref.h"
#include "formulas/derivation.h"

#include <QObject>
#include <QPoint>
#include <QPointer>

class QContextMenuEvent;
class QMenu;

namespace meshwright {

class FigureBook;
class FigureSource;

/// Value, formula, the formula with the numbers, inputs: what is said of a figure that is pointed at.
HoverContent firstLevelOf(const Derivation &node);
/// Formula and numbers in two lines, for a card that says the rest itself.
QString formulaLinesOf(const Derivation &node);

/// Watches a window: pointing at a figure shows the first level of its derivation; F1 on it asks for all of it, and so
/// do its context menu and what sends a FigureWantedEvent. Explains only when it is asked.
class FigureGuide : public QObject {
    Q_OBJECT

public:
    /// The book outlives the guide.
    FigureGuide(FigureBook &book, QWidget *window);

    /// formulaLinesOf() its derivation; empty where there is none.
    QString linesFor(const FigureRef &figure);

    /// What the menu of a figure offers. The caller deletes it.
    QMenu *newMenu(const FigureTarget &target);

Q_SIGNALS:
    void figureWanted(const meshwright::FigureRef &figure);
    void fieldWanted(const QString &pointer);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool showFirstLevel(QWidget *widget, const QPoint &place);
    bool showMenu(QWidget *widget, const QContextMenuEvent &event);
    void open(const FigureTarget &target);

    void showAwaited();

    FigureBook &m_book;
    QWidget *m_window;
    HoverCardSlot m_card;
    QPointer<QWidget> m_awaiting; ///< is pointed at where the derivation is still worked out
    QPoint m_place;
};

} // namespace meshwright
