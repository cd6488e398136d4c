// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/calculators_view.h"
#include "evaluate/evaluate.h"
#include "explain/explain_model.h"
#include "explain/explain_view.h"
#include "gantt/pipeline_view.h"
#include "lessons/lessons_view.h"
#include "main_window.h"
#include "memory/memory_view.h"
#include "plots/plot_card.h"
#include "plots/plots_view.h"
#include "quantities/units.h"
#include "search/advice_page.h"
#include "search/map_chart.h"
#include "search/map_page.h"
#include "search/search_view.h"
#include "sites/sites_view.h"
#include "start/gallery.h"
#include "start/plan_tile.h"
#include "start/start_view.h"
#include "view_pages.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// JSON has no infinity and no NaN.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

/// Adds a rank's idle seconds by cause, under keys such as "idle_warm_up_seconds".
void addIdleTimes(const PlanPipeline &pipeline, std::int64_t rank, Json &row) {
    std::vector<double> seconds(idle_cause_names().size(), 0);
    for (const IdleInterval &idle : idle_intervals(pipeline.order, pipeline.timeline, rank))
        seconds[static_cast<std::size_t>(idle.cause)] += idle.end - idle.start;
    for (std::size_t cause = 0; cause < seconds.size(); ++cause) {
        std::string name = idle_cause_names()[cause];
        std::replace_if(
            name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
        row["idle_" + name + "_seconds"] = seconds[cause];
    }
}

void addRanks(const ScheduleRun &run, Json &rows) {
    const PlanPipeline &pipeline = *run.pipeline;
    const Timeline &timeline = pipeline.timeline;
    for (std::int64_t rank = 0; rank < pipeline.order.ranks; ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        Json row{{"schedule", name_of(run.plan.parallelism.schedule)},
                 {"rank", rank},
                 {"start_seconds", timeline.rank_start[at]},
                 {"end_seconds", timeline.rank_end[at]},
                 {"busy_seconds", timeline.busy_seconds[at]}};
        addIdleTimes(pipeline, rank, row);
        row["peak_bytes"] = timeline.peak_bytes[at];
        row["peak_in_flight"] = timeline.peak_in_flight[at];
        rows.push_back(std::move(row));
    }
}

Json attemptRow(const char *kind, const std::string &decision, const std::string &name, const Attempt &attempt) {
    return {{"decision", decision},
            {"kind", kind},
            {"suggestion", name},
            {"fits", attempt.fits},
            {"step_seconds", number(attempt.step_seconds)},
            {"headroom_bytes", number(attempt.headroom_bytes)},
            {"gain", number(attempt.gain)},
            {"patch", attempt.patch}};
}

void addDerivation(const Derivation &node, int depth, ViewTable &table) {
    table.rows.append({QString::number(depth), QString::fromStdString(node.title), cellOf(node.value),
                       QString::fromStdString(std::string(units_of(node.quantity).front().name)),
                       QString::fromStdString(node.formula), QString::fromStdString(node.substituted()),
                       QString::fromStdString(std::string(name_of(node.origin))), QString::fromStdString(node.source)});
    for (const Derivation &input : node.inputs)
        addDerivation(input, depth + 1, table);
}

} // namespace

ViewTable startTable(MainWindow &window) {
    Json rows = Json::array();
    for (const PlanTile *tile : window.view<StartView>()->gallery()->shown()) {
        const PlanSummary &plan = tile->summary();
        rows.push_back({{"plan", "preset:" + plan.id.toStdString()},
                        {"name", plan.name.toStdString()},
                        {"model", plan.model.toStdString()},
                        {"hardware", plan.hardware.toStdString()},
                        {"fits", plan.fits},
                        {"mfu", number(plan.mfu)},
                        {"published_mfu", plan.reportedMfu ? Json(*plan.reportedMfu) : Json()}});
    }
    return tableOfObjects(rows);
}

ViewTable planTable(MainWindow &window) {
    const std::shared_ptr<const Result> result = window.session()->view().result;
    return result != nullptr ? tableOfObjects(figures_json(*result)["memory"]["stages"]) : ViewTable();
}

ViewTable pipelineTable(MainWindow &window) {
    Json rows = Json::array();
    for (const DrawnSchedule &drawn : window.view<PipelineView>()->schedules())
        if (drawn.run != nullptr && drawn.run->pipeline != nullptr)
            addRanks(*drawn.run, rows);
    return tableOfObjects(rows);
}

/// One row per change in memory. A long step is divided into equal intervals, with one row for the peak in each.
ViewTable memoryTable(MainWindow &window) {
    constexpr std::size_t most = 20'000;
    const MemoryRun *run = window.view<MemoryView>()->run();
    if (run == nullptr || run->trace == nullptr)
        return {};
    const MemoryTrace &trace = *run->trace;
    const std::size_t count = trace.memory().points.size();
    const double interval = (trace.whole().end - trace.whole().begin) / static_cast<double>(most);
    ViewTable table;
    table.headings << QStringLiteral("rank") << QStringLiteral("seconds") << QStringLiteral("operation");
    for (const std::string &kind : step_memory_kind_names())
        table.headings << QString::fromStdString(kind + "_bytes");
    table.headings << QStringLiteral("total_bytes");
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        const double begin = trace.whole().begin + static_cast<double>(i) * interval;
        const std::size_t at = count <= most ? i : trace.highestWithin(begin, begin + interval);
        const MemoryPoint &point = trace.point(at);
        QStringList row{QString::number(run->rank), cellOf(point.seconds),
                        QString::fromStdString(trace.memory().operation(at))};
        for (const double bytes : point.bytes)
            row << cellOf(bytes);
        table.rows << (row << cellOf(point.total()));
    }
    return table;
}

/// One row per site, over the rounds that the view shows.
ViewTable sitesTable(MainWindow &window) {
    constexpr std::array activities{"compute_seconds", "stall_seconds", "away_seconds", "rejoin_seconds"};
    constexpr std::array fates{"on_time", "late", "dropped", "voided", "lost", "in_flight"};
    const SitesRun *run = window.view<SitesView>()->run();
    Json rows = Json::array();
    if (run == nullptr || !run->drawable)
        return {};
    for (std::int64_t site = 0; site < run->timeline.sites; ++site) {
        std::array<double, activities.size()> seconds{};
        std::array<std::int64_t, fates.size()> updates{};
        for (const std::uint32_t i : run->spans.of(site)) {
            const SiteSpan &span = run->timeline.spans[i];
            seconds.at(static_cast<std::size_t>(span.activity)) += span.end - span.start;
        }
        for (const std::uint32_t i : run->journeys.of(site))
            ++updates.at(static_cast<std::size_t>(run->timeline.journeys[i].fate));
        Json row{{"site", site}, {"rounds", run->timeline.rounds}};
        for (std::size_t i = 0; i < activities.size(); ++i)
            row[activities.at(i)] = seconds.at(i);
        for (std::size_t i = 0; i < fates.size(); ++i)
            row[std::string("updates_") + fates.at(i)] = updates.at(i);
        rows.push_back(std::move(row));
    }
    return tableOfObjects(rows);
}

ViewTable mapTable(MainWindow &window) {
    const ConfigurationMap *map = window.view<SearchView>()->map()->chart()->map();
    if (map == nullptr)
        return {};
    Json cells = to_json(*map)["cells"];
    for (Json &cell : cells)
        if (cell["best"].is_object())
            cell["best"].erase("patch"); // the patch has the same content as the configuration
    return tableOfObjects(cells);
}

ViewTable adviceTable(MainWindow &window) {
    const TrainingAdvice *advice = window.view<SearchView>()->advice()->advice();
    Json rows = Json::array();
    if (advice == nullptr)
        return {};
    for (const AdvisorStep &step : advice->steps) {
        for (const AdvisorOption &option : step.ways)
            rows.push_back({{"decision", step.title},
                            {"kind", "rule"},
                            {"suggestion", option.name},
                            {"fits", option.best.has_value()},
                            {"step_seconds", option.best ? number(option.best->step_seconds) : Json()},
                            {"headroom_bytes", option.best ? number(option.best->headroom_bytes) : Json()}});
        for (const Attempt &attempt : step.attempts)
            rows.push_back(attemptRow("change", step.title, attempt.title, attempt));
    }
    for (const SliderStep &slider : advice->sliders)
        rows.push_back(attemptRow("slider", slider.field,
                                  std::to_string(slider.from) + " to " + std::to_string(slider.to), slider.attempt));
    return tableOfObjects(rows);
}

ViewTable explainTable(MainWindow &window) {
    const ExplainModel *model = window.view<ExplainView>()->model();
    ViewTable table;
    for (const char *heading : {"depth", "quantity", "value", "unit", "formula", "substituted", "origin", "source"})
        table.headings << QLatin1String(heading);
    if (const Derivation *figure = model->nodeAt(model->index(0, 0)))
        addDerivation(*figure, 0, table);
    return table;
}

ViewTable lessonsTable(MainWindow &window) {
    auto *view = window.view<LessonsView>();
    Json rows = Json::array();
    for (const std::shared_ptr<const Lesson> &lesson : view->lessons())
        for (const LessonStep &step : lesson->steps)
            rows.push_back(
                {{"lesson", lesson->id},
                 {"step", step.id},
                 {"kind", name_of(step.kind)},
                 {"title", step.title},
                 {"done",
                  view->progress().isDone(QString::fromStdString(lesson->id), QString::fromStdString(step.id))}});
    return tableOfObjects(rows);
}

ViewTable formulasTable(MainWindow &window) {
    Json rows = Json::array();
    for (const CalculatorCard *card : window.view<CalculatorsView>()->cards()) {
        const Calculator &calculator = card->calculator();
        const Formula &formula = calculator.formula();
        for (const Symbol &symbol : formula.symbols)
            if (const auto text = calculator.texts().find(symbol.name); text != calculator.texts().end())
                rows.push_back({{"formula", formula.id},
                                {"kind", "argument"},
                                {"name", symbol.name},
                                {"meaning", symbol.meaning},
                                {"value", text->second},
                                {"unit", unit_name(symbol)}});
        for (const FormulaResult &result : formula.results)
            if (const Calculation::Value *value = calculator.value(result.name))
                rows.push_back({{"formula", formula.id},
                                {"kind", "result"},
                                {"name", result.name},
                                {"meaning", result.meaning},
                                {"value", number(value->value)},
                                {"unit", unit_name(result)},
                                {"text", formula_text(result)},
                                {"substituted", value->substituted}});
    }
    return tableOfObjects(rows);
}

ViewTable plotTable(MainWindow &window) {
    const std::shared_ptr<const Plot> plot = window.view<PlotsView>()->card()->plot();
    ViewTable table;
    if (plot == nullptr)
        return table;
    for (const PlotColumn &column : plot->columns)
        table.headings << QString::fromStdString(column.key);
    for (std::size_t row = 0; row < plot->rows.size(); ++row) {
        QStringList cells;
        for (std::size_t column = 0; column < plot->columns.size(); ++column) {
            const QString text = QString::fromStdString(plot->text(row, column));
            cells << (text.isEmpty() ? cellOf(plot->number(row, column)) : text);
        }
        table.rows << cells;
    }
    return table;
}

} // namespace meshwright
