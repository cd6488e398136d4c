// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"
#include "launch/hybrid_model.h"
#include "launch/model_shape.h"
#include "plan/plan.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

struct Result;

/// Prediction for the run that an export starts.
struct RunPrediction {
    double step_seconds = 0;
    double tokens_per_second = 0;
    double mfu = 0;
    double headroom_bytes = 0; ///< negative if the run does not fit
    double capacity_bytes = 0;
};

/// A plan as the software of an export target runs it: settings that the software cannot express are replaced by the
/// nearest supported ones, and recorded as lost. An exporter writes this plan; reading its file back gives the same
/// plan.
struct TargetPlan {
    Plan plan; ///< plan of one site; with SiteScope::all, of all sites
    ModelShape shape;
    std::optional<HybridLayers> hybrid; ///< pattern of a hybrid model's layers; replaces the layers of `shape`
    bool names_preset = false; ///< whether the file names the plan's model preset instead of stating a shape
    std::vector<Loss> lost;
    /// Prediction for the run that the file starts; nothing before predict(), or if that run cannot be evaluated.
    std::optional<RunPrediction> prediction;

    /// Evaluates `plan` with the model that the file states, unless nothing is lost. Called after the last loss.
    /// @param planned  the planned run
    void predict(const Result &planned);
    /// @param what  predicate or sentence, without a period
    /// @param fields  JSON pointers of the plan fields that the file changes; "/model" for any part of the model
    void lose(const std::string &what, const std::string &instead, std::vector<std::string> fields);
    /// Drops the outer loop and all sites but one, and records them as lost.
    void keep_one_site();
    /// Gives all layers the same kind of attention, for software that supports only one kind. @param name  name of the
    /// software
    void make_attention_uniform(std::string_view name);
    /// Raises the model's maximum sequence length to the plan's sequence length, as most software requires.
    void extend_longest_sequence();
    /// If the model has learned position embeddings, sets its maximum sequence length to their number, as Megatron
    /// does. Otherwise calls extend_longest_sequence().
    void fit_longest_sequence_to_positions();
    /// Pads the vocabulary to a multiple of the tensor-parallel degree.
    void pad_vocabulary();
    /// Replaces an optimizer that the software does not support with AdamW. @param supported  includes AdamW
    /// @param name  name of the software
    void keep_optimizer(std::initializer_list<OptimizerKind> supported, std::string_view name);
    /// Drops a sharding group without effect: one of all data-parallel ranks, or of states that are not sharded.
    /// Returns the group that is left.
    std::optional<std::int64_t> effective_shard_group();
    /// Sets the only format that the software supports for these states. @param what  name of the states: "master
    /// weights"
    void settle(DataType &type, DataType now, const std::string &what, const std::string &field);
};

/// The parts of a model that a target's options can describe.
enum class ModelOptions {
    usual, ///< those of a ModelShape, except for a down projection before the experts
    megatron_core ///< those of a ModelShape, and patterns of layers
};

/// The sites of a plan that a target's files describe.
enum class SiteScope {
    one, ///< one site; the outer loop and the other sites are lost
    all ///< the job of one site, and the outer loop that connects it to the others
};

/// Adapts a plan to what the software's stack supports. Callers then apply the rules of the target's own options.
/// @param software  the stack, with the name to use in messages
/// @throws InputError with the pointer of a degree of tensor, pipeline, context or expert parallelism that the software
/// does not support
TargetPlan target_plan(const Plan &plan, Stack software, ModelOptions options = ModelOptions::usual,
                       SiteScope sites = SiteScope::one);

/// Number of nodes of a plan's site, and number of accelerators per node: the same on every node, as launchers require.
struct SiteNodes {
    std::int64_t nodes = 1;
    std::int64_t per_node = 1;
};
SiteNodes nodes_of(const Plan &plan);

} // namespace meshwright
