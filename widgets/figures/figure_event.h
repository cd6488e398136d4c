// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"

#include <QEvent>
#include <QRect>

class QWidget;

namespace meshwright {

/// Requests the derivation of a figure or plan field, or the definition of a term. The widget that shows the figure,
/// field or term sends the event to itself; FigureGuide intercepts the event, so that no parent view has to forward it.
class FigureWantedEvent : public QEvent {
public:
    /// @param area  area of the target, in the widget's coordinates; empty: all of the widget
    explicit FigureWantedEvent(FigureTarget target, const QRect &area = {});
    static QEvent::Type wanted();
    const FigureTarget &target() const { return m_target; }
    const QRect &area() const { return m_area; }

private:
    FigureTarget m_target;
    QRect m_area;
};

/// Sends a FigureWantedEvent to `from`; does nothing if the figure is empty.
void wantFigure(QWidget *from, const FigureTarget &target, const QRect &area = {});

/// Reason why the numbers painted by a widget and its children have no derivation to open.
enum class NotFigures {
    setting, ///< the numbers are values of settings, or are in the label of a setting
    axis, ///< the numbers are positions along an axis, ranks or ticks
    name, ///< the numbers are part of the name of a plan, a list item or a file
    derivation, ///< the widget shows a derivation, whose inputs open as rows of that derivation
    statistic ///< the numbers are the program's own counts, times or prediction errors, not results of the plan
};
void showsNoFigures(QWidget *widget, NotFigures why);
bool isWithoutFigures(const QWidget *widget);

} // namespace meshwright
