// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "formulas/formula.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

class Library;

struct NamedPlan {
    std::string name;
    Plan plan;
};

struct ComparedField {
    std::string pointer;
    std::vector<nlohmann::ordered_json> values; ///< one value per plan; null if the plan omits the field
    std::vector<std::string> texts; ///< the values as text, from field_texts()
};

struct ComparedFigure {
    std::string path; ///< path in the result: "step.seconds"
    std::string title;
    Quantity quantity = Quantity::number;
    std::vector<std::optional<double>> values; ///< one value per plan; unset if the plan has no such figure
};

/// The part of a figure's difference that one group of fields causes. `in_order`: the groups change one after another,
/// from plan 0 to the compared plan, so that their effects add up to the whole difference. `alone`: only this group
/// changes in plan 0. `in_order` minus `alone` is the interaction with earlier groups.
struct ComparedCause {
    std::size_t plan = 1; ///< index of the plan that is compared with plan 0
    std::string figure;
    std::string title;
    std::vector<std::string> fields;
    std::optional<double> alone; ///< unset if the plan with this change alone is not valid
    double in_order = 0;
    double before = 0; ///< the figure after all earlier changes and before this one
    double after = 0;
    std::shared_ptr<const Plan>
        plan_before; ///< the plans that give the figures before and after this change; never null
    std::shared_ptr<const Plan> plan_after;
    std::shared_ptr<const Plan> plan_alone; ///< plan 0 with only this change; null if it is not a valid plan
    std::optional<double> interaction() const { return alone ? std::optional(in_order - *alone) : std::nullopt; }
};

struct PlanComparison {
    std::vector<std::string> names;
    std::vector<std::shared_ptr<const Result>> results;
    std::vector<ComparedField> fields;
    std::vector<ComparedFigure> figures;
    std::vector<ComparedCause> causes; ///< sorted by plan, then by figure, then by the order in which the groups change
};

/// Compares two or more valid plans. Names and notes are not compared. If stopped early through `stop`, some causes are
/// missing.
/// @throws InputError for a plan that is not valid, or fewer than two plans
PlanComparison compare_plans(const std::vector<NamedPlan> &plans, const Library &library,
                             const std::stop_token &stop = {});

/// Result paths of the figures whose differences are attributed to causes, in the order of the causes.
std::vector<std::string> caused_figure_paths();

/// JSON printed by `compare --json`.
nlohmann::ordered_json to_json(const PlanComparison &comparison);

} // namespace meshwright
