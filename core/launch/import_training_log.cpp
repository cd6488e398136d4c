// SPDX-License-Identifier: GPL-3.0-or-later
// Imports a training log as a measured run: the columns of presets/evidence/measured-runs.csv that the log states.
#include "catalog/library.h"
#include "input/diagnostic.h"
#include "launch/command_options.h"
#include "launch/logged_arguments.h"
#include "launch/measured_document.h"
#include "launch/measured_importers.h"
#include "launch/named_accelerator.h"
#include "measured/device_name.h"
#include "measured/log_text.h"
#include "measured/training_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace meshwright {

namespace {

using LogJson = nlohmann::ordered_json;

/// One figure per step. The first step is omitted. It is slower because kernels are selected and memory is allocated.
std::vector<double> without_first(const std::vector<LoggedStep> &steps, std::optional<double> LoggedStep::*figure) {
    constexpr double least = 1e-9; // a nanosecond; shorter times would give infinite rates
    std::vector<double> values;
    for (std::size_t i = steps.size() > 1 ? 1 : 0; i < steps.size(); ++i)
        if (steps[i].*figure && *(steps[i].*figure) >= least)
            values.push_back(*(steps[i].*figure));
    return values;
}

class RunOfLog {
public:
    RunOfLog(TrainingLog log, const LaunchFile &file, const Library &library)
        : m_run("log", "run")
        , m_log(std::move(log))
        , m_file(file)
        , m_library(library) { }

    Imported read() && {
        const std::filesystem::path path(m_file.name);
        m_run.set("/id", m_file.name == "-" ? "imported run" : path.stem().string());
        m_run.set("/framework", framework());
        settings();
        set_logged_arguments(m_log, is_deepspeed() ? MegatronDialect::megatron_deepspeed : MegatronDialect::megatron_lm,
                             m_run, m_library);
        degrees();
        machine();
        batch();
        times();
        memory();
        outcome();
        account();
        return std::move(m_run).take();
    }

private:
    bool is_deepspeed() const {
        const auto named = [](const auto &argument) {
            return argument.first == "deepspeed_config" || argument.first == "ds_sequence_parallel_size";
        };
        return std::any_of(m_log.arguments.begin(), m_log.arguments.end(), named)
            || m_log.command.find("--deepspeed") != std::string::npos || m_log.fields.contains("actual seqlen");
    }

    const char *framework() const {
        return m_log.family == LogFamily::torchtitan          ? "torchtitan"
            : m_log.family == LogFamily::nanotron             ? "nanotron"
            : is_deepspeed()                                  ? "Megatron-DeepSpeed"
            : m_log.fields.contains("train_step_timing in s") ? "NeMo"
                                                              : "Megatron-LM";
    }

    /// Fills columns from the logged settings. A setting is reported as understood if it contributes to a column, and
    /// as ignored otherwise.
    void settings() {
        constexpr std::array<std::string_view, 9> parts{
            "dp_replicate", "dp_shard", "local_batch", "accumulation", "fsdp", "device", "tp_mode", "device_bytes", ""};
        for (const LoggedSetting &setting : m_log.settings) {
            if (setting.column.empty()) {
                m_run.ignore(setting.name, setting.printed, "changes neither time nor memory by itself");
                continue;
            }
            if (std::find(parts.begin(), parts.end(), setting.column) != parts.end()) {
                const std::string_view into = setting.column == "local_batch" ? "micro_batch"
                    : setting.column == "accumulation"                        ? "global_batch"
                    : setting.column == "fsdp"                                ? "zero_stage"
                    : setting.column.starts_with("device")                    ? "accelerator"
                    : setting.column == "tp_mode"                             ? "sequence_parallel"
                                                                              : "data";
                m_run.understand(setting.name, setting.printed, "/" + std::string(into));
                continue;
            }
            const auto number = count_in(setting.value);
            m_run.read(setting.name, setting.printed, "/" + setting.column,
                       number ? LogJson(*number) : LogJson(setting.value));
        }
    }

    /// A count from 0 to 10^15; nothing for any other text.
    static std::optional<std::int64_t> count_in(std::string_view text) {
        constexpr double largest = 1e15;
        const auto number = whole_number_of(text);
        return number && *number >= 0 && *number <= largest && *number == std::floor(*number)
            ? std::optional(static_cast<std::int64_t>(*number))
            : std::nullopt;
    }

    /// A column that is a count of at least 1.
    std::optional<std::int64_t> stated(std::string_view column) const {
        const LogJson *const value = m_run.find("/" + std::string(column));
        return value != nullptr && value->is_number_integer() && value->get<std::int64_t>() >= 1
            ? std::optional(value->get<std::int64_t>())
            : std::nullopt;
    }
    std::optional<std::int64_t> setting(std::string_view column) const {
        const LoggedSetting *const found = m_log.setting_of(column);
        const auto number = found != nullptr ? count_in(found->value) : std::nullopt;
        return number && *number >= 1 && *number < 1'000'000'000 ? number : std::nullopt;
    }

    /// Derives parallel degrees that logs of torchtitan and nanotron do not state directly.
    void degrees() {
        const auto shard = setting("dp_shard");
        const auto replicate = setting("dp_replicate");
        if (m_log.family == LogFamily::torchtitan && (shard || replicate)) {
            const std::int64_t data = shard.value_or(1) * replicate.value_or(1);
            m_run.set("/data", data);
            const std::int64_t pipeline = stated("pipeline").value_or(1);
            const bool sharded = m_log.setting_of("fsdp") != nullptr || shard.value_or(1) > 1;
            m_run.assume("/zero_stage",
                         !sharded           ? 0
                             : pipeline > 1 ? 2
                                            : 3,
                         sharded
                             ? "torchtitan's default: weights are gathered again for the backward pass, but not with a "
                               "pipeline"
                             : "the log does not say that torchtitan applied FSDP");
            if (replicate.value_or(1) > 1 && shard.value_or(1) > 1)
                m_run.set("/shard_group", *shard);
        }
        if (const LoggedSetting *const mode = m_log.setting_of("tp_mode"))
            m_run.set("/sequence_parallel", mode->value.find("REDUCE_SCATTER") != std::string::npos ? 1 : 0);
        if (m_log.family != LogFamily::megatron && stated("data")) {
            const double all = static_cast<double>(*stated("data")) * static_cast<double>(stated("tensor").value_or(1))
                * static_cast<double>(stated("pipeline").value_or(1))
                * static_cast<double>(stated("context").value_or(1));
            if (all >= 1 && all <= 1e7)
                m_run.set("/accelerators", static_cast<std::int64_t>(all));
        }
    }

    void machine() {
        if (m_run.find("/accelerators") == nullptr && m_log.largest_communicator > 1)
            m_run.assume("/accelerators", m_log.largest_communicator,
                         m_log.family == LogFamily::nanotron
                             ? "the total rate divided by the rate per accelerator"
                             : "size of the largest NCCL communicator; the log does not state the world size");
        if (const LoggedSetting *const device = m_log.setting_of("device")) {
            const LoggedSetting *const memory = m_log.setting_of("device_bytes");
            const double bytes = memory != nullptr ? leading_number(memory->value).value_or(0) : 0;
            const std::string id = accelerator_of_device(device->value, bytes, m_library);
            m_run.set("/accelerator", id.empty() ? device->value : id);
        }
        // Searches for the accelerator only before the arguments, because these may contain a path with another
        // accelerator's name.
        const std::string id = named_accelerator(std::filesystem::path(m_file.name).filename().string());
        if (m_run.find("/accelerator") == nullptr && !id.empty())
            m_run.assume("/accelerator", id, "from the file name");
    }

    void batch() {
        if (m_log.family == LogFamily::nanotron)
            nanotron_batch();
        else if (m_log.global_sequences && *m_log.global_sequences >= 1)
            m_run.set("/global_batch", *m_log.global_sequences);
        if (m_log.family == LogFamily::torchtitan && setting("local_batch")) {
            const bool pipelined = stated("pipeline").value_or(1) > 1;
            if (pipelined)
                m_run.assume("/micro_batch", 1,
                             "torchtitan's default with pipeline parallelism; the log states only the local batch");
            else
                m_run.set("/micro_batch", *setting("local_batch"));
        }
        if (const auto field = m_log.fields.find("actual seqlen"); field != m_log.fields.end())
            if (const auto length = leading_number(field->second.last);
                length && *length >= 1 && *length < 1e9 && m_run.find("/sequence_length") == nullptr)
                m_run.set("/sequence_length", *length);
    }

    /// nanotron's global batch counts sequences in older releases and tokens in newer ones; the logged rates show which
    /// unit applies.
    void nanotron_batch() {
        constexpr double close = 0.05; // tolerance for the product of three figures that are printed with three digits
        const auto micro = stated("micro_batch");
        if (micro && setting("accumulation") && stated("data")) {
            const double sequences = static_cast<double>(*micro) * static_cast<double>(*setting("accumulation"))
                * static_cast<double>(*stated("data"));
            if (sequences <= 1e9)
                m_run.set("/global_batch", static_cast<std::int64_t>(sequences));
        }
        const double printed = m_log.global_sequences.value_or(0);
        const double tokens = m_log.global_tokens.value_or(0);
        if (m_run.find("/global_batch") != nullptr || printed <= 0 || tokens <= 0)
            return;
        const auto length = stated("sequence_length");
        if (std::abs(printed / tokens - 1) > close)
            m_run.set("/global_batch", std::round(printed));
        else if (length)
            m_run.set("/global_batch", std::round(printed / static_cast<double>(*length)));
        else
            m_run.set("/measured/tokens_per_step", printed);
    }

    /// Tokens per step and accelerator, if batch size, sequence length and number of accelerators are known.
    std::optional<double> tokens_per_accelerator() const {
        const auto batch = stated("global_batch");
        const auto length = stated("sequence_length");
        const auto all = stated("accelerators");
        if (!batch || !length || !all || *batch < 1 || *length < 1 || *all < 1)
            return std::nullopt;
        return static_cast<double>(*batch) * static_cast<double>(*length) / static_cast<double>(*all);
    }

    void times() {
        const LoggedStep &last = m_log.steps.back();
        const std::vector<double> seconds = without_first(m_log.steps, &LoggedStep::seconds);
        const std::vector<double> rates = without_first(m_log.steps, &LoggedStep::tokens_per_second);
        const std::optional<double> tokens = tokens_per_accelerator();
        const bool is_start = m_log.steps.size() == 1 && last.number <= 1;
        // Sets a figure that is logged, or that `derivation` explains.
        const auto set_figure = [&](const char *column, double value, std::string derivation = {}) {
            if (is_start)
                derivation +=
                    fmt::format("{}the only logged step is the first, which includes start-up and compilation",
                                derivation.empty() ? "" : "; ");
            if (derivation.empty())
                m_run.set(column, value);
            else
                m_run.assume(column, value, std::move(derivation));
        };
        if (!seconds.empty()) {
            set_figure("/step_seconds", median_of(seconds));
            m_run.set("/measured/median_step_seconds", median_of(seconds));
        } else if (!rates.empty() && tokens) {
            set_figure("/step_seconds", *tokens / median_of(rates),
                       "tokens per step per accelerator, divided by the logged rate");
        }
        if (!rates.empty())
            set_figure("/tokens_per_second_per_accelerator", median_of(rates));
        else if (!seconds.empty() && tokens)
            set_figure("/tokens_per_second_per_accelerator", *tokens / median_of(seconds),
                       "tokens per step per accelerator, divided by the step time");
        if (const std::vector<double> flops = without_first(m_log.steps, &LoggedStep::flops_per_second); !flops.empty())
            m_run.set("/published_tflops", median_of(flops) / 1e12);
        if (const std::vector<double> mfu = without_first(m_log.steps, &LoggedStep::mfu); !mfu.empty())
            m_run.set("/published_mfu", 100 * median_of(mfu));
        m_run.set("/measured/iterations", m_log.steps.size());
        m_run.set("/measured/first_iteration", m_log.steps.front().number);
        m_run.set("/measured/last_iteration", last.number);
        if (m_log.total_steps)
            m_run.set("/measured/total_iterations", *m_log.total_steps);
        const auto set_last = [&](const char *field, const std::optional<double> &value) {
            if (value)
                m_run.set(std::string("/measured/last_") + field, *value);
        };
        set_last("step_seconds", last.seconds);
        set_last("tokens_per_second_per_accelerator", last.tokens_per_second);
        set_last("flops_per_second_per_accelerator", last.flops_per_second);
        set_last("sequences_per_second", last.sequences_per_second);
        set_last("mfu", last.mfu);
        set_timers();
    }

    void set_timers() {
        LogJson timers = LogJson::object();
        for (const auto &[name, values] : m_log.timers) {
            if (values.size() < std::min<std::size_t>(2, m_log.steps.size()))
                continue; // lines from the set-up of the run
            timers[name] = median_of({values.begin() + (values.size() > 1 ? 1 : 0), values.end()});
        }
        if (!timers.empty())
            m_run.set("/measured/timers_seconds", std::move(timers));
    }

    /// The peak of allocated memory is preferred, because reserved memory also depends on the order of allocations.
    void memory() {
        const LoggedMemory &memory = m_log.memory;
        const std::pair<const char *, const std::optional<double> *> all[] = {
            {"allocated_bytes", &memory.allocated}, {"max_allocated_bytes", &memory.max_allocated},
            {"reserved_bytes", &memory.reserved},   {"max_reserved_bytes", &memory.max_reserved},
            {"device_bytes", &memory.device},       {"reserved_fraction", &memory.reserved_fraction}};
        for (const auto &[name, value] : all)
            if (*value)
                m_run.set(std::string("/measured/") + name, **value);
        const std::pair<const char *, const std::optional<double> *> peaks[] = {
            {"allocated", &memory.max_allocated}, {"reserved", &memory.max_reserved}, {"device", &memory.device}};
        for (const auto &[kind, value] : peaks)
            if (*value) {
                m_run.set("/peak_memory_bytes", **value);
                m_run.set("/memory_kind", kind);
                return;
            }
    }

    void outcome() {
        const bool out_of_memory = m_file.text.find("CUDA out of memory") != std::string::npos
            || m_file.text.find("HIP out of memory") != std::string::npos
            || m_file.text.find("OutOfMemoryError") != std::string::npos;
        m_run.set("/outcome", out_of_memory ? "oom" : "ok");
    }

    /// Reports each kind of entry in the step lines with its last value and the column that it fills.
    void account() {
        const auto field_of = [](std::string_view name) -> std::string {
            constexpr std::array<std::pair<std::string_view, std::string_view>, 17> fields{
                {{"per iteration (ms)", "/step_seconds"},
                 {"per_iteration_ms", "/step_seconds"},
                 {"train_step_timing", "/step_seconds"},
                 {"tokens_per_sec_per_gpu", "/tokens_per_second_per_accelerator"},
                 {"tokens_per_sec", "/measured/tokens_per_step"},
                 {"tps", "/tokens_per_second_per_accelerator"},
                 {"token", "/tokens_per_second_per_accelerator"},
                 {"global batch size", "/global_batch"},
                 {"global_batch_size", "/global_batch"},
                 {"TFLOP", "/published_tflops"},
                 {"tflops", "/published_tflops"},
                 {"mfu", "/published_mfu"},
                 {"samples per second", "/measured/last_sequences_per_second"},
                 {"step", "/measured/last_iteration"},
                 {"memory", "/peak_memory_bytes"},
                 {"max", "/peak_memory_bytes"},
                 {"Peak", "/peak_memory_bytes"}}};
            for (const auto &[part, field] : fields)
                if (name.find(part) != std::string_view::npos)
                    return std::string(field);
            return name.find("reserved") != std::string_view::npos ? "/measured/reserved_bytes"
                                                                   : "/measured/allocated_bytes";
        };
        m_run.understand("step lines", fmt::format("{}", m_log.steps.size()), "/measured/iterations");
        for (const auto &[name, field] : m_log.fields)
            if (field.is_used)
                m_run.understand(name, field.last, field_of(name));
            else
                m_run.ignore(name, fmt::format("{} occurrences, the last one {}", field.times, field.last),
                             "describes the training, not its speed");
        if (!m_log.timers.empty())
            m_run.understand("timers", fmt::format("{}", m_log.timers.size()), "/measured/timers_seconds");
        if (m_log.other_lines > 0)
            m_run.ignore("other lines", fmt::format("{} of {}", m_log.other_lines, m_log.lines),
                         "neither steps nor settings");
    }

    MeasuredDocument m_run;
    TrainingLog m_log;
    const LaunchFile &m_file;
    const Library &m_library;
};

} // namespace

int training_log_likeness(const LaunchFile &file) {
    if (log_family(file.text) == LogFamily::none)
        return 0;
    return file.text.starts_with("#!") ? 20 : 93; // a script may quote such lines, or search a log for them
}

Imported import_training_log(const std::vector<LaunchFile> &files, const Library &library) {
    const LaunchFile &file = files.front();
    return RunOfLog(read_training_log(file.text), file, library).read();
}

} // namespace meshwright
