// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "charts/chart_axis.h"
#include "figures/figure_ref.h"
#include "theme/roles.h"

#include <QPointF>
#include <QVector>

#include <functional>
#include <optional>
#include <utility>
#include <variant>

namespace meshwright {

class Theme;

using ChartInk = std::variant<ColourRole, Kind>;
QColor colourOf(const ChartInk &ink, const Theme &theme);

struct ChartSeries {
    QString name = {};
    /// Ascending by x; a y of NaN makes a gap.
    QVector<QPointF> points = {};
    ChartInk ink = ColourRole::Accent;
    bool dashed = false;
    /// Whether each value is held until the next one instead of being interpolated.
    bool stepped = false;
    qreal width = 1.75;
};

/// The value of a series at x, interpolated as drawn; empty outside its points and in gaps.
std::optional<double> valueOf(const ChartSeries &series, double x, const ChartAxis &axis);

struct ChartDots {
    QString name = {};
    QVector<QPointF> points = {};
    /// Index of the item that each point represents; several points may represent one item. If empty, dots cannot be
    /// hovered.
    QVector<int> things = {};
    ChartInk ink = ColourRole::Accent;
    qreal radius = 2.25;
    qreal opacity = 1;
    bool hollow = false;
};

struct ChartBand {
    QVector<QPointF> upper = {};
    QVector<QPointF> lower = {};
};

/// One part of every column, stacked on the previous parts or placed next to them. Columns share the x axis evenly.
struct ChartPart {
    QString name = {};
    QVector<double> heights = {};
    ChartInk ink = ColourRole::Accent;
};

enum class ColumnParts { Stacked, Adjacent };

/// A label for a point, shown if there is room.
struct ChartLabel {
    QPointF at = {};
    QString text = {};
};

enum class LabelPlace { Above, RightAbove, RightBelow };
/// How a mark outside the axes is shown.
enum class Unreached { Hidden, AtEdge };

/// A marked point, such as the current value.
struct ChartMark {
    QPointF at = {};
    QString text = {};
    ChartInk ink = ColourRole::Accent;
    FigureRef figure = {}; ///< figure whose derivation the mark opens; may be empty
    LabelPlace place = LabelPlace::Above;
    Unreached unreached = Unreached::Hidden;
    std::optional<std::pair<double, double>> span = {}; ///< interval of x that contains the predicted value
};

/// What the pointer and arrow keys select: a position on the x axis, where the values of all series are shown, or a
/// single dot or column.
enum class Pointing { AlongX, Dots, Columns };
enum class AxisTitles { Hidden, Shown };
enum class Grid { Across, Both };

struct ChartView {
    ChartAxis x = {};
    ChartAxis y = {};
    QVector<ChartSeries> series = {}; ///< the first series is the main one and drawn on top
    QVector<ChartMark> marks = {}; ///< the last is drawn on top
    QVector<ChartDots> dots = {}; ///< the last is drawn on top
    QVector<ChartBand> bands = {};
    QVector<ChartPart> columns = {};
    ColumnParts parts = ColumnParts::Stacked;
    QVector<ChartLabel> labels = {}; ///< most important first
    std::optional<std::pair<double, double>> hatched = {}; ///< range of y drawn hatched, such as the required headroom
    AxisTitles titles = AxisTitles::Hidden;
    Grid grid = Grid::Across;
    QString legend = {}; ///< heading of the legend; if empty, the legend is shown only if there are several names
    QString nothing = {}; ///< text shown instead of the chart; empty if there is a chart
    /// Name and description for assistive technology; if the name is empty, it is "y against x".
    QString name = {};
    QString description = {};

    Pointing pointing = Pointing::AlongX;
    int things = 0; ///< number of items; their indices are in the order in which the arrow keys visit them
    int firstThing = 0; ///< item that the first arrow key selects
    std::function<HoverContent(int)> content = {}; ///< hover card of an item
};

} // namespace meshwright
