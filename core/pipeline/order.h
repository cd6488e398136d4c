// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace meshwright {

enum class OperationKind : std::uint8_t {
    forward,
    backward, ///< input and weight gradients together
    input_gradient,
    weight_gradient
};
inline constexpr std::size_t operation_kinds = 4;

/// A block is a forward and a backward pass that a rank runs simultaneously. The list of operations contains its halves
/// as consecutive entries, whose outputs are available when the block ends.
enum class BlockHalf : std::uint8_t { none, first_half, second_half };

/// One operation of a pipeline rank on one microbatch (or slice) and one virtual stage.
struct Operation {
    std::uint32_t unit = 0; ///< microbatch x slices + slice; microbatches are counted per direction
    std::uint16_t stage = 0; ///< index of the virtual stage, counted in model order
    OperationKind kind = OperationKind::forward;
    std::uint8_t direction : 4 = 0; ///< 0, or 1 for microbatches that enter at the other end (DualPipe, Chimera)
    BlockHalf block : 4 = BlockHalf::none;
    bool operator==(const Operation &) const = default;
};

static_assert(sizeof(Operation) == 8, "a million operations take eight megabytes");

/// A request to generate an order of operations. Times are per operation on one chunk. Only searched orders, such as
/// the automatic zero-bubble schedules, use the times and the memory limit.
struct OrderRequest {
    Schedule schedule = Schedule::one_f_one_b;
    std::int64_t ranks = 1;
    std::int64_t microbatches = 1; ///< total number of microbatches in both directions
    std::int64_t chunks = 1; ///< number of virtual stages per rank; for seq1f1b, number of sequence slices
    std::int64_t group = 0; ///< microbatches per interleaving group; 0 for the number of ranks
    double memory_limit = 0; ///< maximum memory, in units of one chunk's activations; 0 for the schedule's default
    double saved_for_weights =
        0.5; ///< fraction of an activation that stays saved from the input gradient until the weight gradient
    double forward = 1;
    double input_gradient = 1;
    double weight_gradient = 1;
    double hop = 0;
};

/// The operations of every rank, in order.
struct OperationOrder {
    Schedule schedule = Schedule::one_f_one_b;
    std::int64_t ranks = 0;
    std::int64_t stages = 0; ///< number of virtual stages
    std::int64_t microbatches = 0; ///< number of microbatches in each direction
    std::int64_t slices = 1;
    std::int64_t directions = 1;
    std::vector<std::uint16_t> rank_of; ///< rank of each stage, [direction x stages + stage]
    std::vector<std::uint32_t> rank_begin; ///< index of each rank's first operation; ranks + 1 entries
    std::vector<Operation> operations; ///< operations of all ranks, rank by rank

    std::span<const Operation> of_rank(std::int64_t rank) const {
        const auto r = static_cast<std::size_t>(rank);
        return std::span(operations).subspan(rank_begin[r], rank_begin[r + 1] - rank_begin[r]);
    }
    std::int64_t units() const { return microbatches * slices; }
    std::int64_t microbatch_of(const Operation &operation) const { return operation.unit / slices; }
    std::int64_t slice_of(const Operation &operation) const { return operation.unit % slices; }
    /// Index of an operation's chunk among the rank's chunks in model order.
    std::int64_t chunk_of(const Operation &operation) const;
};

inline constexpr std::int64_t max_operations = 8'000'000;

/// Generates the order of a schedule in linear time.
/// @throws InputError with an empty pointer if the schedule cannot run with this request
OperationOrder operation_order(const OrderRequest &request);

/// Rejects a request that a schedule cannot run. @throws InputError with an empty pointer if the condition is false
void require(bool condition, const OrderRequest &request, const std::string &expected);

/// Explains why an order cannot run; empty if it can. In a valid order, each operation occurs once, after every
/// operation that it needs on its own rank, and ranks do not deadlock.
std::string order_fault(const OperationOrder &order);

} // namespace meshwright
