// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/order.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace meshwright {

/// What one operation takes, in seconds; the parts run one after another.
struct OperationSeconds {
    double compute = 0;
    double recompute = 0;
    double tensor = 0; ///< traffic that compute does not hide, as the next two
    double context = 0;
    double expert = 0;
    double total() const { return compute + recompute + tensor + context + expert; }
};

/// What one virtual stage costs a microbatch (a slice, where there are slices).
struct StageWork {
    OperationSeconds forward;
    OperationSeconds input_gradient;
    OperationSeconds weight_gradient;
    double activation_bytes = 0; ///< kept from F until the backward pass
    double weight_gradient_bytes = 0; ///< of it, what stays from I until W
    /// Held beside, only while an operation runs: indexed by its kind. Less than nothing where a backward pass frees
    /// activations as it goes.
    std::array<double, operation_kinds> running_bytes{};
};

/// Weights and gradients between a rank and those that share its stages with it. What compute does not hide stands
/// behind the rank's last operation, as the step's data term does behind the pipeline.
struct RankCollectives {
    double gather_seconds = 0; ///< of weights, once a step: beside the first forward passes
    double gather_exposed_seconds = 0; ///< of that
    double reduce_seconds = 0; ///< of gradients, once a step: beside the last backward passes
    double reduce_exposed_seconds = 0; ///< of that
    double forward_seconds = 0; ///< beside each microbatch's forward pass, through all chunks
    double backward_seconds = 0; ///< beside its backward pass, or that of the last of so many in a row
    std::int64_t microbatches_a_reduction = 1; ///< these
    double passes_exposed_seconds = 0; ///< of these, of all microbatches
    double exposed_seconds() const { return gather_exposed_seconds + reduce_exposed_seconds + passes_exposed_seconds; }
};

enum class Sending : std::uint8_t {
    asynchronous, ///< a rank goes on while it sends
    blocking ///< a rank waits until what it sends has arrived
};

/// All that an order is timed with.
struct PipelineWork {
    std::vector<StageWork> stages; ///< in model order
    double hop_latency_seconds = 0; ///< of one send between ranks
    double hop_transfer_seconds = 0; ///< bytes over bandwidth: a rank's sends stand in line for so long
    Sending sending = Sending::asynchronous;
    double block_seconds = -1; ///< of a block of F and B; negative: their sum less what is hidden
    double hidden_expert_share = 0; ///< of a block's expert traffic
    std::vector<RankCollectives> collectives; ///< of each rank; empty: none
    std::vector<double> resident_bytes; ///< of each rank: weights, gradients, optimizer, runtime; empty: none
};

/// Equal stages.
PipelineWork uniform_work(const OperationOrder &order, double forward, double input_gradient, double weight_gradient,
                          double hop = 0);

enum class Stream : std::uint8_t { compute, p2p, tensor, data, expert };
const std::vector<std::string> &stream_names();

/// Why a rank does nothing.
enum class IdleCause : std::uint8_t {
    warm_up, ///< before its first backward pass
    drain, ///< after its last forward pass
    send, ///< for a message that is on its way
    imbalance ///< for another rank's operation in between
};
const std::vector<std::string> &idle_cause_names();

inline constexpr std::uint32_t no_operation = std::numeric_limits<std::uint32_t>::max();

/// When everything happens, in seconds from the start of the pipeline. Arrays are indexed as
/// `OperationOrder::operations`. The halves of a block have the same times.
struct Timeline {
    std::vector<double> start;
    std::vector<double> end;
    std::vector<double> send_start; ///< of what the operation makes for another rank; NaN: it sends nothing
    std::vector<double> arrival; ///< of that; NaN
    std::vector<std::uint32_t> receiver; ///< operation that needs what this one makes; no_operation
    std::vector<std::uint32_t> producer; ///< operation whose result this one needs; no_operation
    std::vector<IdleCause> waiting; ///< why the rank was idle before, up to where its message was sent
    std::vector<double> activation_bytes; ///< held by the rank while the operation runs, what only it needs included
    std::vector<double> weight_gradient_bytes; ///< of them, what only weight gradients still need
    std::vector<std::int32_t> in_flight; ///< chunks between F and W (B) while it runs

    std::vector<double> rank_start; ///< first operation
    std::vector<double> rank_end; ///< last operation
    std::vector<double> data_end; ///< when weights and gradients are where they belong
    std::vector<double> busy_seconds; ///< of compute, a rank
    std::vector<double> peak_bytes; ///< resident and activations, a rank
    std::vector<std::uint32_t> peak_operation;
    std::vector<std::int32_t> peak_in_flight; ///< a rank
    std::vector<std::uint32_t> critical_path; ///< operations that the makespan hangs on, first to last

    bool waits_for_sends = false; ///< whether a rank waits until what it sends has arrived
    double makespan = 0; ///< end of the last operation of any rank
    double step_seconds = 0; ///< the same with what is seen of weights' and gradients' traffic
    double span = 0; ///< longest time of one rank from its first operation to its last
    double ideal = 0; ///< longest busy time of a rank
    double bubble_of_ideal() const { return ideal > 0 ? idle_of(makespan) / ideal : 0; }
    double bubble_of_total() const { return makespan > 0 ? idle_of(makespan) / makespan : 0; }
    double bubble_of_span() const { return span > 0 ? idle_of(span) / span : 0; }

private:
    /// What is left of a time beside the busy one; not what rounding leaves of a sum of many operations.
    double idle_of(double time) const { return time - ideal > 1e-12 * time ? time - ideal : 0; }
};

/// A time in which a rank's compute stream does nothing.
struct IdleInterval {
    double start = 0;
    double end = 0;
    IdleCause cause = IdleCause::warm_up;
    std::uint32_t before = no_operation; ///< the operation that it ends with; no_operation after the last one
};

/// A busy time of another stream of a rank.
struct StreamInterval {
    double start = 0;
    double end = 0;
    std::uint32_t operation = no_operation; ///< that it belongs to
    bool gathers = false; ///< weights, on the data stream; else it reduces gradients there
};

/// What only an operation needs in memory; of a block, the half that needs more.
double working_bytes(const OperationOrder &order, const PipelineWork &work, std::uint32_t operation);

/// A rank's idle times from 0 to the makespan, in order.
std::vector<IdleInterval> idle_intervals(const OperationOrder &order, const Timeline &timeline, std::int64_t rank);

/// Busy times of a rank's stream, in order of their start; of `compute`, its operations.
std::vector<StreamInterval> stream_intervals(const OperationOrder &order, const PipelineWork &work,
                                             const Timeline &timeline, std::int64_t rank, Stream stream);

} // namespace meshwright
