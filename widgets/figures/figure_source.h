// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"

#include <QList>
#include <QPoint>

namespace meshwright {

/// A widget that shows figures with derivations. It opens them with wantFigure().
class FigureSource {
public:
    virtual ~FigureSource() = default;

    virtual QList<FigureRef> figures() const = 0;
    /// The figure at a position in the widget's coordinates; empty for none.
    virtual FigureRef figureAt(const QPoint &place) const = 0;
    virtual FigureTarget targetAt(const QPoint &place) const { return figureAt(place); }
    virtual bool opensAt(const QPoint &place) const { return opens(targetAt(place)); }
    /// Whether a press on the figure at this position does something other than opening its derivation. The derivation
    /// then opens by key or context menu.
    virtual bool pressActsOtherwise(const QPoint &) const { return false; }
    /// Whether the numbers at this position are axis ticks, ranks or legend settings rather than figures.
    virtual bool isScaleAt(const QPoint &) const { return false; }
    /// The figure selected by keyboard; empty for none.
    virtual FigureRef currentFigure() const = 0;
    virtual FigureTarget currentTarget() const { return currentFigure(); }
    /// Whether the widget itself shows a hover card with the derivation of the figure at this position.
    virtual bool hasOwnHover(const QPoint &) const { return false; }

protected:
    FigureSource() = default;
    FigureSource(const FigureSource &) = default;
    FigureSource &operator=(const FigureSource &) = default;
};

} // namespace meshwright
