// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/order.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace meshwright {

struct OperationSeconds {
    double compute = 0;
    double recompute = 0;
    /// Exposed tensor-parallel communication; likewise `context` and `expert`.
    double tensor = 0;
    double context = 0;
    double expert = 0;
    double total() const { return compute + recompute + tensor + context + expert; }
};

/// Costs of one virtual stage per microbatch, or per slice if there are slices.
struct StageWork {
    OperationSeconds forward;
    OperationSeconds input_gradient;
    OperationSeconds weight_gradient;
    double activation_bytes = 0; ///< activations saved from the forward pass until the backward pass
    /// Part of activation_bytes that stays saved from the input gradient until the weight gradient.
    double weight_gradient_bytes = 0;
    /// Additional memory while an operation runs, indexed by the operation's kind. Negative if a backward pass frees
    /// activations during its run.
    std::array<double, operation_kinds> running_bytes{};
};

/// Communication of weights and gradients between a rank and its data-parallel peers. The exposed part is placed after
/// the rank's last operation, just as the step's data term is placed after the pipeline.
struct RankCollectives {
    double gather_seconds = 0; ///< time to gather weights, once per step; overlaps with the first forward passes
    double gather_exposed_seconds = 0;
    double reduce_seconds = 0; ///< time to reduce gradients, once per step; overlaps with the last backward passes
    double reduce_exposed_seconds = 0;
    double forward_seconds = 0; ///< communication time per microbatch in its forward pass, over all chunks
    double backward_seconds = 0; ///< communication time per microbatch (or per reduction) in its backward pass
    std::int64_t microbatches_a_reduction = 1;
    double passes_exposed_seconds = 0; ///< exposed part of forward_seconds and backward_seconds, over all microbatches
    double exposed_seconds() const { return gather_exposed_seconds + reduce_exposed_seconds + passes_exposed_seconds; }
};

enum class Sending : std::uint8_t {
    asynchronous, ///< a rank continues while it sends
    blocking ///< a rank waits until its message has arrived
};

struct PipelineWork {
    std::vector<StageWork> stages;
    double hop_latency_seconds = 0; ///< latency of one send between ranks
    double hop_transfer_seconds = 0; ///< bytes / bandwidth; each send occupies the rank's send queue for this time
    Sending sending = Sending::asynchronous;
    /// Duration of a block that overlaps a forward with a backward pass. If negative, the duration is the sum of both
    /// passes minus their overlap.
    double block_seconds = -1;
    double hidden_expert_share = 0; ///< overlapped fraction of a block's expert communication
    std::vector<RankCollectives> collectives; ///< data-parallel collectives of each rank; may be empty
    /// Memory that each rank occupies throughout: weights, gradients, optimizer states and runtime. May be empty.
    std::vector<double> resident_bytes;
};

/// Work for a pipeline of identical stages.
PipelineWork uniform_work(const OperationOrder &order, double forward, double input_gradient, double weight_gradient,
                          double hop = 0);

enum class Stream : std::uint8_t { compute, p2p, tensor, data, expert };
const std::vector<std::string> &stream_names();

enum class IdleCause : std::uint8_t {
    warm_up, ///< idle time of a rank before its first backward pass
    drain, ///< idle time of a rank after its last forward pass
    send, ///< waiting for a message in transfer
    imbalance ///< waiting for another rank's operation between warm-up and drain
};
const std::vector<std::string> &idle_cause_names();

inline constexpr std::uint32_t no_operation = std::numeric_limits<std::uint32_t>::max();

/// Times of all events, in seconds from the start of the pipeline. Arrays have the same indices as
/// `OperationOrder::operations`. The halves of a block have the same times.
struct Timeline {
    std::vector<double> start;
    std::vector<double> end;
    /// Time at which each operation starts to send its output to another rank; NaN if there is no send.
    std::vector<double> send_start;
    std::vector<double> arrival; ///< time at which this output arrives; NaN if there is no send
    /// Operation that needs this operation's output; no_operation if there is none.
    std::vector<std::uint32_t> receiver;
    std::vector<std::uint32_t> producer; ///< operation whose output this operation needs; no_operation if there is none
    /// Cause of the rank's idle time before the operation. Once the operation's input has been sent, the cause is the
    /// send.
    std::vector<IdleCause> waiting;
    /// Activations in memory on the rank while the operation runs, including temporary ones.
    std::vector<double> activation_bytes;
    std::vector<double> weight_gradient_bytes; ///< part of activation_bytes that only weight gradients still need
    /// Number of chunks in flight while the operation runs. A chunk is in flight from its forward pass until its weight
    /// gradient, or until its backward pass if the two gradients are not separate.
    std::vector<std::int32_t> in_flight;

    std::vector<double> rank_start;
    std::vector<double> rank_end;
    std::vector<double> data_end; ///< time at which each rank has finished communicating weights and gradients
    std::vector<double> busy_seconds;
    std::vector<double> peak_bytes; ///< per rank: peak of resident memory plus activations
    std::vector<std::uint32_t> peak_operation;
    std::vector<std::int32_t> peak_in_flight; ///< peak number of chunks in flight on each rank
    std::vector<std::uint32_t> critical_path; ///< operations that determine the makespan, from first to last

    bool waits_for_sends = false;
    double makespan = 0; ///< end of the last operation of any rank
    double step_seconds = 0; ///< makespan plus exposed communication of weights and gradients
    double span = 0; ///< longest time of one rank from its first operation to its last
    double ideal = 0; ///< longest busy time of a rank
    double bubble_of_ideal() const { return ideal > 0 ? idle_of(makespan) / ideal : 0; }
    double bubble_of_total() const { return makespan > 0 ? idle_of(makespan) / makespan : 0; }
    double bubble_of_span() const { return span > 0 ? idle_of(span) / span : 0; }

private:
    /// Idle time within `time`. Differences below the rounding error of a long sum count as 0.
    double idle_of(double time) const { return time - ideal > 1e-12 * time ? time - ideal : 0; }
};

struct IdleInterval {
    double start = 0;
    double end = 0;
    IdleCause cause = IdleCause::warm_up;
    std::uint32_t before =
        no_operation; ///< operation that ends the interval; no_operation after the rank's last operation
};

/// An interval during which another stream of a rank is busy.
struct StreamInterval {
    double start = 0;
    double end = 0;
    std::uint32_t operation = no_operation;
    bool gathers = false; ///< on the data stream: true if the operation gathers weights, false if it reduces gradients
};

/// Temporary memory of an operation. For a block, it is the maximum of both halves.
double working_bytes(const OperationOrder &order, const PipelineWork &work, std::uint32_t operation);

std::vector<IdleInterval> idle_intervals(const OperationOrder &order, const Timeline &timeline, std::int64_t rank);

/// Busy intervals of a rank's stream, ordered by start. For `compute`, these are its operations.
std::vector<StreamInterval> stream_intervals(const OperationOrder &order, const PipelineWork &work,
                                             const Timeline &timeline, std::int64_t rank, Stream stream);

} // namespace meshwright
