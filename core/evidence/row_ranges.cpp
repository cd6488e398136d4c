// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/row_ranges.h"

#include "catalog/model_fields.h"

#include <fmt/format.h>

namespace meshwright {

namespace {

struct Range {
    const char *column;
    std::optional<double> MeasuredRun::*number;
    double low;
    double high;
};

constexpr double layers = max_layers;
constexpr double wide = 1e7; ///< exceeds any model dimension, number of heads or vocabulary size
constexpr double ranks = 1e7; ///< exceeds the size of any cluster
/// Exceeds the number of stages of any pipeline. It bounds the work, because each stage is costed separately.
constexpr double stages = 4096;

/// Valid ranges of a row's columns, by plan field.
constexpr Range ranges[] = {
    {"layers", &MeasuredRun::layers, 1, layers},
    {"hidden", &MeasuredRun::hidden, 1, wide},
    {"heads", &MeasuredRun::heads, 1, wide},
    {"kv_heads", &MeasuredRun::kv_heads, 1, wide},
    {"head_dim", &MeasuredRun::head_dim, 1, wide},
    {"ffn_hidden", &MeasuredRun::ffn_hidden, 1, wide},
    {"vocabulary", &MeasuredRun::vocabulary, 1, wide},
    {"experts", &MeasuredRun::experts, 0, wide},
    {"experts_per_token", &MeasuredRun::experts_per_token, 0, wide},
    {"expert_ffn_hidden", &MeasuredRun::expert_hidden, 0, wide},
    {"shared_experts", &MeasuredRun::shared_experts, 0, wide},
    {"dense_layers", &MeasuredRun::dense_layers, 0, layers},
    {"parameters", &MeasuredRun::parameters, 1, 1e18},
    {"accelerators", &MeasuredRun::accelerators, 1, ranks},
    {"accelerators_per_node", &MeasuredRun::accelerators_per_node, 1, ranks},
    {"tensor", &MeasuredRun::tensor, 1, ranks},
    {"pipeline", &MeasuredRun::pipeline, 1, stages},
    {"chunks", &MeasuredRun::chunks, 0, layers},
    {"context", &MeasuredRun::context, 1, ranks},
    {"expert", &MeasuredRun::expert, 0, ranks},
    {"expert_tensor", &MeasuredRun::expert_tensor, 0, ranks},
    {"data", &MeasuredRun::data, 1, ranks},
    {"zero_stage", &MeasuredRun::zero_stage, 0, 3},
    {"shard_group", &MeasuredRun::shard_group, 0, ranks},
    {"micro_batch", &MeasuredRun::micro_batch, 0, 1e9},
    {"global_batch", &MeasuredRun::global_batch, 0, 1e12},
    {"sequence_length", &MeasuredRun::sequence_length, 1, 1e9},
    {"step_seconds", &MeasuredRun::step_seconds, 0, 1e9},
    {"tokens_per_second_per_accelerator", &MeasuredRun::tokens_per_second_per_accelerator, 0, 1e12},
    {"peak_memory_bytes", &MeasuredRun::peak_memory_bytes, 0, 1e15}};

} // namespace

std::string number_out_of_range(const MeasuredRun &run) {
    for (const Range &range : ranges)
        if (const std::optional<double> &said = run.*range.number; said && !(*said >= range.low && *said <= range.high))
            return fmt::format("{} {:g}, expected {:g} to {:g}", range.column, *said, range.low, range.high);
    double degrees = 1;
    for (const std::optional<double> &degree : {run.tensor, run.pipeline, run.context, run.data})
        degrees *= degree.value_or(1);
    if (degrees > ranks)
        return fmt::format("the product of the parallel degrees is {:g} accelerators, expected at most {:g}", degrees,
                           ranks);
    return {};
}

} // namespace meshwright
