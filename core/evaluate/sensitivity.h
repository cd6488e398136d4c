// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "evaluate/variations.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// What varying one input does to a figure.
struct Influence {
    Variation variation;
    double before = 0; ///< the figure's value in the result
    double after = 0;
    double change = 0; ///< (after - before) / |before|; where before is 0, the difference itself
};

/// What would change a figure, and by how much, the largest change first; inputs that leave it as it is are left out.
/// Every change is that of a whole evaluation; where sites of an outer loop differ or anything in it is random, that of
/// one brief run against another of the same random numbers, as a share of the figure.
/// @param figure  path of its JSON key or the name of its explanation: "step.seconds", "memory_stages_0_total_bytes",
///                also one that only the explanation has, or that of the executed pipeline: "schedule_makespan_seconds"
/// Empty where the result has no such figure, or where it was stopped: `stop` is asked between evaluations, which run
/// in parallel. The same on any number of threads.
std::vector<Influence> sensitivity(const Result &result, std::string_view figure, const std::stop_token &stop = {});

/// The same for several figures at once, in their order: each input is evaluated once.
std::vector<std::vector<Influence>> sensitivities(const Result &result, std::span<const std::string_view> figures,
                                                  const std::stop_token &stop = {});

/// Of which figure the influences are asked for: one of a result, or how much one changes between two.
struct InfluenceQuestion {
    std::shared_ptr<const Result> result; ///< null: nothing is to be varied
    std::shared_ptr<const Result> before; ///< what changes from it to the result; null for a figure of the result
    std::string figure; ///< as in sensitivity()
    bool as_share = false; ///< the change is one of the figure before
    bool operator==(const InfluenceQuestion &) const = default;
};
/// sensitivity() of the result's figure, or of its change: each input is varied in both plans where both hold the same.
std::vector<Influence> influences(const InfluenceQuestion &question, const std::stop_token &stop = {});

/// Figures that a result opens with, as paths: headroom, peak, step, utilisation, days, rent, outer utilisation.
std::vector<std::string_view> headline_figures(const Result &result);

/// An object: for each headline figure's path an array of what, pointer, origin, from, to, before, after, change.
nlohmann::ordered_json sensitivities_json(const Result &result);

/// A number of a result, by path or name; nothing where there is none.
std::optional<double> figure_value(const Result &result, std::string_view figure);

} // namespace meshwright
