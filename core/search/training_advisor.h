// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "advise/changes.h"
#include "quantities/sentence.h"
#include "search/search.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

/// Model size as the rules of thumb distinguish it: below 10, up to 100, and above 100 billion parameters.
enum class ModelScale { small, medium, large };

struct Regime {
    ModelScale scale = ModelScale::small;
    double parameters = 0;
    std::int64_t accelerators = 0; ///< number of accelerators per site
    /// Whether memory is scarce: nothing fits without full recomputation, or the sharded states take more than half of
    /// all memory.
    bool poor = false;
};

/// Configurations that a rule suggests, and the fastest one that fits.
struct AdvisorOption {
    std::string name;
    std::optional<SearchEntry> best; ///< unset if none fits
};

struct Attempt {
    std::string title;
    std::string patch; ///< JSON merge patch for the plan
    bool valid = true;
    bool fits = false;
    double step_seconds = 0;
    double headroom_bytes = 0;
    double gain = 0; ///< fraction of step time that the change saves: 0.12 if the step is 12% shorter
};

struct AdvisorStep {
    std::string id;
    std::string title;
    Sentence rule; ///< the rule of thumb that applies, with its reason
    Sentence finding; ///< the state of the current plan, with numbers
    std::vector<AdvisorOption> ways;
    std::vector<Attempt> attempts; ///< suggested changes, one at a time, in order
};

/// The plan with the next value of one slider. Data parallelism takes the remaining accelerators; all else is
/// unchanged.
struct SliderStep {
    std::string field;
    std::int64_t from = 0;
    Attempt attempt;
    std::int64_t to = 0;
};

struct TrainingAdvice {
    Regime regime;
    double step_seconds = 0;
    bool fits = false;
    std::vector<AdvisorStep> steps;
    std::optional<SearchEntry> best; ///< best of all configurations; unset if none fits
    /// Best of the configurations that the rules suggest; unset if none fits.
    std::optional<SearchEntry> best_by_rules;
    /// Comparison of the search's best configuration with the best one that the rules suggest. Its figures are "gain"
    /// and the differences between the terms of the step, named as in step_term_names().
    Sentence comparison;
    std::vector<SliderStep> sliders;
    bool complete = false; ///< false if the search was stopped
};

/// Guides a plan through the decisions of distributed training: fit the model, reach the batch size, raise throughput.
/// The decisions follow the Ultra-Scale Playbook (Hugging Face, 2025), "Finding the best training configuration", whose
/// rules depend on the model's size, on whether there are more than 512 or 1,024 accelerators, and on whether memory is
/// scarce. Every kind of configuration is searched, and every suggestion is evaluated. Stops within 0.1 s on request.
/// @throws InputError if the plan is not valid
TrainingAdvice training_advice(const Plan &plan, const Library &library, const std::stop_token &stop = {});

/// The JSON for the key `advice` of a search result.
nlohmann::ordered_json to_json(const TrainingAdvice &advice);

} // namespace meshwright
