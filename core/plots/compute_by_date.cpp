// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "evidence/csv_table.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "plan/plan_json.h"
#include "plots/plots.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

namespace meshwright::plots {

namespace {

struct PublishedModel {
    std::string model;
    std::string date; ///< "2024-07-23"
    std::string plan; ///< id of the plan preset that describes the model's training; may be empty
    double estimated_flops; ///< NaN if there is no estimate
    std::string confidence;
    std::string source;
};

double number_in(std::string_view text) {
    double value = std::numeric_limits<double>::quiet_NaN();
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// A date as a year with a fraction; NaN if the text is not a date.
double year_of(const std::string &date) {
    const double year = number_in(std::string_view(date).substr(0, 4));
    if (date.size() != std::string_view("2024-07-23").size())
        return std::numeric_limits<double>::quiet_NaN();
    const auto part = [&](std::size_t from) {
        return static_cast<unsigned>(number_in(std::string_view(date).substr(from, 2)));
    };
    using namespace std::chrono;
    const auto first = std::chrono::year(static_cast<int>(year));
    const year_month_day day{first, month(part(5)), std::chrono::day(part(8))};
    if (!day.ok())
        return std::numeric_limits<double>::quiet_NaN();
    const auto days = [](sys_days to, sys_days from) { return static_cast<double>((to - from).count()); };
    const sys_days start = first / January / 1;
    return year + days(day, start) / days((first + years(1)) / January / 1, start);
}

std::vector<PublishedModel> published_models(const Library &library) {
    const CsvTable table = read_csv(read_file(library.own_folder() / "plots" / "training-compute.csv"));
    std::vector<PublishedModel> models;
    for (const std::vector<std::string> &row : table.rows) {
        const auto cell = [&](std::string_view column) { return row[table.column(column)]; };
        models.push_back({.model = cell("model"),
                          .date = cell("date"),
                          .plan = cell("plan"),
                          .estimated_flops = number_in(cell("flops")),
                          .confidence = cell("confidence"),
                          .source = cell("source")});
    }
    return models;
}

/// FLOPs of the model over all tokens of a plan preset's run, without recomputation. Empty if there is no such preset.
std::optional<double> calculated_flops(const std::string &plan, const Library &library) {
    if (plan.empty())
        return std::nullopt;
    const Result result = evaluate(plan_from_json(library.json(PresetKind::plan, plan), library), Depth::closed_forms);
    return result.flops.per_token * result.run.tokens;
}

} // namespace

Plot compute_by_date(const PlotRequest &request) {
    Plot plot{.caption = "Training compute of language models by publication date: calculated from the "
                         "plan presets if enough of the run is published, otherwise estimated by Epoch AI.",
              .source = "Epoch AI, Notable AI models, epoch.ai/data, CC BY; FLOPs of presets are calculated from their "
                        "plans, without "
                        "recomputation",
              .form = PlotForm::dots,
              .logarithmic_y = true,
              .columns = {{"model", "Model", PlotRole::name},
                          {"origin", "Origin", PlotRole::series},
                          {"year", "Published", PlotRole::x, Quantity::number, true},
                          {"flops", "Training compute", PlotRole::y, Quantity::flops},
                          {"date", "Date"},
                          {"estimated_flops", "Estimate by Epoch AI", PlotRole::detail, Quantity::flops},
                          {"confidence", "Confidence in the estimate"},
                          {"plan", "Plan preset"},
                          {"source", "Source"}}};
    try {
        for (const PublishedModel &model : published_models(request.library)) {
            if (request.stop.stop_requested())
                return plot;
            const std::optional<double> calculated = calculated_flops(model.plan, request.library);
            plot.rows.push_back({model.model, calculated ? "calculated from a plan" : "estimated by Epoch AI",
                                 year_of(model.date), calculated.value_or(model.estimated_flops), model.date,
                                 model.estimated_flops, model.confidence, model.plan, model.source});
        }
    } catch (const FileError &error) {
        plot.problem = error.what();
    } catch (const InputError &error) {
        plot.problem = error.what();
    }
    return plot;
}

} // namespace meshwright::plots
