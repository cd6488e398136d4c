// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plot_chart.h"

#include "figures/figure_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

namespace meshwright {

namespace {

constexpr std::array lineInks{Kind::Blue, Kind::Yellow, Kind::Green, Kind::Purple, Kind::Red, Kind::Cyan};
/// MFU thresholds between the colors of dots.
constexpr std::array shadeEnds{0.1, 0.2, 0.3, 0.4, 0.5};
constexpr std::array shadeInks{Kind::Grey, Kind::Purple, Kind::Blue, Kind::Cyan, Kind::Green, Kind::Yellow};
constexpr std::array dotRadii{1.5, 2.5, 3.5}; ///< radii for the smallest, middle and largest third of a row's runs
constexpr double axisRoom = 1.5; ///< a logarithmic axis extends beyond the outermost values by this factor

QString tr(const char *text) {
    return QCoreApplication::translate("PlotChart", text);
}

/// Ticks at round durations. From one minute up, these are not powers of ten.
QVector<ChartTick> durationTicks(const ChartAxis &axis) {
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    constexpr double day = 24 * hour;
    QVector<ChartTick> ticks;
    for (const double value : {1e-3, 1e-2, 0.1, 1.0, 10.0, minute, 10 * minute, hour, 10 * hour, 4 * day, 40 * day})
        if (value >= axis.low && value <= axis.high)
            ticks.append({value, QString::fromStdString(exact_text(value, Quantity::seconds))});
    return ticks;
}

ChartAxis axisOf(const Plot &plot, PlotRole role, bool logarithmic) {
    const std::size_t at = plot.column(role);
    const PlotColumn &column = plot.columns[at];
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t row = 0; row < plot.rows.size(); ++row)
        if (const double value = plot.number(row, at); std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    ChartAxis axis{.title = QString::fromStdString(column.title)};
    axis.text = [quantity = column.quantity](double value) { return figureText(value, quantity); };
    if (logarithmic) {
        axis.scale = AxisScale::Logarithmic;
        axis.low = role == PlotRole::x ? low : low / axisRoom;
        axis.high = role == PlotRole::x ? high : high * axisRoom;
        if (column.quantity == Quantity::seconds)
            axis.ticks = durationTicks(axis);
        else
            axis.tick = [quantity = column.quantity](double value) {
                return figureText(value, quantity).replace(QLatin1String(".00e"), QLatin1String("e"));
            };
    } else if (column.is_year) {
        axis.low = std::floor(low);
        axis.high = std::ceil(high);
        for (double year = axis.low; year <= axis.high; ++year)
            axis.ticks.append({year, QString::number(year)});
    } else {
        spanLinear(axis, low, high);
    }
    return axis;
}

/// Groups row indices by the value of a text column, in order of first appearance.
QVector<QPair<QString, QVector<int>>> rowsBy(const Plot &plot, std::size_t column) {
    QVector<QPair<QString, QVector<int>>> groups;
    for (std::size_t row = 0; row < plot.rows.size(); ++row) {
        const QString name = QString::fromStdString(plot.text(row, column));
        const auto found =
            std::find_if(groups.cbegin(), groups.cend(), [&](const auto &group) { return group.first == name; });
        const qsizetype at = found - groups.cbegin();
        if (at == groups.size())
            groups.append({name, {}});
        groups[at].second.append(static_cast<int>(row));
    }
    return groups;
}

HoverContent contentOf(const Plot &plot, int item) {
    HoverContent content;
    const auto row = static_cast<std::size_t>(item);
    for (std::size_t column = 0; column < plot.columns.size(); ++column) {
        const PlotColumn &each = plot.columns[column];
        const QString text = plotCellText(plot, row, column);
        if (text.isEmpty() || each.is_year)
            continue;
        if (each.role == PlotRole::name)
            content.title = text;
        else if (each.key == "source")
            content.footnote = text;
        else
            content.rows.append({QString::fromStdString(each.title), text});
    }
    if (content.title.isEmpty() && !content.rows.isEmpty())
        content.title = content.rows.takeFirst().second;
    return content;
}

void addItems(const Plot &plot, ChartView &view, Pointing pointing) {
    view.pointing = pointing;
    view.things = static_cast<int>(plot.rows.size());
    view.content = [plot](int item) { return contentOf(plot, item); };
}

ChartView linesOf(const Plot &plot) {
    ChartView view{.x = axisOf(plot, PlotRole::x, plot.logarithmic_x),
                   .y = axisOf(plot, PlotRole::y, plot.logarithmic_y)};
    const std::size_t x = plot.column(PlotRole::x);
    const std::size_t y = plot.column(PlotRole::y);
    for (const auto &[name, rows] : rowsBy(plot, plot.column(PlotRole::series))) {
        const ChartInk ink = lineInks.at(static_cast<std::size_t>(view.series.size()) % lineInks.size());
        // Later lines are drawn below earlier ones and wider, so that identical lines all stay visible.
        ChartSeries series{.name = name, .ink = ink, .width = 1.75 + 2.25 * static_cast<qreal>(view.series.size())};
        for (const int row : rows)
            series.points.append(
                {plot.number(static_cast<std::size_t>(row), x), plot.number(static_cast<std::size_t>(row), y)});
        if (series.points.size() > 1)
            view.series.append(series);
        else
            view.marks.append({.at = series.points.first(),
                               .text = QStringLiteral("%1: %2").arg(name, view.y.textOf(series.points.first().y())),
                               .ink = ColourRole::Text,
                               .place = LabelPlace::RightBelow});
    }
    return view;
}

ChartView dotsOf(const Plot &plot) {
    ChartView view{.x = axisOf(plot, PlotRole::x, plot.logarithmic_x),
                   .y = axisOf(plot, PlotRole::y, plot.logarithmic_y)};
    const std::size_t x = plot.column(PlotRole::x);
    const std::size_t y = plot.column(PlotRole::y);
    const auto place = [&](int row) {
        return QPointF(plot.number(static_cast<std::size_t>(row), x), plot.number(static_cast<std::size_t>(row), y));
    };
    constexpr qreal radius = 4;
    for (const auto &[name, rows] : rowsBy(plot, plot.column(PlotRole::series))) {
        ChartDots dots{.name = name,
                       .ink = lineInks.at(static_cast<std::size_t>(view.dots.size()) % lineInks.size()),
                       .radius = radius};
        for (const int row : rows) {
            dots.points.append(place(row));
            dots.things.append(row);
        }
        view.dots.append(dots);
    }
    // Rows whose dots are higher than those of all earlier rows get their labels first, because later labels are
    // dropped if they overlap.
    QVector<int> others;
    double highest = 0;
    const auto label = [&](int row) {
        view.labels.append(
            {place(row), plotCellText(plot, static_cast<std::size_t>(row), plot.column(PlotRole::name))});
    };
    for (int row = 0; row < static_cast<int>(plot.rows.size()); ++row) {
        if (place(row).y() <= highest) {
            others.append(row);
            continue;
        }
        highest = place(row).y();
        label(row);
    }
    std::for_each(others.crbegin(), others.crend(), label);
    addItems(plot, view, Pointing::Dots);
    return view;
}

QString percent(double share) {
    return QString::fromStdString(percent_text(share, 0));
}

/// Position of the i-th dot relative to the middle of a cell of width 1. The dots form a spiral of uniform density.
QPointF spiral(int i, int count) {
    constexpr double fullCell = 60; ///< number of dots that fill a cell
    constexpr double reach = 0.46;
    const double turn = 2 * std::numbers::pi * (1 - 1 / std::numbers::phi);
    const double radius = reach * std::sqrt((i + 0.5) / std::max<double>(count, fullCell));
    return {radius * std::cos(i * turn), radius * std::sin(i * turn)};
}

ChartView cellsOf(const Plot &plot) {
    ChartView view{.grid = Grid::Both,
                   .legend = QString::fromStdString(plot.columns[plot.column(PlotRole::shade)].title)};
    const std::size_t x = plot.column(PlotRole::x);
    const std::size_t size = plot.column(PlotRole::size);
    const std::size_t shade = plot.column(PlotRole::shade);
    // Categories on x are powers of two; a value in between belongs to the nearest.
    const auto categoryOf = [&](int row) {
        return static_cast<int>(std::lround(std::log2(std::max(1.0, plot.number(static_cast<std::size_t>(row), x)))));
    };
    constexpr std::size_t shades = shadeInks.size();
    static_assert(shades == shadeEnds.size() + 1);
    for (std::size_t i = 0; i < shades * dotRadii.size(); ++i) {
        const std::size_t step = i / dotRadii.size();
        ChartDots dots{.ink = shadeInks.at(step), .radius = dotRadii.at(i % dotRadii.size()), .opacity = 0.85};
        if (i % dotRadii.size() == 1)
            dots.name = step == 0 ? tr("below %1").arg(percent(shadeEnds.front()))
                                  : tr("from %1").arg(percent(shadeEnds.at(step - 1)));
        view.dots.append(dots);
    }
    int widest = 0;
    const auto groups = rowsBy(plot, plot.column(PlotRole::y));
    for (qsizetype line = 0; line < groups.size(); ++line) {
        view.y.ticks.append({static_cast<double>(line) + 0.5, groups.at(line).first});
        std::vector<double> sizes;
        std::map<int, QVector<int>> cells;
        for (const int row : groups.at(line).second) {
            sizes.push_back(plot.number(static_cast<std::size_t>(row), size));
            cells[categoryOf(row)].append(row);
        }
        std::sort(sizes.begin(), sizes.end());
        for (const auto &[category, rows] : cells) {
            widest = std::max(widest, category + 1);
            for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
                const auto row = static_cast<std::size_t>(rows.at(i));
                const double mfu = plot.number(row, shade);
                const qsizetype step = std::upper_bound(shadeEnds.begin(), shadeEnds.end(), mfu) - shadeEnds.begin();
                const qsizetype rank =
                    std::lower_bound(sizes.begin(), sizes.end(), plot.number(row, size)) - sizes.begin();
                constexpr qsizetype radii = std::ssize(dotRadii);
                ChartDots &dots = view.dots[step * radii + rank * radii / std::ssize(sizes)];
                dots.points.append(QPointF(category + 0.5, static_cast<double>(line) + 0.5)
                                   + spiral(i, static_cast<int>(rows.size())));
                dots.things.append(rows.at(i));
            }
        }
    }
    view.x.title = QString::fromStdString(plot.columns[x].title);
    view.y.title = QString::fromStdString(plot.columns[plot.column(PlotRole::y)].title);
    for (int category = 0; category < widest; ++category)
        view.x.ticks.append({category + 0.5, countText(std::pow(2, category))});
    view.x.high = std::max(1, widest);
    view.y.high = std::max<double>(1, static_cast<double>(groups.size()));
    view.x.categories = true;
    view.y.categories = true;
    addItems(plot, view, Pointing::Dots);
    return view;
}

ChartView barsOf(const Plot &plot) {
    ChartView view{.parts = ColumnParts::Adjacent};
    double highest = 0;
    for (std::size_t column = 0; column < plot.columns.size(); ++column) {
        if (plot.columns[column].role != PlotRole::bar)
            continue;
        ChartPart part{.name = QString::fromStdString(plot.columns[column].title),
                       .ink = view.columns.isEmpty() ? Kind::Green : Kind::Blue};
        for (std::size_t row = 0; row < plot.rows.size(); ++row) {
            part.heights.append(plot.number(row, column));
            if (std::isfinite(part.heights.last()))
                highest = std::max(highest, part.heights.last());
        }
        view.columns.append(part);
    }
    const PlotColumn &bar = plot.columns[plot.column(PlotRole::bar)];
    if (bar.quantity == Quantity::share) {
        view.y.unit = {0.01, QStringLiteral("%")};
        view.y.unitOnTicks = true;
    }
    spanLinear(view.y, 0, std::max(highest, view.y.unit.size));
    view.y.title = view.columns.size() == 1 ? QString::fromStdString(bar.title) : QString();
    const std::size_t x = plot.column(PlotRole::x);
    const std::size_t group = plot.column(PlotRole::y);
    for (std::size_t row = 0; row < plot.rows.size(); ++row) {
        const auto at = static_cast<double>(row);
        view.x.ticks.append({at + 0.5, countText(plot.number(row, x))});
        const QString name = QString::fromStdString(plot.text(row, group));
        if (view.x.groups.isEmpty() || view.x.groups.last().text != name)
            view.x.groups.append({at, at + 1, name});
        view.x.groups.last().high = at + 1;
    }
    view.x.title = QString::fromStdString(plot.columns[x].title);
    view.x.high = std::max<double>(1, static_cast<double>(plot.rows.size()));
    addItems(plot, view, Pointing::Columns);
    return view;
}

} // namespace

QString plotCellText(const Plot &plot, std::size_t row, std::size_t column) {
    const double value = plot.number(row, column);
    if (std::isnan(value))
        return QString::fromStdString(plot.text(row, column));
    return figureText(value, plot.columns[column].quantity);
}

ChartView plotChart(const Plot &plot) {
    ChartView view;
    if (plot.problem.empty() && !plot.rows.empty()) {
        switch (plot.form) {
        case PlotForm::lines:
            view = linesOf(plot);
            break;
        case PlotForm::dots:
            view = dotsOf(plot);
            break;
        case PlotForm::cells:
            view = cellsOf(plot);
            break;
        case PlotForm::bars:
            view = barsOf(plot);
            break;
        }
    }
    view.titles = AxisTitles::Shown;
    view.name = QString::fromStdString(plot.title);
    view.description = QString::fromStdString(plot.caption);
    view.nothing = QString::fromStdString(plot.problem);
    return view;
}

} // namespace meshwright
