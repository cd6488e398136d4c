// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"
#include "theme/roles.h"

#include <QString>
#include <QVector>

#include <optional>

namespace meshwright {

/// How a segment is filled. Striped means color with lines, for a kind that shares its color with another kind. Hatched
/// means lines only, for unused time or memory (bubble, idle, headroom).
enum class SegmentFill { Solid, Striped, Hatched };

/// One term of a sum. `value` is in the view's base unit (bytes or seconds) and not negative.
struct StackedSegment {
    QString name;
    double value = 0;
    Kind kind = Kind::Grey;
    SegmentFill fill = SegmentFill::Solid;
    /// Shown instead of the name if only one character fits.
    QString letter;
};

struct StackedRow {
    QString label;
    QString sublabel;
    QVector<StackedSegment> segments;
    QString total;
    QString note;
    Tone noteTone = Tone::Neutral;

    double sum() const;
};

/// Rows of terms that add up, on a common axis from 0.
struct StackedBarsView {
    QVector<StackedRow> rows;
    AxisUnit unit;
    /// Capacity in the base unit, drawn as a line across all rows. Whatever exceeds it does not fit.
    std::optional<double> capacity;
    QString capacityLabel;
    /// Preview of the rows after a change. If the number of rows differs, only the largest sum is drawn.
    QVector<StackedRow> ghost;
    /// Number of decimals of all figures in `unit`; the same for all, because they add up.
    int decimals = 1;

    QString text(double value) const;
    QString textWithUnit(double value) const;

    /// The axis extends at least to this value, in the base unit; 0 for no minimum.
    double reach = 0;

    /// The value that the axis must reach: the largest sum, preview or capacity, but at least `reach`.
    double largest() const;
};

/// Index of a segment in a row; no segment if either is negative.
struct SegmentIndex {
    int row = -1;
    int segment = -1;
    bool isValid() const { return row >= 0 && segment >= 0; }
    bool operator==(const SegmentIndex &) const = default;
};

} // namespace meshwright
