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

/// Parallel degrees within one site: tensor x context x pipeline x data = accelerators per site.
struct Parallelism {
    std::int64_t tensor = 1;
    std::int64_t context = 1;
    std::int64_t pipeline = 1;
    std::int64_t chunks = 1;
    std::int64_t expert = 1;
    std::int64_t expert_tensor = 1;
    std::int64_t data = 1;
    bool sequence_parallel = false;
    std::int64_t zero_stage = 0; ///< ZeRO stage, 0 to 3 (arXiv 1910.02054)
    Schedule schedule = Schedule::one_f_one_b;
    std::optional<std::int64_t> group; ///< microbatches per interleaving group; unset: chosen from the pipeline degree
    std::optional<std::int64_t> shard_group; ///< HSDP: ranks per sharding group; unset: all data-parallel ranks
    std::vector<std::int64_t> layout; ///< number of layers of each virtual stage, in model order; empty: even split
    std::string layout_text; ///< Megatron's pipeline layout string, if the plan has one
    std::vector<Dimension> placement{Dimension::tensor, Dimension::context, Dimension::expert, Dimension::pipeline,
                                     Dimension::data}; ///< rank order of the dimensions, innermost first
    bool operator==(const Parallelism &) const = default;
};

struct Batch {
    std::int64_t sequence_length = 4096;
    std::int64_t global_sequences = 1; ///< sequences per optimizer step and site
    std::int64_t micro_sequences = 1;
    bool operator==(const Batch &) const = default;
};

struct Precision {
    DataType compute = DataType::bf16;
    DataType weights = DataType::bf16;
    DataType gradients = DataType::fp32;
    DataType master = DataType::fp32; ///< `none` if the optimizer updates the weights directly
    DataType moments = DataType::fp32;
    bool operator==(const Precision &) const = default;
};

enum class RecomputeMode { none, selective, full, layers, modules };
const std::vector<std::string> &recompute_mode_names();
/// Modules that can be recomputed individually (Megatron-Core's names).
const std::vector<std::string> &recompute_module_names();

struct Recompute {
    RecomputeMode mode = RecomputeMode::none;
    std::int64_t layers = 0; ///< mode "layers": number of fully recomputed layers at the start of each virtual stage
    std::vector<std::string> modules; ///< mode "modules": names of the recomputed modules
    bool operator==(const Recompute &) const = default;
};

enum class OptimizerKind { adamw, adam_8bit, muon, adafactor, sgd };
const std::vector<std::string> &optimizer_names();

struct Optimizer {
    OptimizerKind kind = OptimizerKind::adamw;
    double momentum = 0.9; ///< momentum of SGD; 0 if there is no momentum buffer
    bool operator==(const Optimizer &) const = default;
};

/// Fractions that are offloaded to host memory.
struct Offload {
    double optimizer = 0; ///< fraction of master weights and moments
    double activations = 0; ///< fraction of the activations saved for backward
    /// Whether outer parameters, momentum and error feedback are offloaded, provided that the host has enough memory.
    bool outer = true;
    bool operator==(const Offload &) const = default;
};

enum class OuterMethod { none, data_parallel, diloco, streaming_diloco };
const std::vector<std::string> &outer_method_names();
enum class IndexEncoding { none, bitmap, entropy, fixed_width, raw };
const std::vector<std::string> &index_encoding_names();

/// Encoding of an update in one direction. Bits per parameter: density x (bits + block scale) + index.
struct Wire {
    double bits = 32;
    double density = 1;
    IndexEncoding index = IndexEncoding::none;
    double scale_bits = 0; ///< block scales, in bits per value
    bool operator==(const Wire &) const = default;
};

/// How weights are split into fragments. `even`: equal parts. `sequential`: adjacent whole layers. `strided`: with P
/// fragments, every P-th layer (Streaming DiLoCo, arXiv 2501.18512, section 2.2). With `sequential` and `strided`, the
/// first fragment has the embedding and the last one has the LM head.
enum class FragmentPattern { even, sequential, strided };
const std::vector<std::string> &fragment_pattern_names();
/// Whether a site waits for a late update, or continues and applies it on arrival.
enum class LateUpdates { wait, go_on };
const std::vector<std::string> &late_update_names();
/// When a fragment can be sent: after its inner step, or in buckets during that step's backward pass.
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
    std::optional<double> step_seconds; ///< replaces the predicted inner step time
    FragmentPattern pattern = FragmentPattern::even;
    LateUpdates late_updates = LateUpdates::wait;
    Release release = Release::step;
    bool steps_by_speed = false; ///< whether slower sites run fewer inner steps per round (DyLU, arXiv 2401.09135)
    bool operator==(const Outer &) const = default;
};

enum class Topology { star, ring, butterfly, all_gather, tree, gossip };
const std::vector<std::string> &topology_names();
/// Whether each of several aggregators receives one shard of every fragment, or the full update.
enum class Arrangement { sharded, replicated };
const std::vector<std::string> &arrangement_names();
/// How the weight of a late update decreases with each round of delay.
enum class LateWeight { geometric, inverse };
const std::vector<std::string> &late_weight_names();

/// Aggregators and their limits. The defaults are ideal; unset rates are unlimited.
struct Aggregation {
    Topology topology = Topology::star;
    std::int64_t aggregators = 1;
    Arrangement arrangement = Arrangement::sharded;
    std::optional<double> ingress_bits_per_second; ///< receive rate of one aggregator
    std::optional<double> egress_bits_per_second;
    std::optional<double> quantise_parameters_per_second; ///< quantization rate of a site
    std::optional<double> average_parameters_per_second; ///< averaging rate of an aggregator, for one site's update
    /// fraction of the remaining overlap time that an aggregator waits for updates beyond the quorum
    double grace_share = 0;
    double grace_limit_seconds = 1e9;
    std::optional<double> quorum_wait_seconds; ///< timeout after the first arrival; no timeout if unset
    std::int64_t least_quorum = 1; ///< minimum quorum that suffices after the timeout
    std::int64_t latest_rounds = 1; ///< maximum delay of an update in rounds; later updates are dropped
    LateWeight late_weight = LateWeight::geometric;
    double late_decay = 0.5; ///< factor per round of delay, for geometric weights
    std::optional<double> egress_dollars_per_gigabyte; ///< price of egress; tiered list prices if unset
    bool operator==(const Aggregation &) const = default;
};

/// Length and prices of the whole run.
struct Run {
    double tokens = 0; ///< training tokens of all sites together
    double rental_dollars_per_accelerator_hour = 0;
    double energy_dollars_per_kilowatt_hour = 0;
    double power_usage_effectiveness = 1;
    double power_share = 1; ///< mean power draw as a fraction of the accelerator's rated power
    bool operator==(const Run &) const = default;
};

/// Failures of accelerators and sites, and checkpoints.
struct Faults {
    double accelerator_mtbf_seconds = 0;
    double recovery_seconds = 0; ///< time to detect a failure, restart and reload the checkpoint
    double checkpoint_bandwidth_bytes_per_second = 0; ///< rate at which one accelerator writes checkpoints to storage
    std::optional<double> checkpoint_store_bytes_per_second; ///< total rate of all writers of a site; unset: unlimited
    std::optional<double> checkpoint_interval_seconds; ///< unset: Young's optimum, but at least the time of one write
    double checkpoint_blocking_share = 1; ///< fraction of the write time that blocks training
    std::optional<double> site_mtbf_seconds; ///< mean time between departures of a site; sites never leave if unset
    double site_recovery_seconds = 3600; ///< mean time until a site rejoins
    double site_recovery_shape = 1; ///< shape of the Weibull distribution of absences; 1: exponential
    double rejoin_bytes_per_parameter = 2; ///< bytes that a site downloads before it rejoins
    bool in_flight_lost = true; ///< whether an update interrupted by a departure is lost; otherwise it is sent again
    double site_speed_variation = 0; ///< coefficient of variation of step times between sites; log-normal
    double step_variation = 0; ///< coefficient of variation of step times from step to step
    bool operator==(const Faults &) const = default;
};

/// The planner's input. It contains copies of its presets and refers to no preset file.
struct Plan {
    std::string name;
    std::string cluster_id; ///< preset id; empty if the cluster is given inline
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
    /// Constants of the registry as overridden by measured runs of the machine, then by the plan itself.
    std::map<std::string, double> assumptions;
    PublishedRun published; ///< published figures of the run; no calculation uses them
    std::string constraints_json; ///< `constraints` as given, serialized; parsed by the search

    // Defined out of line: inline copies in every file cost a tenth of the compile time of the widgets.
    Plan();
    Plan(const Plan &plan);
    Plan(Plan &&plan) noexcept;
    Plan &operator=(const Plan &plan);
    Plan &operator=(Plan &&plan) noexcept;
    ~Plan();
    bool operator==(const Plan &plan) const;

    std::int64_t site_accelerators() const { return cluster.site_accelerators(); }
    /// Microbatches per step and data-parallel rank. The division is exact in a valid plan.
    std::int64_t microbatches() const {
        const std::int64_t at_once = parallelism.data * batch.micro_sequences;
        return at_once > 0 ? batch.global_sequences / at_once : 0;
    }
    bool cuts_sequences() const { return definition_of(parallelism.schedule).cuts_sequences; }
    /// Chunks of layers per rank; 1 if the schedule's chunks are slices of the sequence.
    std::int64_t layer_chunks() const { return cuts_sequences() ? 1 : parallelism.chunks; }
    double slices() const { return cuts_sequences() ? static_cast<double>(parallelism.chunks) : 1; }
    std::int64_t virtual_stages() const { return parallelism.pipeline * layer_chunks(); }
    /// The `assumptions` that the plan itself sets, without the constants measured on its cluster.
    std::map<std::string, double> own_assumptions() const;
};

/// Number of layers on each virtual stage: from the plan's pipeline layout, or an even split by the stack's rule.
std::vector<std::int64_t> stage_layers(const Plan &plan);

} // namespace meshwright
