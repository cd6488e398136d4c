// SPDX-License-Identifier: GPL-3.0-or-later
#include "measured/training_log.h"

#include "input/diagnostic.h"
#include "measured/log_text.h"

#include <algorithm>

namespace meshwright {

namespace {

constexpr std::size_t max_steps = 1'000'000;
constexpr std::size_t max_kinds = 500; ///< maximum number of distinct entries and of settings

bool read_any_line(std::string_view line, TrainingLog &log) {
    switch (log.family) {
    case LogFamily::megatron:
        return read_megatron_line(line, log);
    case LogFamily::torchtitan:
        return read_torchtitan_line(line, log);
    case LogFamily::nanotron:
        return read_nanotron_line(line, log);
    case LogFamily::none:
        break;
    }
    return false;
}

} // namespace

LoggedStep &TrainingLog::step(std::int64_t number) {
    const auto [place, is_new] = m_places.try_emplace(number, steps.size());
    if (is_new && steps.size() >= max_steps)
        throw InputError("", "the log has more than a million steps", "expected an excerpt of the log");
    if (is_new)
        steps.push_back({.number = number});
    return steps[place->second];
}

void TrainingLog::note(std::string_view name, std::string_view printed, bool is_used) {
    constexpr std::size_t longest = 100;
    const std::string key(log_trimmed(name).substr(0, longest));
    if (fields.size() >= max_kinds && !fields.contains(key))
        return;
    LoggedField &field = fields[key];
    field.last = log_trimmed(printed).substr(0, longest);
    ++field.times;
    field.is_used = field.is_used || is_used;
}

void TrainingLog::set(LoggedSetting setting) {
    const bool is_known = std::any_of(settings.begin(), settings.end(),
                                      [&](const LoggedSetting &other) { return other.name == setting.name; });
    if (!is_known && settings.size() < max_kinds)
        settings.push_back(std::move(setting));
}

const LoggedSetting *TrainingLog::setting_of(std::string_view column) const {
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&](const LoggedSetting &setting) { return setting.column == column; });
    return found == settings.end() ? nullptr : &*found;
}

LogFamily log_family(std::string_view text) {
    const auto has = [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; };
    if (has("elapsed time per iteration (ms)") || has("train_step_timing in s:"))
        return LogFamily::megatron;
    if (has("time_per_iteration_ms:"))
        return LogFamily::nanotron;
    if (has("step:") && has("tps:") && has("memory:"))
        return LogFamily::torchtitan;
    return has("- end of arguments -") ? LogFamily::megatron
                                       : LogFamily::none; // a run that ended before its first step
}

TrainingLog read_training_log(std::string_view text) {
    const std::string plain = plain_log(text);
    TrainingLog log;
    log.family = log_family(plain);
    for (const std::string_view line : log_lines(plain)) {
        ++log.lines;
        if (!read_any_line(line, log) && !log_trimmed(line).empty())
            ++log.other_lines;
    }
    if (log.steps.empty())
        throw InputError("", "no training steps in the log",
                         "expected lines such as \"iteration 10/ 100 | elapsed time per iteration (ms): 812.5\" of "
                         "Megatron, \"step: 10 ... tps: 6,785\" of torchtitan, or \"iteration: 10 / 100 | "
                         "time_per_iteration_ms: 1.2K\" of nanotron");
    return log;
}

} // namespace meshwright
