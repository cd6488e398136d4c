// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QStringList>

namespace meshwright {

/// A widget that shows figures of a result, each of which can be explained. Figures go by the path of their key in the
/// result's JSON ("step.seconds").
class FigureSource {
public:
    virtual ~FigureSource() = default;

    /// All that it shows now.
    virtual QStringList figures() const = 0;
    /// The one at a place in the widget's coordinates; empty for none.
    virtual QString figureAt(const QPoint &place) const = 0;
    /// Whether pressing a place opens something: the making of a figure, or the plan field that a number is.
    virtual bool opensAt(const QPoint &place) const { return !figureAt(place).isEmpty(); }
    /// Whether a press on the figure at a place does something else than open its making: then keys and its menu do.
    virtual bool pressActsOtherwise(const QPoint &) const { return false; }
    /// Whether numbers at a place are no figures: ticks of an axis, ranks, the settings of a legend.
    virtual bool isScaleAt(const QPoint &) const { return false; }
    /// The one that the keys stand on; empty for none.
    virtual QString currentFigure() const = 0;
    /// Whether it says how the figure at a place comes about by itself when that is pointed at.
    virtual bool hasOwnHover(const QPoint &) const { return false; }

protected:
    FigureSource() = default;
    FigureSource(const FigureSource &) = default;
    FigureSource &operator=(const FigureSource &) = default;
};

} // namespace meshwright
