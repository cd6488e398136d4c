// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_charts.h"

#include "figures/figure_text.h"

#include <QCoreApplication>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshwright {

namespace {

constexpr double columnWidth = 2 * errorReach / errorColumns;

QString tr(const char *text) {
    return QCoreApplication::translate("EvidenceCharts", text);
}

QString signedPercent(double error) {
    const double percent = std::round(error * 1000) / 10;
    const QString sign = percent > 0 ? QStringLiteral("+") : percent < 0 ? QString(QChar(0x2212)) : QString();
    return sign + QString::fromStdString(with_unit(fmt::format("{}", std::abs(percent)), "%"));
}

QString rangeText(int column) {
    const double low = -errorReach + column * columnWidth;
    if (column == 0)
        return tr("below %1").arg(signedPercent(low + columnWidth));
    return column == errorColumns - 1 ? tr("above %1").arg(signedPercent(low))
                                      : tr("%1 to %2").arg(signedPercent(low), signedPercent(low + columnWidth));
}

QString textOf(double value, EvidenceMetric metric) {
    return figureText(value, metric == EvidenceMetric::Step ? Quantity::seconds : Quantity::bytes);
}

/// Chart of predicted versus measured values, with a margin. Correct predictions lie on the diagonal.
ChartView predictedOverMeasured(EvidenceMetric metric, const std::vector<double> &values) {
    const bool step = metric == EvidenceMetric::Step;
    const auto text = [metric](double value) { return textOf(value, metric); };
    constexpr double room = 1.25;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    ChartAxis axis{.scale = AxisScale::Logarithmic, .low = 0.1, .high = 10, .text = text};
    if (!values.empty()) {
        axis.low = *low / room;
        axis.high = *high * room;
    }
    ChartView view{.x = axis, .y = axis, .titles = AxisTitles::Shown, .grid = Grid::Both, .pointing = Pointing::Dots};
    view.x.title = step ? tr("measured step time") : tr("measured memory");
    view.y.title = step ? tr("predicted step time") : tr("predicted memory");
    view.series.append(
        {.points = {{axis.low, axis.low}, {axis.high, axis.high}}, .ink = ColourRole::LineStrong, .width = 1});
    return view;
}

} // namespace

Kind kindOfFamily(int family) {
    constexpr Kind kinds[ColouredFamilies] = {Kind::Blue,   Kind::Green,  Kind::Red,
                                              Kind::Yellow, Kind::Purple, Kind::Cyan};
    return family >= 0 && family < ColouredFamilies ? kinds[family] : Kind::Grey;
}

int columnOfError(double error) {
    const double place = (std::clamp(error, -10.0, 10.0) + errorReach) / columnWidth;
    return std::clamp(static_cast<int>(std::floor(place)), 0, errorColumns - 1);
}

ChartView errorHistogram(const std::vector<EvidencePoint> &points, const QVector<EvidenceFamily> &families) {
    ChartView view{
        .x = {.title = tr("error"), .low = -errorReach, .high = errorReach, .unit = {0.01, QStringLiteral("%")}},
        .y = {.title = tr("rows")}};
    view.x.unitOnTicks = true;
    for (int family = 0; family <= ColouredFamilies; ++family)
        view.columns.append({.heights = QVector<double>(errorColumns), .ink = kindOfFamily(family)});
    QVector<double> counts(errorColumns);
    for (const EvidencePoint &point : points) {
        const int column = columnOfError(point.error());
        ++view.columns[std::clamp(point.family, 0, ColouredFamilies)].heights[column];
        ++counts[column];
    }
    view.y.high = std::max(1.0, *std::max_element(counts.cbegin(), counts.cend()));
    view.name = tr("Rows by prediction error");
    view.description = tr("%1 rows").arg(countText(static_cast<double>(points.size())));
    view.pointing = Pointing::Columns;
    view.things = errorColumns;
    view.firstThing = errorColumns / 2;
    view.content = [families, counts, columns = view.columns, total = static_cast<double>(points.size())](int column) {
        HoverContent content{.title = rangeText(column),
                             .swatch = {},
                             .rows = {},
                             .footnote = tr("%1 of %2 rows").arg(countText(counts.at(column)), countText(total))};
        for (int family = 0; family < families.size(); ++family)
            if (const double rows = columns.at(family).heights.at(column); rows > 0)
                content.rows.append({families.at(family).name, countText(rows)});
        return content;
    };
    return view;
}

ChartView evidenceScatter(const std::vector<EvidencePoint> &points, EvidenceMetric metric, double band,
                          const std::optional<ChartMark> &present) {
    std::vector<double> values;
    for (const EvidencePoint &point : points)
        values.insert(values.end(), {point.measured, point.predicted});
    if (present)
        values.insert(values.end(), {present->span->first, present->span->second});
    ChartView view = predictedOverMeasured(metric, values);
    const double low = view.x.low;
    const double high = view.x.high;
    if (band > 1)
        view.bands.append(
            {.upper = {{low, low * band}, {high, high * band}}, .lower = {{low, low / band}, {high, high / band}}});
    // Draw small families last, so that large ones do not cover them.
    for (int family = 0; family <= ColouredFamilies; ++family)
        view.dots.append({.ink = kindOfFamily(family), .opacity = 0.72});
    for (std::size_t i = 0; i < points.size(); ++i) {
        ChartDots &dots = view.dots[std::clamp(points[i].family, 0, ColouredFamilies)];
        dots.points.append({points[i].measured, points[i].predicted});
        dots.things.append(static_cast<int>(i));
    }
    if (present)
        view.marks.append(*present);
    view.things = static_cast<int>(points.size());
    view.name = tr("Predicted vs. measured");
    return view;
}

ChartView fitChart(const MachineFit *fit, EvidenceMetric metric) {
    QStringList names;
    QVector<FittedFigure> figures;
    std::vector<double> values;
    ChartDots before{.name = tr("default constants"), .ink = ColourRole::Text2, .radius = 4, .hollow = true};
    ChartDots after{.name = tr("fitted to this machine"), .radius = 4};
    ChartSeries links{.ink = ColourRole::Text2, .width = 1.5};
    for (const FittedRun &run : fit != nullptr ? fit->runs : std::vector<FittedRun>()) {
        const std::optional<FittedFigure> &figure = metric == EvidenceMetric::Step ? run.step : run.memory;
        if (!figure)
            continue;
        for (ChartDots *dots : {&before, &after}) {
            dots->things.append(static_cast<int>(figures.size()));
            dots->points.append({figure->measured, dots == &before ? figure->before : figure->after});
            links.points.append(dots->points.last());
        }
        links.points.append({figure->measured, std::numeric_limits<double>::quiet_NaN()});
        values.insert(values.end(), {figure->measured, figure->before, figure->after});
        names.append(QString::fromStdString(run.name));
        figures.append(*figure);
    }
    ChartView view = predictedOverMeasured(metric, values);
    view.series.append(links);
    view.dots = {before, after};
    view.things = static_cast<int>(figures.size());
    view.name = tr("Predicted vs. measured, before and after the fit");
    view.description = tr("%1 runs").arg(figures.size());
    if (figures.isEmpty())
        view.nothing = metric == EvidenceMetric::Step ? tr("No run with a measured step time yet")
                                                      : tr("No run with measured memory yet");
    view.content = [=](int run) {
        const FittedFigure &figure = figures.at(run);
        const auto withError = [&](double predicted) {
            const double error = predicted / figure.measured - 1;
            return QStringLiteral("%1, %2%3")
                .arg(textOf(predicted, metric), error > 0 ? QStringLiteral("+") : QString(), shareText(error));
        };
        HoverContent content{.title = names.at(run), .swatch = {}, .rows = {}, .footnote = {}};
        content.rows = {{tr("Measured"), textOf(figure.measured, metric)},
                        {tr("Before"), withError(figure.before)},
                        {tr("After"), withError(figure.after)}};
        if (figure.left_out)
            content.rows.append({tr("Held out"), withError(*figure.left_out)});
        return content;
    };
    return view;
}

} // namespace meshwright
