// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "figures/figure_ref.h"
#include "formulas/derivation.h"

#include <QObject>
#include <QPoint>
#include <QPointer>
#include <QRect>

class QContextMenuEvent;
class QMenu;

namespace meshwright {

class FigureBook;
class FigureSource;

/// Hover card of a figure: value, formula, formula with numbers, inputs.
HoverContent firstLevelOf(const Derivation &node);
/// Formula and formula with numbers in two lines, for cards that show everything else themselves.
QString formulaLinesOf(const Derivation &node);

/// Watches a window. Hovering over a figure shows the first level of its derivation, and hovering over a term shows its
/// definition. F1, the context menu and a FigureWantedEvent open the complete derivation or definition. F1 on the
/// editor or label of a plan field opens the term that explains the field. Requests derivations only on demand.
class FigureGuide : public QObject {
    Q_OBJECT

public:
    /// @param book  must outlive the guide
    FigureGuide(FigureBook &book, QWidget *window);

    /// Result of formulaLinesOf() for the derivation of the figure; empty if it has none.
    QString linesFor(const FigureRef &figure);

    /// Context menu of a figure or term of a widget. The caller deletes it.
    QMenu *newMenu(const FigureTarget &target, QWidget *from);

Q_SIGNALS:
    void figureWanted(const meshwright::FigureRef &figure);
    void fieldWanted(const QString &pointer);
    /// @param area  area of the term in the coordinates of `from`
    void termWanted(const QString &id, QWidget *from, const QRect &area);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool showFirstLevel(QWidget *widget, const QPoint &place);
    bool showMenu(QWidget *widget, const QContextMenuEvent &event);
    bool showDefinition(QWidget *widget, const QPoint &place, const QString &id);
    bool explainField(QWidget *widget);
    void open(const FigureTarget &target, QWidget *from, const QRect &area = {});

    void showAwaited();

    FigureBook &m_book;
    QWidget *m_window;
    HoverCardSlot m_card;
    QPointer<QWidget> m_awaiting; ///< hovered widget whose derivation is still being calculated
    QPoint m_place;
};

} // namespace meshwright
