// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"
#include "catalog/model.h"
#include "catalog/precision.h"
#include "catalog/stack.h"
#include "plan/published_run.h"
#include "plan/schedules.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// Dimensions of parallelism that can be placed on the network's tiers.
enum class Dimension { tensor, context, expert, pipeline, data };
const std::vector<std::string> &dimension_names();

/// Inside one site: tensor x context x pipeline x data = the site's accelerators.
struct Parallelism {
    std::int64_t tensor = 1;
    std::int64_t context = 1;
    std::int64_t pipeline = 1; ///< stages
    std::int64_t chunks = 1; ///< virtual stages a rank
    std::int64_t expert = 1;
    std::int64_t expert_tensor = 1;
    std::int64_t data = 1;
    bool sequence_parallel = false;
    std::int64_t zero_stage = 0; ///< 0 to 3 (ZeRO, arXiv 1910.02054)
    Schedule schedule = Schedule::one_f_one_b;
    std::optional<std::int64_t> group; ///< interleaving group in microbatches; unset: pipeline
    std::optional<std::int64_t> shard_group; ///< HSDP: ranks that shard; unset: all data-parallel ranks
    std::vector<std::int64_t> layout; ///< layers of each virtual stage, in model order; empty: even
    std::string layout_text; ///< Megatron's layout string where the plan gave one
    std::vector<Dimension> placement{Dimension::tensor, Dimension::context, Dimension::expert, Dimension::pipeline,
                                     Dimension::data}; ///< innermost first
    bool operator==(const Parallelism &) const = default;
};

struct Batch {
    std::int64_t sequence_length = 4096;
    std::int64_t global_sequences = 1; ///< of one optimizer step of one site
    std::int64_t micro_sequences = 1;
    bool operator==(const Batch &) const = default;
};

struct Precision {
    DataType compute = DataType::bf16;
    DataType weights = DataType::bf16;
    DataType gradients = DataType::fp32;
    DataType master = DataType::fp32; ///< none: the optimizer works on the weights themselves
    DataType moments = DataType::fp32;
    bool operator==(const Precision &) const = default;
};

enum class RecomputeMode { none, selective, full, layers, modules };
const std::vector<std::string> &recompute_mode_names();
/// Modules that can be recomputed one by one (Megatron-Core's names).
const std::vector<std::string> &recompute_module_names();

struct Recompute {
    RecomputeMode mode = RecomputeMode::none;
    std::int64_t layers = 0; ///< mode layers: the first so many layers of each virtual stage are recomputed in full
    std::vector<std::string> modules; ///< mode modules
    bool operator==(const Recompute &) const = default;
};

enum class OptimizerKind { adamw, adam_8bit, muon, adafactor, sgd };
const std::vector<std::string> &optimizer_names();

struct Optimizer {
    OptimizerKind kind = OptimizerKind::adamw;
    double momentum = 0.9; ///< SGD only: 0 keeps no momentum buffer
    bool operator==(const Optimizer &) const = default;
};

/// Shares of what is kept in host memory.
struct Offload {
    double optimizer = 0; ///< of master copy and moments
    double activations = 0; ///< of stored activations
    bool outer = true; ///< outer parameters, momentum and error feedback, where the host has memory
    bool operator==(const Offload &) const = default;
};

enum class OuterMethod { none, data_parallel, diloco, streaming_diloco };
const std::vector<std::string> &outer_method_names();
enum class IndexEncoding { none, bitmap, entropy, fixed_width, raw };
const std::vector<std::string> &index_encoding_names();

/// What one direction carries for each parameter: density x (bits + block scale) + index.
struct Wire {
    double bits = 32;
    double density = 1;
    IndexEncoding index = IndexEncoding::none;
    double scale_bits = 0; ///< block scales, bits a value
    bool operator==(const Wire &) const = default;
};

/// How weights are dealt into fragments. `even`: equal parts. Else whole layers, the embedding with the first and the
/// head with the last: neighbours together, or every P-th layer (Streaming DiLoCo, arXiv 2501.18512, section 2.2).
enum class FragmentPattern { even, sequential, strided };
const std::vector<std::string> &fragment_pattern_names();
/// A site waits for an update that is late, or goes on and takes it when it comes.
enum class LateUpdates { wait, go_on };
const std::vector<std::string> &late_update_names();
/// When a fragment can be sent: after its step, or bucket by bucket during that step's backward pass.
enum class Release { step, backward };
const std::vector<std::string> &release_names();

struct Outer {
    OuterMethod method = OuterMethod::none;
    std::int64_t inner_steps = 1;
    std::int64_t fragments = 1;
    std::int64_t overlap_steps = 0;
    Wire up;
    Wire down;
    bool error_feedback = false;
    std::int64_t quorum = 1;
    std::optional<double> step_seconds; ///< replaces the evaluated inner step
    FragmentPattern pattern = FragmentPattern::even;
    LateUpdates late_updates = LateUpdates::wait;
    Release release = Release::step;
    bool steps_by_speed = false; ///< slower sites take fewer inner steps a round (DyLU, arXiv 2401.09135)
    bool operator==(const Outer &) const = default;
};

enum class Topology { star, ring, butterfly, all_gather, tree, gossip };
const std::vector<std::string> &topology_names();
/// Several aggregators: each takes a part of every fragment, or each gets everything.
enum class Arrangement { sharded, replicated };
const std::vector<std::string> &arrangement_names();
/// What an update that comes after its round was closed still weighs.
enum class LateWeight { geometric, inverse };
const std::vector<std::string> &late_weight_names();

/// What the outer loop knows of its aggregators, beyond the ideal. Unset rates are unlimited.
struct Aggregation {
    Topology topology = Topology::star;
    std::int64_t aggregators = 1;
    Arrangement arrangement = Arrangement::sharded;
    std::optional<double> ingress_bits_per_second; ///< of one aggregator
    std::optional<double> egress_bits_per_second;
    std::optional<double> quantise_parameters_per_second; ///< a site's
    std::optional<double> average_parameters_per_second; ///< the aggregator's, of one site's update
    double grace_share = 0; ///< of the time to spare, waited for more than the quorum
    double grace_limit_seconds = 1e9;
    std::optional<double> quorum_wait_seconds; ///< after the first arrival; unset: for as long as it takes
    std::int64_t least_quorum = 1; ///< what suffices then
    std::int64_t latest_rounds = 1; ///< later updates are dropped
    LateWeight late_weight = LateWeight::geometric;
    double late_decay = 0.5; ///< weight after each round, where it is geometric
    std::optional<double> egress_dollars_per_gigabyte; ///< unset: tiers of a list price
    bool operator==(const Aggregation &) const = default;
};

/// Length and price of the whole run.
struct Run {
    double tokens = 0; ///< of all sites
    double rental_dollars_per_accelerator_hour = 0;
    double energy_dollars_per_kilowatt_hour = 0;
    double power_usage_effectiveness = 1;
    double power_share = 1; ///< mean draw over the accelerator's rated power
    bool operator==(const Run &) const = default;
};

/// Failures and checkpoints.
struct Faults {
    double accelerator_mtbf_seconds = 0;
    double recovery_seconds = 0; ///< detection, restart, reload
    double checkpoint_bandwidth_bytes_per_second = 0; ///< per accelerator, to storage
    std::optional<double> checkpoint_store_bytes_per_second; ///< of all writers of a site; unset: no limit of its own
    std::optional<double> checkpoint_interval_seconds; ///< unset: Young's optimum, no shorter than one write
    double checkpoint_blocking_share = 1; ///< share of the write that stops training
    std::optional<double> site_mtbf_seconds; ///< between a site's departures; unset: it stays
    double site_recovery_seconds = 3600; ///< mean absence
    double site_recovery_shape = 1; ///< of the Weibull distribution of absences; 1: exponential
    double rejoin_bytes_per_parameter = 2; ///< what a site downloads before it takes part again
    bool in_flight_lost = true; ///< an update that a departure interrupts is lost, not sent again
    double site_speed_variation = 0; ///< standard deviation of sites' step times over their mean; log-normal
    double step_variation = 0; ///< the same from step to step
    bool operator==(const Faults &) const = default;
};

/// The one input of the planner. Everything in it is a value; nothing refers to a library any more.
struct Plan {
    std::string name;
    std::string cluster_id; ///< the preset it was taken from; empty: given inline
    Cluster cluster;
    std::string model_id;
    Model model;
    std::string stack_id;
    Stack stack;
    Parallelism parallelism;
    Batch batch;
    Precision precision;
    Recompute recompute;
    Optimizer optimizer;
    Offload offload;
    Outer outer;
    Aggregation aggregation;
    Run run;
    Faults faults;
    /// Constants of the registry that are set otherwise: by measured runs of the machine, then by the plan itself.
    std::map<std::string, double> assumptions;
    PublishedRun published; ///< what its makers report; no figure rests on it
    std::string kept; ///< `constraints` as given, serialised: kept for what reads them

    std::int64_t site_accelerators() const { return cluster.site_accelerators(); }
    /// Microbatches of one step on one data-parallel rank; whole in a valid plan.
    std::int64_t microbatches() const {
        const std::int64_t at_once = parallelism.data * batch.micro_sequences;
        return at_once > 0 ? batch.global_sequences / at_once : 0;
    }
    bool cuts_sequences() const { return definition_of(parallelism.schedule).cuts_sequences; }
    /// Chunks of layers a rank; slices divide the sequence instead.
    std::int64_t layer_chunks() const { return cuts_sequences() ? 1 : parallelism.chunks; }
    /// Parts that a sequence comes in.
    double slices() const { return cuts_sequences() ? static_cast<double>(parallelism.chunks) : 1; }
    std::int64_t virtual_stages() const { return parallelism.pipeline * layer_chunks(); }
    /// Those of `assumptions` that the plan itself sets; the machine's are facts of its cluster.
    std::map<std::string, double> own_assumptions() const;
    bool operator==(const Plan &) const = default;
};

/// Layers of each virtual stage: the plan's layout, or an even spread with the longer stages first.
std::vector<std::int64_t> stage_layers(const Plan &plan);

} // namespace meshwright
