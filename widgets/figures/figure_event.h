// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"

#include <QEvent>

class QWidget;

namespace meshwright {

/// Requests the derivation of a figure, or a plan field. A widget that shows the figure sends it to itself; FigureGuide
/// intercepts it, so that no view in between has to forward it.
class FigureWantedEvent : public QEvent {
public:
    explicit FigureWantedEvent(FigureTarget target);
    static QEvent::Type wanted();
    const FigureTarget &target() const { return m_target; }

private:
    FigureTarget m_target;
};

/// Sends a FigureWantedEvent to `from`; does nothing if the figure is empty.
void wantFigure(QWidget *from, const FigureTarget &target);

/// Why numbers that a widget and its children paint have no derivation to open.
enum class NotFigures {
    setting, ///< they are settings, or say what pressing the widget sets
    axis, ///< they are positions along an axis, ranks or ticks
    name, ///< they are part of the name of a plan, a list item or a file
    derivation, ///< the widget is a derivation, in which they open by themselves
    statistic ///< the program's own counts, times or prediction errors, not results of the plan
};
void showsNoFigures(QWidget *widget, NotFigures why);
bool isWithoutFigures(const QWidget *widget);

} // namespace meshwright
