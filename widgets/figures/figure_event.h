// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"

#include <QEvent>

class QWidget;

namespace meshwright {

/// Asks the window to open the derivation of a figure, or a plan field: sent by what shows it to itself, for
/// FigureGuide to see, so that no view in between has to pass it on.
class FigureWantedEvent : public QEvent {
public:
    explicit FigureWantedEvent(FigureTarget target);
    static QEvent::Type wanted();
    const FigureTarget &target() const { return m_target; }

private:
    FigureTarget m_target;
};

/// Nothing where the figure is empty.
void wantFigure(QWidget *from, const FigureTarget &target);

/// Why a widget and what is in it paint numbers that nothing opens.
enum class NotFigures {
    setting, ///< it is where they are set, or says what pressing it sets
    axis, ///< places along an axis, ranks, ticks
    name, ///< they belong to the name of something: a plan, a step of a list, a file
    derivation, ///< it is an explanation, and they open in it
    statistic ///< what the program counted or timed, or errors of its predictions: no result of the plan
};
void showsNoFigures(QWidget *widget, NotFigures why);
bool isWithoutFigures(const QWidget *widget);

} // namespace meshwright
