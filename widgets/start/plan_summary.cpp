// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/plan_summary.h"

#include "canvases/memory_bars.h"
#include "canvases/step_bar.h"
#include "catalog/own_presets.h"
#include "catalog/weights.h"
#include "evaluate/evaluate.h"
#include "figures/figure_text.h"
#include "input/json_document.h"
#include "plan/plan_json.h"
#include "search/plan_request.h"
#include "views/view_mapping.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace meshwright {

namespace {

using nlohmann::ordered_json;

QString summaryText(const char *text) {
    return QCoreApplication::translate("PlanSummary", text);
}

QVector<QVector<StackedSegment>> pictured(const QVector<StackedRow> &rows) {
    QVector<QVector<StackedSegment>> stages;
    const qsizetype shown = std::min<qsizetype>(rows.size(), maxPicturedStages);
    for (qsizetype i = 0; i < shown; ++i)
        stages.append(rows[i * rows.size() / shown].segments);
    return stages;
}

std::optional<double> reportedMfu(const ordered_json &document) {
    const auto published = document.find("published");
    if (published == document.end() || !published->is_object())
        return std::nullopt;
    const auto mfu = published->find("mfu");
    return mfu != published->end() && mfu->is_number() ? std::optional(mfu->get<double>()) : std::nullopt;
}

} // namespace

QString modelSizeText(const Plan &plan) {
    const Parameters parameters = parameters_of(plan.model);
    const QString total = figureText(parameters.total, Quantity::parameters);
    // For a mixture-of-experts model, the text states both the total and the active size.
    return parameters.active < 0.9 * parameters.total
        ? summaryText("%1, %2 active").arg(total, figureText(parameters.active, Quantity::parameters))
        : total;
}

QString hardwareText(const Plan &plan) {
    const QString site = summaryText("%1 %2").arg(countText(static_cast<double>(plan.site_accelerators())),
                                                  QString::fromStdString(short_name(plan.cluster.accelerator)));
    return plan.cluster.sites > 1 ? summaryText("%1 sites of %2").arg(plan.cluster.sites).arg(site) : site;
}

PlanSummary summaryOf(const QString &id, const ordered_json &document, const Library &library) {
    const Plan plan = plan_from_json(document, library);
    const Result result = evaluate(plan, Depth::numbers);
    PlanSummary summary{.id = id,
                        .name = QString::fromStdString(plan.name),
                        .model = modelSizeText(plan),
                        .hardware = hardwareText(plan),
                        .fits = result.verdict.fits,
                        .mfu = result.step.mfu,
                        .reportedMfu = reportedMfu(document),
                        .stages = pictured(MemoryBars::stacked(memoryBarsView(result.memory)).rows),
                        .capacityBytes = result.memory.capacity_bytes,
                        .step = {}};
    const StackedBarsView step = StepBar::stacked(stepBarView(result));
    if (!step.rows.isEmpty())
        summary.step = step.rows.front().segments;
    if (const auto entry = library.find(PresetKind::plan, id.toStdString()))
        summary.name = QString::fromStdString(listed_name(*entry, library));
    return summary;
}

RecentPlan recentPlanOf(const QString &path, const Library &library) {
    const QFileInfo info(path);
    RecentPlan recent{.path = path,
                      .exists = info.isFile(),
                      .name = info.completeBaseName(),
                      .model = {},
                      .hardware = {},
                      .changed = info.lastModified()};
    if (!recent.exists)
        return recent;
    try {
        const PlanReading reading = read_plan(read_json_file(std::filesystem::path(path.toStdString())), library);
        if (!reading.plan.name.empty())
            recent.name = QString::fromStdString(reading.plan.name);
        if (!reading.valid())
            return recent;
        recent.model = QString::fromStdString(reading.plan.model.name);
        recent.hardware = hardwareText(reading.plan);
    } catch (const std::exception &) {
        recent.exists = false;
    }
    return recent;
}

} // namespace meshwright
