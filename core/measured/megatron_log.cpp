// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of Megatron-LM, Megatron-DeepSpeed, Megatron-Bridge, NeMo and their forks. Source: Megatron-LM's training_log
// and report_memory (megatron/training) and timers (megatron/core/timers.py) at d98e8a64ddf3.
#include "measured/log_text.h"
#include "measured/training_log.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr double mebibyte = 0x1p20; ///< Megatron's "MB"
constexpr std::size_t max_arguments = 5000;
constexpr std::size_t longest_argument = 1000;
constexpr std::size_t longest_command = 200'000;

/// Converts milliseconds to seconds. Empty if the value is not plausible.
std::optional<double> seconds_of(std::string_view milliseconds) {
    const std::optional<double> value = leading_number(milliseconds);
    return value && *value >= 0 && *value <= 1e10 ? std::optional(*value / 1e3) : std::nullopt;
}

/// Parses a value and converts it from its unit. Empty if the value is not plausible.
std::optional<double> possible(std::string_view text, double unit, double most) {
    const std::optional<double> value = leading_number(text);
    return value && *value >= 0 && *value * unit <= most ? std::optional(*value * unit) : std::nullopt;
}

void keep_maximum(std::optional<double> &place, std::optional<double> value) {
    if (value && (!place || *value > *place))
        place = value;
}

/// Reads one "name: value" field of a step line, whose fields are separated by "|".
bool read_step_entry(std::string_view name, std::string_view value, LoggedStep &step, TrainingLog &log) {
    const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
    if (has("elapsed time per iteration (ms)"))
        step.seconds = seconds_of(value);
    else if (has("train_step_timing in s"))
        step.seconds = possible(value, 1, 1e7);
    else if (has("TFLOP"))
        step.flops_per_second = possible(value, 1e12, 1e18);
    else if (has("samples per second"))
        step.sequences_per_second = possible(value, 1, 1e12);
    else if ((has("token") && has("second")) || has("tgs") || has("tokens/sec/gpu"))
        step.tokens_per_second = possible(value, 1, 1e12);
    else if (has("global batch size") || has("global_batch_size"))
        log.global_sequences = possible(value, 1, 1e9);
    else
        return false;
    return true;
}

/// " iteration       25/73242187 | consumed samples:           50 | elapsed time per iteration (ms): 87.0 | ...", or
/// from NeMo "Training epoch 0, iteration 3/99 | lr: 1e-06 | global_batch_size: 512 | train_step_timing in s: 4.512".
bool read_step_line(std::string_view line, TrainingLog &log) {
    if (line.find("elapsed time per iteration (ms)") == std::string_view::npos
        && line.find("train_step_timing in s:") == std::string_view::npos)
        return false;
    const std::optional<std::string_view> counted = text_after(line, "iteration ");
    std::string_view rest;
    const std::optional<double> number = counted ? leading_number(*counted, &rest) : std::nullopt;
    if (!number || *number < 0 || *number > 1e12)
        return false;
    LoggedStep &step = log.step(static_cast<std::int64_t>(*number));
    rest = log_trimmed(rest);
    if (rest.starts_with('/'))
        if (const auto total = leading_number(rest.substr(1)); total && *total >= 1 && *total < 1e15)
            log.total_steps = static_cast<std::int64_t>(*total);
    for (std::size_t bar = rest.find('|'); bar != std::string_view::npos; bar = rest.find('|')) {
        rest.remove_prefix(bar + 1);
        const std::string_view entry = rest.substr(0, rest.find('|'));
        const std::size_t colon = entry.rfind(':');
        if (colon == std::string_view::npos)
            continue;
        const std::string_view name = log_trimmed(entry.substr(0, colon));
        log.note(name, entry.substr(colon + 1), read_step_entry(name, entry.substr(colon + 1), step, log));
    }
    return true;
}

/// "[Rank 0] (after 1 iterations) memory (MB) | allocated: 17956.4 | max allocated: 68581.8 | reserved: ..."
bool read_memory_line(std::string_view line, TrainingLog &log) {
    if (line.find("memory (MB)") == std::string_view::npos || line.find("allocated:") == std::string_view::npos)
        return false;
    while (line.find('|') != std::string_view::npos) {
        line.remove_prefix(line.find('|') + 1);
        const std::string_view entry = line.substr(0, line.find('|'));
        const std::size_t colon = entry.find(':');
        if (colon == std::string_view::npos)
            continue;
        const std::string_view name = log_trimmed(entry.substr(0, colon));
        const auto bytes = possible(entry.substr(colon + 1), mebibyte, 1e15);
        std::optional<double> *const place = name == "allocated" ? &log.memory.allocated
            : name == "max allocated"                            ? &log.memory.max_allocated
            : name == "reserved"                                 ? &log.memory.reserved
            : name == "max reserved"                             ? &log.memory.max_reserved
            : name == "total device memory used"                 ? &log.memory.device
                                                                 : nullptr;
        if (place != nullptr)
            keep_maximum(*place, bytes);
        log.note(name, entry.substr(colon + 1), place != nullptr);
    }
    return true;
}

/// "time (ms) | forward-compute: 29733.63 | backward-compute: 79549.00", and since 2022 a line per timer:
/// "    forward-backward ...............................: (58.61, 58.70)".
bool read_timers(std::string_view line, TrainingLog &log) {
    if (const std::size_t timers = line.find("time (ms) |"); timers != std::string_view::npos) {
        for (line.remove_prefix(line.find('|', timers)); line.starts_with('|');
             line.remove_prefix(std::min(line.find('|', 1), line.size()))) {
            const std::string_view entry = line.substr(1, line.find('|', 1) - 1);
            const std::size_t colon = entry.rfind(':');
            if (colon != std::string_view::npos)
                if (const auto seconds = seconds_of(entry.substr(colon + 1)))
                    log.timers[std::string(log_trimmed(entry.substr(0, colon)))].push_back(*seconds);
        }
        return true;
    }
    const std::size_t dots = line.find(" ....");
    const std::size_t colon = line.find(".: ", dots);
    if (dots == std::string_view::npos || colon == std::string_view::npos)
        return line.find("time across ranks (ms)") != std::string_view::npos;
    std::string_view value = log_trimmed(line.substr(colon + 3));
    if (value.starts_with('('))
        // The second number belongs to the slowest rank.
        value.remove_prefix(std::min(value.find(',') + 1, value.size()));
    const std::vector<std::string_view> words = log_words(line.substr(0, dots));
    if (const auto seconds = seconds_of(value); seconds && !words.empty())
        log.timers[std::string(words.back())].push_back(*seconds);
    return true;
}

/// "  adam_beta1 ...................................... 0.9" in the block of arguments.
bool read_argument(std::string_view line, TrainingLog &log) {
    const std::size_t dots = line.find(" ...");
    if (dots == std::string_view::npos || log.arguments.size() >= max_arguments)
        return false;
    const std::size_t end = line.find_first_not_of('.', dots + 1);
    const std::vector<std::string_view> words = log_words(line.substr(0, dots));
    // Megatron's names have no blanks. Similar lists of other programs have names with blanks or brackets.
    if (words.empty() || words.size() > 2 || end == std::string_view::npos || line[end] != ' '
        || words.back().find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
            != std::string_view::npos)
        return false;
    log.arguments.emplace_back(words.back(), log_trimmed(line.substr(end)).substr(0, longest_argument));
    return true;
}

void add_setting(TrainingLog &log, const char *name, std::optional<double> value, const char *column) {
    if (value && *value >= 1 && *value <= 1e9 && *value == std::floor(*value)) {
        const std::string spelled = std::to_string(static_cast<std::int64_t>(*value));
        log.set({.name = name, .printed = spelled, .column = column, .value = spelled});
    }
}

/// Reads a size or the launcher's command from a line at the start of the run.
bool read_start_line(std::string_view line, TrainingLog &log) {
    if (line.find("using world size:") != std::string_view::npos) {
        add_setting(log, "world size", number_after(line, "using world size:"), "accelerators");
        add_setting(log, "data-parallel size",
                    number_after(line,
                                 line.find("data-parallel-size:") != std::string_view::npos ? "data-parallel-size:"
                                                                                            : "data-parallel size:"),
                    "data");
        return true;
    }
    if (line.find("padded vocab (size:") != std::string_view::npos) {
        add_setting(log, "padded vocab", number_after(line, "(new size:"), "vocabulary");
        return true;
    }
    if (line.find("num_local_procs=") != std::string_view::npos) {
        add_setting(log, "num_local_procs", number_after(line, "num_local_procs="), "accelerators_per_node");
        return true;
    }
    if (const auto ranks = number_after(line, " nranks "); ranks && line.find("NCCL INFO") != std::string_view::npos) {
        if (*ranks >= 1 && *ranks <= 1e7)
            log.largest_communicator = std::max(log.largest_communicator, static_cast<std::int64_t>(*ranks));
        return true;
    }
    if (log.command.empty() && line.size() < longest_command && line.find("--num-layers") != std::string_view::npos
        && line.find("--hidden-size") != std::string_view::npos) {
        log.command = line;
        return true;
    }
    return false;
}

} // namespace

bool read_megatron_line(std::string_view line, TrainingLog &log) {
    return read_step_line(line, log) || read_memory_line(line, log) || read_timers(line, log)
        || read_argument(line, log) || read_start_line(line, log);
}

} // namespace meshwright
