// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evidence_of_result.h"
#include "search/goal_seek.h"

#include <nlohmann/json.hpp>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

Json or_null(const std::optional<double> &value) {
    return value ? Json(*value) : Json(nullptr);
}

Json side_json(const Result &result) {
    Json json{{"fits", result.verdict.fits},
              {"headroom_bytes", result.verdict.headroom_bytes},
              {"fit_probability", or_null(fit_probability(result))},
              {"step_seconds", result.step.seconds},
              {"mfu", result.step.mfu},
              {"tokens_per_second", result.step.tokens_per_second},
              {"run_seconds", result.run.seconds},
              {"days", result.run.days},
              {"rental_dollars", result.run.rental_dollars},
              {"energy_joules", result.run.energy_joules},
              {"goodput", result.run.goodput},
              {"accelerators", result.cluster.accelerators}};
    json["utilisation"] = result.outer ? Json(result.outer->utilisation) : Json(nullptr);
    json["loss_penalty_high"] = result.outer ? Json(result.outer->loss_penalty_high) : Json(nullptr);
    return json;
}

Json proposal_json(const Proposal &proposal) {
    Json changes = Json::array();
    for (const FieldChange &change : proposal.changes)
        changes.push_back({{"field", change.field}, {"title", change.title}, {"from", change.from}, {"to", change.to}});
    return {{"title", proposal.title},
            {"changes", std::move(changes)},
            {"patch", Json::parse(proposal.patch)},
            {"value", proposal.value},
            {"reached", proposal.reached},
            {"inside_interval", proposal.surely ? Json(*proposal.surely) : Json(nullptr)},
            {"has_no_price", proposal.has_no_price},
            {"outside_evidence", proposal.unproven},
            {"after", side_json(proposal.result)}};
}

} // namespace

Json to_json(const GoalAnswer &answer) {
    const GoalDefinition &definition = definition_of(answer.goal.figure);
    Json json{{"schema", "meshwright.seek/1"},
              {"goal",
               {{"name", definition.name},
                {"figure", definition.path},
                {"relation", answer.goal.relation == Relation::at_most ? "at_most" : "at_least"},
                {"value", answer.goal.value},
                {"text", text_of(answer.goal)}}},
              {"value", or_null(answer.value)},
              {"reached", answer.reached},
              {"before", side_json(answer.before)},
              {"proposals", Json::array()}};
    for (const Proposal &proposal : answer.proposals)
        json["proposals"].push_back(proposal_json(proposal));
    json["nearest"] = answer.nearest ? proposal_json(*answer.nearest) : Json(nullptr);
    json["limit"] = answer.limit.empty() ? Json(nullptr) : Json(answer.limit);
    json["considered"] = answer.considered;
    json["complete"] = answer.complete;
    return json;
}

std::vector<GoalCost> costs_of(const GoalAnswer &answer, const Proposal &proposal) {
    const Result &before = answer.before;
    const Result &after = proposal.result;
    std::vector<GoalCost> costs{
        {"Headroom", "verdict.headroom_bytes", Quantity::bytes, before.verdict.headroom_bytes,
         after.verdict.headroom_bytes},
        {"Step", "step.seconds", Quantity::seconds, before.step.seconds, after.step.seconds},
        {"MFU", "step.mfu", Quantity::share, before.step.mfu, after.step.mfu},
        {"Run", "run.seconds", Quantity::seconds, before.run.seconds, after.run.seconds},
        {"Rental cost", "run.rental_dollars", Quantity::dollars, before.run.rental_dollars, after.run.rental_dollars}};
    if (before.cluster.accelerators != after.cluster.accelerators)
        costs.push_back({"Accelerators", "cluster.accelerators", Quantity::count, before.cluster.accelerators,
                         after.cluster.accelerators});
    if (before.outer && after.outer) {
        costs.push_back({"Compute utilization", "outer.utilisation", Quantity::share, before.outer->utilisation,
                         after.outer->utilisation});
        costs.push_back({"Maximum loss penalty", "outer.loss_penalty_high", Quantity::share,
                         before.outer->loss_penalty_high, after.outer->loss_penalty_high});
    }
    return costs;
}

} // namespace meshwright
