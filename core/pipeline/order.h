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
    backward, ///< whole: input and weight gradients
    input_gradient,
    weight_gradient
};
inline constexpr std::size_t operation_kinds = 4;

/// A block is one operation of a rank that runs a forward and a backward pass at once; it stands in the list as its two
/// halves, one behind the other. What it makes is there when the block ends.
enum class BlockHalf : std::uint8_t { none, first_half, second_half };

/// One operation of a pipeline rank on one microbatch (or slice of one) and one virtual stage.
struct Operation {
    std::uint32_t unit = 0; ///< microbatch x slices + slice; microbatches are counted for each direction
    std::uint16_t stage = 0; ///< virtual stage in model order
    OperationKind kind = OperationKind::forward;
    std::uint8_t direction : 4 = 0; ///< 0, or 1 for microbatches that enter at the other end (DualPipe, Chimera)
    BlockHalf block : 4 = BlockHalf::none;
    bool operator==(const Operation &) const = default;
};

static_assert(sizeof(Operation) == 8, "a million operations are eight megabytes");

/// What an order is made for. Times are those of one operation on one chunk; only orders that are searched for (the
/// automatic zero-bubble ones) and the memory limit look at them.
struct OrderRequest {
    Schedule schedule = Schedule::one_f_one_b;
    std::int64_t ranks = 1; ///< pipeline-parallel ranks
    std::int64_t microbatches = 1; ///< of both directions together
    std::int64_t chunks = 1; ///< chunks a rank; slices for seq1f1b
    std::int64_t group = 0; ///< interleaving group in microbatches; 0: as many as ranks
    double memory_limit = 0; ///< in activations of one chunk; 0: the schedule's own
    double kept_for_weights = 0.5; ///< of an activation, what stays from I until W
    double forward = 1;
    double input_gradient = 1;
    double weight_gradient = 1;
    double hop = 0;
};

/// What every rank does, in order.
struct OperationOrder {
    Schedule schedule = Schedule::one_f_one_b;
    std::int64_t ranks = 0;
    std::int64_t stages = 0; ///< virtual stages in model order
    std::int64_t microbatches = 0; ///< of one direction
    std::int64_t slices = 1;
    std::int64_t directions = 1;
    std::vector<std::uint16_t> rank_of; ///< [direction x stages + stage]
    std::vector<std::uint32_t> rank_begin; ///< ranks + 1 indices into `operations`
    std::vector<Operation> operations; ///< rank after rank

    std::span<const Operation> of_rank(std::int64_t rank) const {
        const auto r = static_cast<std::size_t>(rank);
        return std::span(operations).subspan(rank_begin[r], rank_begin[r + 1] - rank_begin[r]);
    }
    std::int64_t units() const { return microbatches * slices; }
    std::int64_t microbatch_of(const Operation &operation) const { return operation.unit / slices; }
    std::int64_t slice_of(const Operation &operation) const { return operation.unit % slices; }
    /// Which of its rank's chunks an operation works on, counted in model order.
    std::int64_t chunk_of(const Operation &operation) const;
};

/// Most operations that an order may have.
inline constexpr std::int64_t max_operations = 8'000'000;

/// The order of a schedule, in time linear in its operations.
/// @throws InputError with an empty pointer where the schedule does not run with these numbers
OperationOrder operation_order(const OrderRequest &request);

/// Refuses what a schedule cannot run with. @throws InputError with an empty pointer
void require(bool condition, const OrderRequest &request, const std::string &expected);

/// Why an order cannot run, in words; empty where it can: each operation once, none before what it needs on its own
/// rank, and no ranks that wait for each other for ever.
std::string order_fault(const OperationOrder &order);

} // namespace meshwright
