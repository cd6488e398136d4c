// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/weights.h"
#include "evidence/similar_run.h"
#include "input/diagnostic.h"
#include "plan/plan.h"
#include "quantities/text.h"
#include "run/run_figures.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

enum class Bottleneck { compute, tensor, pipeline, data, expert, context, memory, wan };
const std::vector<std::string> &bottleneck_names();

struct Verdict {
    bool fits = false;
    double headroom_bytes = 0; ///< capacity minus the peak memory over all stages; negative if the plan does not fit
    Bottleneck bottleneck = Bottleneck::compute;
    Sentence summary; ///< one sentence with fit, step time, run time and bottleneck
};

/// FLOPs of one site.
struct Flops {
    /// Model FLOPs per token, forward and backward, including the LM head. Causal attention counts half.
    double per_token = 0;
    double per_step = 0;
    double hardware_per_step = 0; ///< FLOPs that the hardware executes per step, including recomputation
};

/// Bytes on one accelerator of a stage, at the operation with peak memory.
struct StageMemory {
    std::int64_t stage = 0;
    std::int64_t layers = 0;
    std::int64_t first_layer = 0; ///< index, in the model, of the first layer of the rank's first chunk
    double parameters = 0; ///< parameters per accelerator before ZeRO shards them
    double total_bytes = 0; ///< sum of weights, gradients, optimizer, activations, logits, buffers, outer and runtime
    double weights_bytes = 0;
    double gradients_bytes = 0;
    double optimizer_bytes = 0; ///< master weights and Adam states
    double master_bytes = 0;
    double moments_bytes = 0;
    double activations_bytes = 0;
    double logits_bytes = 0;
    double buffers_bytes = 0; ///< gathered weights, gradient buckets, communication buffers, recomputed activations
    double outer_bytes = 0; ///< state of the outer optimizer on the device
    double runtime_bytes = 0; ///< memory of CUDA context, library workspaces, communicators and allocator slack
    std::string peak_operation;
};

struct Memory {
    double capacity_bytes = 0;
    double peak_bytes = 0;
    std::int64_t peak_stage = 0;
    std::string peak_operation;
    bool executed = false; ///< peaks are simulated for each rank, not calculated from closed forms
    double host_bytes = 0; ///< bytes offloaded to host memory per accelerator
    /// Peak stage's memory as the driver reports it, once the allocator has filled its pool.
    double reserved_bytes = 0;
    double outside_bytes =
        0; ///< part of reserved_bytes that the allocator does not manage: CUDA context and communicators
    double low_bytes = 0; ///< lower end of the peak's 80% interval; 0 before add_evidence()
    double high_bytes = 0;
    double reserved_low_bytes = 0;
    double reserved_high_bytes = 0;
    std::vector<StageMemory> stages;
};

/// The terms of the step time, in the order of the result's JSON. They add up to the step time.
enum class StepTerm { compute, recompute, bubble, tensor, context, expert, pipeline, data, optimizer };
inline constexpr std::size_t step_term_count = 9;
const std::vector<std::string> &step_term_names();

struct Step {
    double seconds = 0;
    std::array<double, step_term_count> terms{}; ///< seconds per term, indexed by StepTerm
    double copies_seconds = 0; ///< part of compute: waits for activation transfers to and from host memory
    double mfu = 0;
    double hfu = 0;
    double mfu_6nd = 0;
    double mfu_full_attention = 0;
    double model_flops_per_second_per_accelerator = 0;
    double tokens_per_second = 0; ///< training throughput of one site
    double tokens_per_second_per_accelerator = 0;
    double low_seconds = 0; ///< lower end of the 80% interval; 0 before add_evidence()
    double high_seconds = 0;
    double term(StepTerm which) const { return terms[static_cast<std::size_t>(which)]; }
};

struct Pipeline {
    Schedule schedule = Schedule::one_f_one_b;
    double bubble_of_ideal = 0;
    double bubble_of_total = 0;
    double bubble_of_span = 0;
    /// Idle time of all ranks divided by ranks x makespan, in total and by cause. 0 at Depth::closed_forms.
    double idle_of_all_ranks = 0;
    double idle_warm_up_and_drain = 0;
    double idle_imbalance = 0;
    double idle_waiting_for_sends = 0;
    double makespan_seconds = 0; ///< makespan of the simulated pipeline, in which each stage has its own times
    /// Makespan by the schedule's closed form, with the average stage. Unset if the pipeline is not simulated (the
    /// closed form is exact, only closed forms were requested, or the schedule is too long).
    std::optional<double> closed_form_makespan_seconds;
    /// Maximum number of chunks in flight on each rank. A chunk is in flight from its forward pass until its weight
    /// gradient. For schedules without chunks, this counts microbatches.
    std::vector<std::int64_t> in_flight;
    double forward_seconds = 0; ///< time of one microbatch's forward pass on the slowest stage
    double backward_seconds = 0;
};

struct ClusterEstimate : BasicClusterCompute<double> {
    Sentence definition; ///< legal document and its date
};

struct OuterEstimate {
    double utilisation = 1;
    double inner_seconds = 0;
    double stall_seconds_per_round = 0;
    double round_seconds = 0;
    double up_bytes_per_round = 0;
    double down_bytes_per_round = 0;
    double uplink_load = 0;
    double downlink_load = 0;
    double staleness_steps = 0;
    double rounds = 0;
    double loss_penalty_low = 0;
    double loss_penalty_high = 0;
};

struct PublishedComparison {
    std::string figure; ///< key in the plan, such as "mfu"
    std::string title;
    Quantity quantity = Quantity::number;
    double value = 0;
    double predicted = 0;
    std::string path; ///< path of the predicted figure in the result, such as "step.mfu"
    std::optional<double>
        low; ///< lower end of the prediction's 80% interval; unset if unknown or before add_evidence()
    std::optional<double> high;
    std::string source;
    double difference() const { return predicted / value - 1; }
    std::optional<bool> inside() const {
        return low && high ? std::optional(*low <= value && value <= *high) : std::nullopt;
    }
};

/// The full result for a plan, as plain values. Views and exports read nothing else.
struct Result {
    Plan plan;
    Verdict verdict;
    Parameters parameters;
    Flops flops;
    Memory memory;
    Step step;
    Pipeline pipeline;
    RunEstimate run;
    ClusterEstimate cluster;
    std::optional<OuterEstimate> outer;
    std::vector<Diagnostic> diagnostics;
    std::vector<SimilarRun> evidence; ///< nearest measured run first; empty before add_evidence()
    std::vector<PublishedComparison> published;
};

/// Time of one inner step of the outer loop: the plan's value if set, otherwise the predicted step time.
inline double inner_step_seconds(const Result &result) {
    return result.plan.outer.step_seconds.value_or(result.step.seconds);
}

/// Factors of a run's duration: number of rounds (or steps) x duration of each / goodput.
struct RunFactors {
    double times = 0; ///< number of outer rounds; without an outer loop, of optimizer steps
    double seconds_each = 0; ///< duration of one round (or step), including stalls
    double goodput = 1;
    double training_seconds() const { return times * seconds_each; }
    double run_seconds() const { return training_seconds() / goodput; }
};
inline RunFactors run_factors(const Result &result) {
    return result.outer ? RunFactors{result.outer->rounds, result.outer->round_seconds, result.run.goodput}
                        : RunFactors{result.run.steps, result.step.seconds, result.run.goodput};
}

} // namespace meshwright
