// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of nanotron. Source: src/nanotron/trainer.py, logging/base.py and config/*.py at 2411b022a75f and, for the older
// names, its releases of 2024.
#include "measured/log_text.h"
#include "measured/training_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {

constexpr double nanotron_mebibyte = 0x1p20;
/// Longer setting values are ignored, such as a pipeline engine printed as its class and address.
constexpr std::size_t longest_setting = 200;

/// Parses a number such as "1.23K". Nanotron prints three digits and a suffix for the power of a thousand.
std::optional<double> human_number(std::string_view text) {
    std::string_view rest;
    const std::optional<double> value = leading_number(text, &rest);
    if (!value)
        return std::nullopt;
    constexpr std::array<std::pair<char, double>, 7> suffixes{
        {{'K', 1e3}, {'M', 1e6}, {'B', 1e9}, {'G', 1e9}, {'T', 1e12}, {'P', 1e15}, {'E', 1e18}}};
    for (const auto &[suffix, factor] : suffixes)
        if (!rest.empty() && rest.front() == suffix)
            return *value * factor;
    return value;
}

/// Settings in the configuration that nanotron prints at the start ("dp=8"), and the columns that they fill.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> config_columns{
    {{"dp", "data"},
     {"pp", "pipeline"},
     {"tp", "tensor"},
     {"context_parallel_size", "context"},
     {"expert_parallel_size", "expert"},
     {"micro_batch_size", "micro_batch"},
     {"batch_accumulation_per_replica", "accumulation"},
     {"sequence_length", "sequence_length"},
     {"hidden_size", "hidden"},
     {"num_hidden_layers", "layers"},
     {"num_attention_heads", "heads"},
     {"num_key_value_heads", "kv_heads"},
     {"intermediate_size", "ffn_hidden"},
     {"vocab_size", "vocabulary"},
     {"tie_word_embeddings", "tied_embeddings"},
     {"zero_stage", "zero_stage"},
     {"recompute_layer", "recompute"},
     {"pp_engine", "schedule"},
     {"tp_mode", "tp_mode"},
     {"dtype", "precision"},
     {"train_steps", ""},
     {"tp_linear_async_communication", ""},
     {"accumulate_grad_in_fp32", ""},
     {"seed", ""}}};

std::string value_of_setting(std::string_view column, std::string_view printed) {
    const bool yes = printed == "True" || printed == "true";
    if (column == "tied_embeddings")
        return yes ? "1" : "0";
    if (column == "recompute")
        return yes ? "full" : "none";
    if (column == "schedule")
        return printed.find("AllForward") != std::string_view::npos || printed.find("afab") != std::string_view::npos
            ? "gpipe"
            : "1f1b";
    if (column == "precision")
        return printed.find("bfloat16") != std::string_view::npos ? "bf16" : "fp32";
    return std::string(printed);
}

bool read_config(std::string_view line, TrainingLog &log) {
    bool found = false;
    for (std::size_t equals = line.find('='); equals != std::string_view::npos; equals = line.find('=', equals + 1)) {
        std::size_t begin = equals;
        while (begin > 0 && (std::isalnum(static_cast<unsigned char>(line[begin - 1])) != 0 || line[begin - 1] == '_'))
            --begin;
        const std::string_view name = line.substr(begin, equals - begin);
        const auto known = std::find_if(config_columns.begin(), config_columns.end(),
                                        [&](const auto &column) { return column.first == name; });
        // Skip the rank, which is printed as "[INFO|DP=0|PP=0|TP=0|node]".
        if (known == config_columns.end() || (begin > 0 && line[begin - 1] == '|'))
            continue;
        const std::string_view value = line.substr(equals + 1, line.find_first_of(",)", equals) - equals - 1);
        if (value.empty() || value.size() > longest_setting || value.starts_with("None"))
            continue;
        found = true;
        log.set({.name = std::string(name),
                 .printed = std::string(value),
                 .column = std::string(known->second),
                 .value = value_of_setting(known->second, value)});
    }
    return found;
}

/// Reads a line such as "iteration: 10 / 100 | consumed_tokens: 2.62M | time_per_iteration_ms: 1.23K | ...".
bool read_iteration(std::string_view line, TrainingLog &log) {
    const auto iteration = text_after(line, "iteration: ");
    if (!iteration || line.find("time_per_iteration_ms:") == std::string_view::npos)
        return false;
    std::string_view rest;
    const std::optional<double> number = leading_number(*iteration, &rest);
    if (!number || *number < 0 || *number > 1e12)
        return false;
    LoggedStep &step = log.step(static_cast<std::int64_t>(*number));
    rest = log_trimmed(rest);
    if (rest.starts_with('/'))
        if (const auto total = leading_number(rest.substr(1)); total && *total >= 1 && *total < 1e15)
            log.total_steps = static_cast<std::int64_t>(*total);
    double all_tokens_per_second = 0;
    for (std::size_t bar = rest.find('|'); bar != std::string_view::npos; bar = rest.find('|')) {
        rest.remove_prefix(bar + 1);
        const std::string_view entry = rest.substr(0, rest.find('|'));
        const std::size_t colon = entry.find(':');
        if (colon == std::string_view::npos)
            continue;
        const std::string_view name = log_trimmed(entry.substr(0, colon));
        const std::optional<double> value = human_number(entry.substr(colon + 1));
        const bool possible = value && *value >= 0 && *value < 1e18;
        bool used = possible;
        if (possible && (name == "time_per_iteration_ms" || name == "elapsed_time_per_iteration_ms"))
            step.seconds = *value / 1e3;
        else if (possible && name == "tokens_per_sec")
            all_tokens_per_second = *value;
        else if (possible && name == "tokens_per_sec_per_gpu")
            step.tokens_per_second = value;
        else if (possible && name == "model_tflops_per_gpu")
            step.flops_per_second = *value * 1e12;
        else if (possible && name == "cuda_max_memory_reserved")
            log.memory.max_reserved = std::max(log.memory.max_reserved.value_or(0), *value);
        else if (possible && name == "global_batch_size")
            log.global_sequences = value; // sequences in older releases, tokens in newer ones
        else
            used = false;
        log.note(name, entry.substr(colon + 1), used);
    }
    if (all_tokens_per_second > 0 && step.seconds && *step.seconds > 0)
        log.global_tokens = all_tokens_per_second * *step.seconds;
    if (all_tokens_per_second > 0 && step.tokens_per_second && *step.tokens_per_second > 0)
        // Both rates have three digits, so their ratio is exact for a small number of accelerators.
        log.largest_communicator =
            std::max<std::int64_t>(1, std::llround(all_tokens_per_second / *step.tokens_per_second));
    return true;
}

/// Reads "Memory usage: 5000.00MiB. Peak allocated 5632.00MiB. Peak reserved: 5800.00MiB".
bool read_peaks(std::string_view line, TrainingLog &log) {
    if (line.find("Memory usage:") == std::string_view::npos)
        return false;
    const auto keep = [&](std::string_view mark, std::optional<double> &place) {
        std::optional<std::string_view> text = text_after(line, mark);
        if (text && text->starts_with(':'))
            text->remove_prefix(1);
        const std::optional<double> amount = text ? leading_number(*text) : std::nullopt;
        if (!amount || *amount < 0 || *amount > 1e9)
            return;
        place = std::max(place.value_or(0), *amount * nanotron_mebibyte);
        log.note(mark, fmt::format("{}MiB", *amount), true);
    };
    keep("Memory usage", log.memory.allocated);
    keep("Peak allocated", log.memory.max_allocated);
    keep("Peak reserved", log.memory.max_reserved);
    return true;
}

} // namespace

bool read_nanotron_line(std::string_view line, TrainingLog &log) {
    return read_iteration(line, log) || read_peaks(line, log) || read_config(line, log);
}

} // namespace meshwright
