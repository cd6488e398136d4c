// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/own_runs.h"
#include "evidence/csv_table.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

enum class Ending { ok, out_of_memory, failed };

/// One row of a table of measured runs, with the source's own values. Unknown values are unset or empty.
struct MeasuredRun {
    std::string id;
    std::string source;
    std::string model_name;
    std::string framework;
    std::string quality;
    int year = 0; ///< year of the run; 0 if unknown

    std::optional<double> layers;
    std::optional<double> hidden;
    std::optional<double> heads;
    std::optional<double> kv_heads;
    std::optional<double> head_dim;
    std::optional<double> ffn_hidden;
    std::optional<double> gated; ///< gated feed-forward network: 1 for yes, 0 for no
    std::optional<double> vocabulary;
    std::optional<double> tied_embeddings; ///< tied input and output embeddings: 1 for yes, 0 for no
    std::optional<double> experts;
    std::optional<double> experts_per_token;
    std::optional<double> expert_hidden;
    std::optional<double> shared_experts;
    std::optional<double> dense_layers;
    std::optional<double> parameters;
    std::string attention;

    std::string accelerator;
    std::string interconnect;
    std::optional<double> accelerators;
    std::optional<double> accelerators_per_node;

    std::optional<double> tensor;
    std::optional<double> pipeline;
    std::optional<double> chunks;
    std::optional<double> context;
    std::optional<double> expert;
    std::optional<double> expert_tensor;
    std::optional<double> data;
    std::optional<double> zero_stage;
    std::optional<double> shard_group;
    std::optional<double> sequence_parallel; ///< sequence parallelism: 1 for yes, 0 for no
    std::string schedule;

    std::optional<double> micro_batch;
    std::optional<double> global_batch; ///< batch size in sequences
    std::optional<double> sequence_length;
    std::string precision;
    std::string optimizer;
    std::string recompute;
    std::string recompute_detail;
    std::string offload;
    std::string overlap;
    std::string notes; ///< free-form notes; only the software variant is read from them

    std::optional<double> step_seconds;
    std::optional<double> tokens_per_second_per_accelerator;
    std::optional<double> peak_memory_bytes;
    MeasuredMemory memory_kind = MeasuredMemory::unknown;
    Ending ending = Ending::ok;
    std::string outcome; ///< outcome of the run, in the words of the source

    /// Measured seconds per step, calculated from a rate if the source gives only that.
    std::optional<double> measured_seconds() const;
};

bool is_measured_run_column(std::string_view name);

/// Reads the rows of a table of measured runs. Unknown columns are ignored, invalid numbers count as unknown, and texts
/// are truncated to 4 KiB. A row whose id starts with "#" is a comment.
/// @throws InputError if the table has no column `id`
std::vector<MeasuredRun> measured_runs(const CsvTable &table);

} // namespace meshwright
