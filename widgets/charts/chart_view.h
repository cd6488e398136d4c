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

/// A colour by what it is for, or by the part of a whole that it stands for.
using ChartInk = std::variant<ColourRole, Kind>;
QColor colourOf(const ChartInk &ink, const Theme &theme);

struct ChartSeries {
    QString name = {};
    /// By rising x; a y that is no number leaves a gap.
    QVector<QPointF> points = {};
    ChartInk ink = ColourRole::Accent;
    bool dashed = false;
    /// Holds each value until the next one.
    bool stepped = false;
    qreal width = 1.75;
};

/// The value of a series at x, between its points as drawn; nothing outside of them and in gaps.
std::optional<double> valueOf(const ChartSeries &series, double x, const ChartAxis &axis);

/// Dots of one look.
struct ChartDots {
    QString name = {};
    QVector<QPointF> points = {};
    /// By point, the number of the thing that it stands for; several dots may stand for one. Empty: nothing to point
    /// at.
    QVector<int> things = {};
    ChartInk ink = ColourRole::Accent;
    qreal radius = 2.25;
    qreal opacity = 1;
    bool hollow = false;
};

/// The area between two lines.
struct ChartBand {
    QVector<QPointF> upper = {};
    QVector<QPointF> lower = {};
};

/// A part of each of the columns that share the x axis evenly; it stands on the parts before it.
struct ChartPart {
    QVector<double> heights = {};
    ChartInk ink = ColourRole::Accent;
};

enum class LabelPlace { Above, RightAbove, RightBelow };
/// What becomes of a mark that the axes do not reach.
enum class Unreached { Hidden, AtEdge };

/// A point that is pointed out: the present value.
struct ChartMark {
    QPointF at = {};
    QString text = {};
    ChartInk ink = ColourRole::Accent;
    FigureRef figure = {}; ///< whose derivation is opened there; may be empty
    LabelPlace place = LabelPlace::Above;
    Unreached unreached = Unreached::Hidden;
    std::optional<std::pair<double, double>> span = {}; ///< of x, in which the value is expected
};

/// What the pointer and the arrow keys go along: the x axis, where all series are read off, or things with a dot or a
/// column each.
enum class Pointing { AlongX, Dots, Columns };
enum class AxisTitles { Hidden, Shown };
enum class Grid { Across, Both };

/// All that a chart shows, as values.
struct ChartView {
    ChartAxis x = {};
    ChartAxis y = {};
    QVector<ChartSeries> series = {}; ///< the first lies on top: it is what the chart is about
    QVector<ChartMark> marks = {}; ///< the last lies on top
    QVector<ChartDots> dots = {}; ///< the last lies on top
    QVector<ChartBand> bands = {};
    QVector<ChartPart> columns = {};
    std::optional<std::pair<double, double>> hatched = {}; ///< of y, what is held free
    AxisTitles titles = AxisTitles::Hidden;
    Grid grid = Grid::Across;
    QString legend = {}; ///< heads the names; without it they are shown where there are several
    QString nothing = {}; ///< said in place of a chart; empty where there is one
    /// For assistive technology: the chart's name, "y against x" without one, and what it says.
    QString name = {};
    QString description = {};

    Pointing pointing = Pointing::AlongX;
    int things = 0; ///< numbered in the order of the arrow keys
    int firstThing = 0; ///< where the keys begin
    std::function<HoverContent(int)> content = {}; ///< what is said of a thing
};

} // namespace meshwright
