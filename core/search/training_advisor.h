// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/changes.h"
#include "quantities/sentence.h"
#include "search/search.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

/// How large a model is, as rules of thumb tell it: below 10, up to 100, and above 100 billion parameters.
enum class ModelScale { small, medium, large };

/// Which rules apply to a plan.
struct Regime {
    ModelScale scale = ModelScale::small;
    double parameters = 0;
    std::int64_t accelerators = 0; ///< of a site
    bool poor = false; ///< nothing fits that keeps its activations, or the sharded state takes half of all memory
};

/// Layouts of one kind that a rule names, and the fastest of them that fits.
struct AdvisorWay {
    std::string name; ///< "tensor within a node, data for the rest"
    std::optional<SearchEntry> best; ///< unset where none fits
};

/// A change to the present plan that has been evaluated.
struct Attempt {
    std::string title;
    std::string patch; ///< JSON merge patch for the plan
    bool valid = true; ///< false: the plan cannot take it
    bool fits = false;
    double step_seconds = 0;
    double headroom_bytes = 0;
    double gain = 0; ///< of the step's time, as a share: 0.12 is 12 % faster
};

/// One decision, as the plan stands to it.
struct AdvisorStep {
    std::string id; ///< "fit", "batch", "throughput"
    std::string title;
    Sentence rule; ///< which applies, and why
    Sentence finding; ///< how the plan stands, with numbers
    std::vector<AdvisorWay> ways; ///< that the rule names
    std::vector<Attempt> attempts; ///< that it suggests trying, one at a time, in its order
};

/// One more step of one slider, everything else as in the plan, data parallelism taking what is left.
struct SliderStep {
    std::string field;
    std::int64_t from = 0;
    Attempt attempt;
    std::int64_t to = 0;
};

struct TrainingAdvice {
    Regime regime;
    double step_seconds = 0; ///< of the present plan
    bool fits = false;
    std::vector<AdvisorStep> steps;
    std::optional<SearchEntry> best; ///< of all layouts; unset where none fits
    std::optional<SearchEntry> best_by_rules; ///< of the layouts that the rules name; unset where none fits
    /// What the search found against the best that the rules name, and why they differ. Its figures are "gain", and
    /// step_term_names() of how much the terms of their steps differ.
    Sentence comparison;
    std::vector<SliderStep> sliders;
    bool complete = false; ///< false where it was stopped
};

/// Walks a plan through the decisions of distributed training: fit the model, reach the batch, raise throughput. After
/// the Ultra-Scale Playbook (Hugging Face, 2025), "Finding the best training configuration", whose rules turn on the
/// model's size, 512 and 1,024 accelerators, and on whether memory is short. Every way is searched, every suggestion
/// evaluated. Stops within a tenth of a second when asked to.
/// @throws InputError if the plan is not valid
TrainingAdvice training_advice(const Plan &plan, const Library &library, const std::stop_token &stop = {});

/// For the key `advice` of a search's result.
nlohmann::ordered_json to_json(const TrainingAdvice &advice);

} // namespace meshwright
