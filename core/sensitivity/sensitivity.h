// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "sensitivity/variations.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

struct Influence {
    Variation variation;
    double before = 0;
    double after = 0;
    double change = 0; ///< (after - before) / |before|, or after - before if before is 0
};

/// Effects of each input on a figure, the largest first; inputs without an effect are omitted. An effect is the
/// difference between two full evaluations. If the sites of an outer loop differ or are random, it is the difference
/// between two brief simulations with the same random numbers, as a fraction of the figure. Inputs are evaluated in
/// parallel; the result does not depend on the number of threads. Empty if the result has no such figure or a stop is
/// requested, which is checked between evaluations.
/// @param figure  path of its JSON key or name of its derivation ("step.seconds", "memory_stages_0_total_bytes"),
/// including figures that exist only in the derivation or the simulated pipeline ("schedule_makespan_seconds")
std::vector<Influence> sensitivity(const Result &result, std::string_view figure, const std::stop_token &stop = {});

/// Like sensitivity(), but for several figures. Evaluates each input only once.
std::vector<std::vector<Influence>> sensitivities(const Result &result, std::span<const std::string_view> figures,
                                                  const std::stop_token &stop = {});

/// The figure whose influences are requested: a figure of a result, or its change between two results.
struct InfluenceQuestion {
    std::shared_ptr<const Result> result; ///< result whose plan is varied; null if nothing is varied
    std::shared_ptr<const Result> before; ///< result to compare with; null if the question is about one result
    std::string figure; ///< path of the figure, as passed to sensitivity()
    bool as_share = false; ///< whether the change is a fraction of the figure in `before`
    bool operator==(const InfluenceQuestion &) const = default;
};
/// The influences on a figure, or on its change. For a change, an input is varied in both plans if its values are
/// equal.
std::vector<Influence> influences(const InfluenceQuestion &question, const std::stop_token &stop = {});

/// Paths of the headline figures: headroom, peak memory, step time, MFU, run time in days, rental cost and outer
/// utilization.
std::vector<std::string_view> headline_figures(const Result &result);

/// JSON object with one array per headline figure, keyed by path. Its items have the keys what, pointer, origin, from,
/// to, before, after and change.
nlohmann::ordered_json sensitivities_json(const Result &result);

/// A number of a result, by path or derivation name. Returns nothing if there is none.
std::optional<double> figure_value(const Result &result, std::string_view figure);

} // namespace meshwright
