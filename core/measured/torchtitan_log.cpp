// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of torchtitan. Source: components/metrics.py, distributed/parallel_dims.py and trainer.py of v0.2.2 and of main
// at b5bcd76c66d0.
#include "measured/log_text.h"
#include "measured/training_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {

constexpr double gibibyte = 0x1p30;

using NamedColumn = std::pair<std::string_view, std::string_view>;

/// Names of mesh dimensions in the log, with the columns that they fill.
constexpr std::array mesh_columns{NamedColumn{"pp", "pipeline"},       NamedColumn{"dp_replicate", "dp_replicate"},
                                  NamedColumn{"dp_shard", "dp_shard"}, NamedColumn{"cp", "context"},
                                  NamedColumn{"tp", "tensor"},         NamedColumn{"ep", "expert"},
                                  NamedColumn{"etp", "expert_tensor"}};
constexpr std::array model_columns{NamedColumn{"dim", "hidden"},           NamedColumn{"n_layers", "layers"},
                                   NamedColumn{"n_heads", "heads"},        NamedColumn{"n_kv_heads", "kv_heads"},
                                   NamedColumn{"head_dim", "head_dim"},    NamedColumn{"hidden_dim", "ffn_hidden"},
                                   NamedColumn{"vocab_size", "vocabulary"}};

void set_count(TrainingLog &log, std::string_view name, std::optional<double> value, std::string_view column) {
    if (!value || *value < 1 || *value > 1e15 || *value != std::floor(*value))
        return;
    const std::string spelled = fmt::format("{:.0f}", *value);
    log.set({.name = std::string(name), .printed = spelled, .column = std::string(column), .value = spelled});
}

void set_word(TrainingLog &log, std::string_view name, std::string_view printed, std::string_view column,
              std::string_view value) {
    constexpr std::size_t longest = 200;
    log.set({.name = std::string(name),
             .printed = std::string(printed.substr(0, longest)),
             .column = std::string(column),
             .value = std::string(value.substr(0, longest))});
}

/// Parses "step: 10  loss:  4.1704  grad_norm:  1.8  memory: 68.57GiB(86.69%)  tps: 6,785  tflops: 392.1  mfu: 39.73%".
bool read_titan_step(std::string_view line, TrainingLog &log) {
    const std::size_t at = line.find("step:");
    if (at == std::string_view::npos || line.find("tps:", at) == std::string_view::npos
        || line.find("validate step:") != std::string_view::npos)
        return false;
    line.remove_prefix(at);
    const std::optional<double> number = number_after(line, "step:");
    if (!number || *number < 0 || *number > 1e12)
        return false;
    LoggedStep &step = log.step(static_cast<std::int64_t>(*number));
    const auto rate = [&](std::string_view name, double unit, double most) {
        const std::optional<double> value = number_after(line, name);
        return value && *value >= 0 && *value * unit <= most ? std::optional(*value * unit) : std::nullopt;
    };
    if (!step.tokens_per_second)
        step.tokens_per_second = rate("tps:", 1, 1e12);
    step.flops_per_second = rate("tflops:", 1e12, 1e18);
    step.mfu = rate("mfu:", 0.01, 100);
    if (const auto memory = text_after(line, "memory:")) {
        std::string_view rest;
        const std::optional<double> amount = leading_number(*memory, &rest);
        const double unit = rest.starts_with("GiB") ? gibibyte : 0;
        const std::optional<double> percent = number_after(rest, "(");
        if (amount && unit > 0 && *amount >= 0 && *amount < 1e6
            && *amount * unit >= log.memory.max_reserved.value_or(0)) {
            log.memory.max_reserved = *amount * unit;
            log.memory.reserved_fraction = percent && *percent >= 0 ? std::optional(*percent / 100) : std::nullopt;
        }
    }
    constexpr std::array<std::string_view, 6> used{"step:", "memory:", "tps:", "tflops:", "mfu:", ""};
    for (const std::string_view name : {"step:", "loss:", "grad_norm:", "memory:", "tps:", "tflops:", "mfu:"})
        if (const auto printed = text_after(line, name))
            log.note(name.substr(0, name.size() - 1), printed->substr(0, printed->find_first_of(" \t[")),
                     std::find(used.begin(), used.end(), name) != used.end());
    return true;
}

/// Parses "Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]".
bool read_titan_mesh(std::string_view line, TrainingLog &log) {
    if (const auto degrees = text_after(line, "device mesh with parallelism:")) {
        for (const auto &[name, column] : mesh_columns)
            set_count(log, name, number_after(" " + std::string(*degrees), " " + std::string(name) + "="), column);
        return true;
    }
    const auto mesh = text_after(line, "device mesh with [");
    if (!mesh)
        return false;
    const std::size_t end = std::min(mesh->find(']'), mesh->size());
    std::string_view names = mesh->substr(0, end);
    std::string_view sizes = mesh->substr(std::min(mesh->find('[', end), mesh->size()));
    while (!names.empty()) {
        const std::size_t quote = names.find('\'');
        const std::size_t close = quote == std::string_view::npos ? quote : names.find('\'', quote + 1);
        if (close == std::string_view::npos || sizes.empty())
            break;
        const std::string_view name = names.substr(quote + 1, close - quote - 1);
        const std::optional<double> size = leading_number(sizes.substr(1));
        for (const auto &[known, column] : mesh_columns)
            if (name == known)
                set_count(log, name, size, column);
        names.remove_prefix(close + 1);
        sizes.remove_prefix(std::min(sizes.find(',', 1), sizes.size()));
    }
    return true;
}

/// Parses "Building llama3 8B with ModelArgs(dim=4096, n_layers=32, ...)", "Total parameter count: dense 8,030,261,248,
/// sparse 0, active 8,030,261,248" and "Model llama3 8B size: 8,030,261,248 total parameters".
bool read_titan_model(std::string_view line, TrainingLog &log) {
    if (const std::size_t args = line.find("ModelArgs("); args != std::string_view::npos) {
        std::string pairs = " " + std::string(line.substr(args + 10));
        std::replace(pairs.begin(), pairs.end(), ',', ' ');
        for (const auto &[name, column] : model_columns)
            set_count(log, name, number_after(pairs, " " + std::string(name) + "="), column);
        return true;
    }
    if (const auto counts = text_after(line, "Total parameter count:")) {
        const std::optional<double> dense = number_after(*counts, "dense ");
        if (dense)
            set_count(log, "Total parameter count", *dense + number_after(*counts, "sparse ").value_or(0),
                      "parameters");
        return true;
    }
    const auto model = text_after(line, " Model ");
    if (!model || line.find("total parameters") == std::string_view::npos)
        return false;
    const std::size_t size = model->find("size:");
    if (size == std::string_view::npos)
        return false;
    set_word(log, "Model", log_trimmed(model->substr(0, size)), "model", log_trimmed(model->substr(0, size)));
    // torchtitan/models/utils.py leaves out the embedding if it is tied, so an earlier count of all parameters is kept.
    if (log.setting_of("parameters") == nullptr)
        set_count(log, "total parameters", leading_number(model->substr(size + 5)), "parameters");
    return true;
}

bool read_titan_start(std::string_view line, TrainingLog &log) {
    if (const auto batch = text_after(line, "Trainer is initialized with")) {
        set_count(log, "local batch size", number_after(*batch, "local batch size"), "local_batch");
        set_count(log, "global batch size", number_after(*batch, "global batch size"), "global_batch");
        set_count(log, "sequence length", number_after(*batch, "sequence length"), "sequence_length");
        set_count(log, "gradient accumulation steps", number_after(*batch, "gradient accumulation steps"),
                  "accumulation");
        if (const auto total = number_after(*batch, "total steps"); total && *total >= 1 && *total < 1e12)
            log.total_steps = static_cast<std::int64_t>(*total);
        return true;
    }
    if (const std::size_t applied = line.find(" activation checkpointing to the model");
        applied != std::string_view::npos) {
        const std::vector<std::string_view> words = log_words(line.substr(0, applied));
        const std::string_view kind = words.empty() ? std::string_view() : words.back();
        const bool full = kind == "full" || kind == "FullAC";
        set_word(log, "activation checkpointing", kind, "recompute", full ? "full" : "selective");
        return true;
    }
    if (line.find("Applied HSDP") != std::string_view::npos || line.find("Applied FSDP") != std::string_view::npos) {
        set_word(log, "Applied", line.find("HSDP") != std::string_view::npos ? "HSDP" : "FSDP", "fsdp", "1");
        return true;
    }
    if (const auto device = text_after(line, "CUDA capacity:")) {
        const std::size_t with = std::min(device->find(" with "), device->size());
        set_word(log, "CUDA capacity", device->substr(0, with), "device", device->substr(0, with));
        if (const auto memory = number_after(*device, " with "); memory && *memory > 0 && *memory < 1e5)
            set_word(log, "device memory", fmt::format("{}GiB", *memory), "device_bytes",
                     fmt::format("{:.0f}", *memory * gibibyte));
        return true;
    }
    return false;
}

} // namespace

bool read_torchtitan_line(std::string_view line, TrainingLog &log) {
    return read_titan_step(line, log) || read_titan_mesh(line, log) || read_titan_model(line, log)
        || read_titan_start(line, log);
}

} // namespace meshwright
