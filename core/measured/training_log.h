// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace meshwright {

enum class LogFamily { none, megatron, torchtitan, nanotron };

/// One logged step of a run. Rates are as printed, and unset if the line does not contain them.
struct LoggedStep {
    std::int64_t number = 0;
    std::optional<double> seconds;
    std::optional<double> tokens_per_second; ///< throughput of one accelerator
    std::optional<double> flops_per_second; ///< FLOP/s of one accelerator, by the framework's own convention
    std::optional<double> sequences_per_second; ///< throughput of the whole run
    std::optional<double> mfu;
};

/// Peak memory of one accelerator, in bytes: the maximum over all lines and ranks.
struct LoggedMemory {
    std::optional<double> allocated; ///< bytes allocated when the line was logged
    std::optional<double> max_allocated;
    std::optional<double> reserved;
    std::optional<double> max_reserved;
    std::optional<double> device; ///< bytes in use as the driver reports it
    std::optional<double> reserved_fraction; ///< fraction of the device's memory that is reserved
};

/// Statistics of a field in step lines: the number of occurrences and the last value.
struct LoggedField {
    std::string last; ///< last value as printed
    std::size_t times = 0;
    bool is_used = false;
};

/// A setting from the start of a log, with the corresponding column of measured runs.
struct LoggedSetting {
    std::string name;
    std::string printed;
    std::string column; ///< column of measured runs; empty if there is none
    std::string value;
};

struct TrainingLog {
    LogFamily family = LogFamily::none;
    std::vector<LoggedStep> steps; ///< each step once, in the order of the log
    std::optional<std::int64_t> total_steps;
    std::optional<double> global_sequences; ///< global batch size of the last logged step, in sequences
    std::optional<double> global_tokens; ///< tokens per step, if the log counts tokens
    LoggedMemory memory;
    std::vector<std::pair<std::string, std::string>> arguments;
    std::string command; ///< the command line that the launcher printed, including options
    std::vector<LoggedSetting> settings;
    std::map<std::string, LoggedField> fields; ///< other fields, by their names in the log
    std::map<std::string, std::vector<double>> timers; ///< timers in seconds, with one value per logged step
    std::int64_t largest_communicator = 0; ///< number of ranks of the largest communicator, from NCCL's messages
    std::size_t lines = 0;
    std::size_t other_lines = 0;

    /// Returns the step with this number, or adds it if it is new, since every rank may log it.
    LoggedStep &step(std::int64_t number);
    void note(std::string_view name, std::string_view printed, bool is_used);
    /// Adds a setting. If several have the same name, the first one is used.
    void set(LoggedSetting setting);
    const LoggedSetting *setting_of(std::string_view column) const;

private:
    std::unordered_map<std::int64_t, std::size_t> m_places;
};

/// Each function handles the lines of one family of frameworks, and returns whether it recognized the line.
bool read_megatron_line(std::string_view line, TrainingLog &log);
bool read_torchtitan_line(std::string_view line, TrainingLog &log);
bool read_nanotron_line(std::string_view line, TrainingLog &log);

/// Reads the log of one run. @throws InputError if no line is a training step
TrainingLog read_training_log(std::string_view text);

LogFamily log_family(std::string_view text);

} // namespace meshwright
