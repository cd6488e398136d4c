// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"

#include <QList>
#include <QPoint>

namespace meshwright {

/// A widget that shows figures, each of which can be explained. It asks for that with wantFigure().
class FigureSource {
public:
    virtual ~FigureSource() = default;

    /// All that it shows now.
    virtual QList<FigureRef> figures() const = 0;
    /// The one at a place in the widget's coordinates; empty for none.
    virtual FigureRef figureAt(const QPoint &place) const = 0;
    /// The same where a place may be a plan field instead.
    virtual FigureTarget targetAt(const QPoint &place) const { return figureAt(place); }
    /// Whether pressing a place opens something: the derivation of a figure, or the plan field that a number is.
    virtual bool opensAt(const QPoint &place) const { return opens(targetAt(place)); }
    /// Whether a press on the figure at a place does something else than open its derivation: then keys and its menu
    /// do.
    virtual bool pressActsOtherwise(const QPoint &) const { return false; }
    /// Whether numbers at a place are no figures: ticks of an axis, ranks, the settings of a legend.
    virtual bool isScaleAt(const QPoint &) const { return false; }
    /// The one that the keys stand on; empty for none.
    virtual FigureRef currentFigure() const = 0;
    virtual FigureTarget currentTarget() const { return currentFigure(); }
    /// Whether it says how the figure at a place comes about by itself when that is pointed at.
    virtual bool hasOwnHover(const QPoint &) const { return false; }

protected:
    FigureSource() = default;
    FigureSource(const FigureSource &) = default;
    FigureSource &operator=(const FigureSource &) = default;
};

} // namespace meshwright
