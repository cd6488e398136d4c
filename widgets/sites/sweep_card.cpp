// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/sweep_card.h"

#include "charts/xy_chart.h"
#include "figures/figure_text.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr int ChartHeight = 96;

QString objectNameOf(SweepOf of) {
    switch (of) {
    case SweepOf::LinkRate:
        return QStringLiteral("sweepLinkRate");
    case SweepOf::InnerSteps:
        return QStringLiteral("sweepInnerSteps");
    case SweepOf::Fragments:
        return QStringLiteral("sweepFragments");
    case SweepOf::Overlap:
        break;
    }
    return QStringLiteral("sweepOverlap");
}

QString stepsText(double value) {
    const double steps = std::round(value);
    return steps == 1 ? SweepCard::tr("1 step") : SweepCard::tr("%1 steps").arg(countText(steps));
}

ChartAxis shareAxis(const QString &title) {
    ChartAxis axis{.title = title, .low = 0, .high = 1, .unit = {0.01, QStringLiteral("%")}};
    axis.text = [](double value) { return shareText(value); };
    return axis;
}

} // namespace

SweepCard::SweepCard(SweepOf of, QWidget *parent)
    : Card(tr("By %1").arg(nameOf(of)), tr("compute utilization, %"), parent)
    , m_of(of)
    , m_chart(new XyChart(this)) {
    m_chart->setObjectName(objectNameOf(of));
    m_chart->setPreferredHeight(ChartHeight);
    m_chart->setMarkDraggable(true);
    m_chart->setToolTip(tr("Drag the point, or move it with the arrow keys and press Return, to change the plan"));
    contentLayout()->addWidget(m_chart);
    connect(m_chart, &XyChart::markDropped, this, [this](double x) { Q_EMIT chosen(m_of, x); });
}

QString SweepCard::nameOf(SweepOf of) {
    switch (of) {
    case SweepOf::LinkRate:
        return tr("link rate");
    case SweepOf::InnerSteps:
        return tr("inner steps");
    case SweepOf::Fragments:
        return tr("fragments");
    case SweepOf::Overlap:
        break;
    }
    return tr("overlap");
}

QString SweepCard::textOf(SweepOf of, double value) {
    switch (of) {
    case SweepOf::LinkRate:
        return figureText(value, Quantity::bits_per_second);
    case SweepOf::InnerSteps:
        return stepsText(value);
    case SweepOf::Fragments:
        return countText(std::round(value));
    case SweepOf::Overlap:
        break;
    }
    return stepsText(value);
}

ChartView SweepCard::chartOf(const Sweep &sweep) {
    const SweepOf of = sweep.of;
    ChartView view{.x = {.title = nameOf(of), .low = sweep.points.first().x(), .high = sweep.points.last().x()},
                   .y = shareAxis(tr("compute utilization"))};
    view.x.text = [of](double value) { return textOf(of, value); };
    view.x.unit = {1, {}};
    if (of != SweepOf::Overlap) {
        view.x.scale = AxisScale::Logarithmic;
        view.x.tick = [of](double value) {
            return of == SweepOf::LinkRate ? figureText(value, Quantity::bits_per_second) : countText(value);
        };
    }
    view.series.append({.name = tr("compute utilization"), .points = sweep.points});
    view.marks.append(
        {.at = sweep.today, .text = textOf(of, sweep.today.x()), .figure = QStringLiteral("outer.utilisation")});
    view.description = tr("%1 utilization at %2").arg(shareText(sweep.today.y()), textOf(of, sweep.today.x()));
    return view;
}

void SweepCard::showSweep(const Sweep &sweep) {
    m_chart->setView(chartOf(sweep));
}

StalenessCard::StalenessCard(QWidget *parent)
    : Card(tr("Staleness by fragment"), tr("steps"), parent)
    , m_chart(new XyChart(this)) {
    m_chart->setObjectName(QStringLiteral("stalenessChart"));
    m_chart->setPreferredHeight(ChartHeight);
    contentLayout()->addWidget(m_chart);
}

void StalenessCard::showRun(const SitesRun &run) {
    ChartSeries series{.name = tr("staleness"), .points = {}, .stepped = true};
    double most = 0;
    for (std::size_t fragment = 0; fragment < run.staleness.size(); ++fragment) {
        series.points.append({static_cast<double>(fragment), run.staleness[fragment]});
        most = std::max(most, run.staleness[fragment]);
    }
    if (!series.points.isEmpty())
        series.points.append({static_cast<double>(run.staleness.size()), series.points.last().y()});
    ChartView view{.x = {.title = tr("fragment"), .low = 0, .high = std::max(1.0, double(run.staleness.size()))},
                   .y = {.title = tr("staleness")}};
    view.x.text = [](double value) { return countText(std::floor(value)); };
    view.y.text = [](double value) { return QObject::tr("%1 steps").arg(figureText(value, Quantity::number)); };
    spanLinear(view.y, 0, std::max(1.0, most));
    view.series.append(series);
    view.description = tr("Maximum %1 steps").arg(figureText(most, Quantity::number));
    m_chart->setView(view);
}

} // namespace meshwright
