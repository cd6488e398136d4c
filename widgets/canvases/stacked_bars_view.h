// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"
#include "theme/roles.h"

#include <QString>
#include <QVector>

#include <optional>

namespace meshwright {

/// How a segment is filled. Striped keeps its colour and adds lines, for a kind that shares its colour with another;
/// Hatched is lines alone, for what is absent (bubble, idle).
enum class SegmentFill { Solid, Striped, Hatched };

/// One term of a sum. `value` >= 0, in the view's base unit (bytes, seconds).
struct StackedSegment {
    QString name;
    double value = 0;
    Kind kind = Kind::Grey;
    SegmentFill fill = SegmentFill::Solid;
    /// Stands in for the name where only one character fits.
    QString letter;
};

struct StackedRow {
    QString label;
    QString sublabel;
    QVector<StackedSegment> segments;
    /// Stand in the column at the right.
    QString total;
    QString note;
    Tone noteTone = Tone::Neutral;

    double sum() const;
};

/// Rows of terms that add up, on one axis from 0.
struct StackedBarsView {
    QVector<StackedRow> rows;
    AxisUnit unit;
    /// A line over all rows, in the base unit; what lies beyond it does not fit.
    std::optional<double> capacity;
    QString capacityLabel;
    /// Totals of the same rows under a change that is being considered; of other rows if the count differs.
    QVector<StackedRow> ghost;
    /// Of every figure in the chart, in `unit`: figures that are added up are printed alike.
    int decimals = 1;

    /// A value of the chart in its unit, without and with the unit's name.
    QString text(double value) const;
    QString textWithUnit(double value) const;

    /// The axis reaches at least so far, in the base unit; 0 where only the values count.
    double reach = 0;

    /// What the axis has to reach: the largest sum, ghost or capacity.
    double largest() const;
};

/// A segment of a row; none if either is negative.
struct SegmentIndex {
    int row = -1;
    int segment = -1;
    bool isValid() const { return row >= 0 && segment >= 0; }
    bool operator==(const SegmentIndex &) const = default;
};

} // namespace meshwright
