// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/configuration_map.h"

#include "catalog/library.h"
#include "catalog/model_scaling.h"
#include "catalog/weights.h"
#include "evidence/error_statistics.h"
#include "input/diagnostic.h"
#include "plan/plan_json.h"
#include "search/minimum_split.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr double same_size =
    0.05; ///< maximum difference in ln(parameters) between a measured model and a requested size
constexpr double own_size = 0.005; ///< maximum difference in ln(parameters) for which the plan's own model is used

void check(const MapQuestion &question) {
    if (question.parameters.empty() || question.parameters.size() > max_map_sizes)
        throw InputError("/sizes", fmt::format("{} sizes", question.parameters.size()),
                         fmt::format("expected 1 to {}", max_map_sizes));
    if (question.nodes.empty() || question.nodes.size() > max_map_columns)
        throw InputError("/nodes", fmt::format("{} node counts", question.nodes.size()),
                         fmt::format("expected 1 to {}", max_map_columns));
    for (const double size : question.parameters)
        if (!(size >= 1e6 && size <= 1e14))
            throw InputError("/sizes", fmt::format("{:g} parameters", size), "expected 1e6 to 1e14 parameters");
    for (const std::int64_t nodes : question.nodes)
        if (nodes < 1 || nodes > 100'000)
            throw InputError("/nodes", fmt::format("{} nodes", nodes), "expected 1 to 100,000 nodes");
    if (question.sequence_length < 1 || question.global_sequences < 1)
        throw InputError("/batch", "the batch has no tokens", "expected at least one sequence of at least one token");
}

/// Resizes the cluster to one site of this many nodes. Tiers that are too large are removed, and the outermost
/// remaining one gets the size of the cluster. A cluster of a single node gets a network with the accelerator's usual
/// bandwidth. @returns whether every tier divides the cluster
bool set_nodes(Cluster &cluster, std::int64_t nodes) {
    const std::int64_t node = std::max<std::int64_t>(1, cluster.accelerators_per_node);
    const std::int64_t total = nodes * node;
    const double nic = cluster.accelerator.nic_bandwidth_bytes_per_second;
    std::vector<Tier> &tiers = cluster.tiers;
    if (tiers.back().accelerators <= node && total > tiers.back().accelerators)
        tiers.push_back({.name = "network",
                         .accelerators = total,
                         .bandwidth_bytes_per_second = nic > 0 ? nic : tiers.back().bandwidth_bytes_per_second,
                         .latency_seconds = 5e-6});
    while (tiers.size() > 1 && tiers[tiers.size() - 2].accelerators >= total)
        tiers.pop_back();
    tiers.back().accelerators = total;
    cluster.sites = 1;
    cluster.wan.reset();
    return std::all_of(tiers.begin(), tiers.end(), [&](const Tier &tier) { return total % tier.accelerators == 0; });
}

/// The plan's constraints that apply to every cell: all except fixed fields, allowed values, cluster and batch.
std::string search_constraints(const Plan &plan) {
    if (plan.constraints_json.empty())
        return {};
    Json document = Json::parse(plan.constraints_json);
    for (const char *key : {"fixed", "allowed", "accelerators", "accelerator_types", "global_sequences"})
        document["constraints"].erase(key);
    return document.dump();
}

Plan plan_of_cell(const MapQuestion &question, MapCell &cell, const Model &model) {
    Plan plan = question.plan;
    if (plan.model != model) {
        plan.model = model;
        plan.model_id.clear();
    }
    plan.outer = {};
    plan.cluster_id.clear();
    plan.parallelism = {};
    plan.recompute = {};
    plan.batch = {.sequence_length = question.sequence_length,
                  .global_sequences = question.global_sequences,
                  .micro_sequences = 1};
    plan.constraints_json = search_constraints(question.plan);
    if (plan.cluster.tiers.empty() || !set_nodes(plan.cluster, question.nodes[cell.column]))
        cell.problem = "this number of nodes does not fill the cluster's tiers";
    cell.accelerators = plan.site_accelerators();
    if (cell.problem.empty() && !take_minimum_split(plan))
        cell.problem = fmt::format("no split of {} sequences across {} accelerators is valid",
                                   question.global_sequences, cell.accelerators);
    return plan;
}

bool belongs(const ComparableRuns &runs, const MapQuestion &question, const MapCell &cell) {
    return runs.accelerator_id == question.plan.cluster.accelerator_id && runs.accelerators == cell.accelerators
        && runs.sequence_length == question.sequence_length
        && std::abs(runs.global_sequences - static_cast<double>(question.global_sequences)) < 0.5
        && std::abs(std::log(runs.parameters / question.parameters[cell.size])) < same_size;
}

MeasuredBest measured_best(const ComparableRuns &runs, const EvidenceTable &evidence) {
    std::vector<double> predicted;
    std::vector<double> measured;
    std::vector<MeasuredConfiguration> configurations;
    for (const std::size_t row : runs.rows) {
        const RunPlan &plan = evidence.plans[row];
        predicted.push_back(predict(plan.plan, plan.batch_share, Assumptions(plan.plan.assumptions)).step_seconds);
        measured.push_back(*evidence.runs[row].measured_seconds());
        configurations.push_back(
            {.row = row, .measured_seconds = measured.back(), .predicted_seconds = predicted.back()});
    }
    const auto fastest =
        static_cast<std::size_t>(std::min_element(measured.begin(), measured.end()) - measured.begin());
    const auto chosen =
        static_cast<std::size_t>(std::min_element(predicted.begin(), predicted.end()) - predicted.begin());
    const std::size_t row = runs.rows[fastest];
    return {.id = evidence.runs[row].id,
            .source = evidence.runs[row].source,
            .plan = evidence.plans[row].plan,
            .step_seconds = measured[fastest],
            .mfu = runs.mfu(evidence, row),
            .predicted_seconds = predicted[fastest],
            .chosen = evidence.plans[runs.rows[chosen]].plan,
            .configurations = std::move(configurations),
            .fastest = fastest,
            .order = order_agreement(predicted, measured)};
}

std::optional<MeasuredBest> measured_of(const std::vector<ComparableRuns> &groups, const MapQuestion &question,
                                        const MapCell &cell, const EvidenceTable &evidence) {
    const ComparableRuns *largest = nullptr;
    for (const ComparableRuns &runs : groups)
        if (belongs(runs, question, cell) && (largest == nullptr || runs.rows.size() > largest->rows.size()))
            largest = &runs;
    return largest == nullptr ? std::nullopt : std::optional(measured_best(*largest, evidence));
}

} // namespace

OrderSummary ConfigurationMap::order() const {
    std::vector<OrderAgreement> groups;
    for (const MapCell &one : cells)
        if (one.measured)
            groups.push_back(one.measured->order);
    return order_summary(groups);
}

ConfigurationMap configuration_map(const MapQuestion &question, const Library &library, const EvidenceTable &evidence,
                                   const std::stop_token &stop,
                                   const std::function<void(const ConfigurationMap &)> &on_cell) {
    check(question);
    const auto start = std::chrono::steady_clock::now();
    ConfigurationMap map{.question = question};
    std::vector<Model> models;
    const double own = parameters_of(question.plan.model).total;
    for (std::size_t size = 0; size < question.parameters.size(); ++size) {
        const double wanted = question.parameters[size];
        models.push_back(std::abs(std::log(wanted / own)) < own_size ? question.plan.model
                                                                     : scaled_to(question.plan.model, wanted));
        const double parameters = parameters_of(models.back()).total;
        for (std::size_t column = 0; column < question.nodes.size(); ++column)
            map.cells.push_back({.size = size, .column = column, .parameters = parameters});
    }
    const std::vector<ComparableRuns> groups = comparable_runs(evidence);
    for (std::size_t column = 0; column < question.nodes.size(); ++column)
        for (std::size_t size = 0; size < question.parameters.size(); ++size) {
            if (stop.stop_requested())
                return map;
            MapCell cell = map.cell(size, column);
            const Plan plan = plan_of_cell(question, cell, models[size]);
            cell.measured = measured_of(groups, question, cell, evidence);
            if (cell.problem.empty()) {
                SearchOptions options;
                options.wanted = {.top = 1, .pareto = false};
                options.stop = stop;
                const SearchResult found = search(plan, library, options);
                if (!found.complete)
                    return map;
                if (!found.results.empty())
                    cell.best = found.results.front();
            }
            cell.done = true;
            map.cells[size * question.nodes.size() + column] = std::move(cell);
            map.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            map.complete = column + 1 == question.nodes.size() && size + 1 == question.parameters.size();
            if (on_cell)
                on_cell(map);
        }
    return map;
}

namespace {

Json measured_json(const MeasuredBest &measured) {
    const Json plan = to_json(measured.plan);
    const Json chosen = to_json(measured.chosen);
    return {{"id", measured.id},
            {"source", measured.source},
            {"parallelism", plan.at("parallelism")},
            {"batch", plan.at("batch")},
            {"step_seconds", measured.step_seconds},
            {"mfu", measured.mfu},
            {"predicted_seconds", measured.predicted_seconds},
            {"chosen_parallelism", chosen.at("parallelism")},
            {"configurations", measured.order.count},
            {"spearman", measured.order.spearman},
            {"kendall", measured.order.kendall},
            {"choice_loss", measured.order.choice_loss}};
}

} // namespace

Json to_json(const ConfigurationMap &map) {
    Json json{{"schema", "meshwright.map/1"},
              {"sequence_length", map.question.sequence_length},
              {"global_sequences", map.question.global_sequences},
              {"complete", map.complete},
              {"seconds", map.seconds},
              {"order",
               {{"groups", map.order().groups},
                {"spearman", map.order().spearman},
                {"kendall", map.order().kendall},
                {"choice_loss", map.order().choice_loss}}},
              {"cells", Json::array()}};
    for (const MapCell &cell : map.cells)
        json["cells"].push_back({{"size", map.question.parameters[cell.size]},
                                 {"parameters", cell.parameters},
                                 {"nodes", map.question.nodes[cell.column]},
                                 {"accelerators", cell.accelerators},
                                 {"problem", cell.problem.empty() ? Json() : Json(cell.problem)},
                                 {"best", cell.best ? to_json(*cell.best) : Json()},
                                 {"measured", cell.measured ? measured_json(*cell.measured) : Json()}});
    return json;
}

} // namespace meshwright
