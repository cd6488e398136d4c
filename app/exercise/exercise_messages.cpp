// SPDX-License-Identifier: GPL-3.0-or-later
#include "exercise/exercise_messages.h"

#include "input/diagnostic.h"
#include "input/json_document.h"
#include "input/printable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace meshwright {

namespace {

using nlohmann::ordered_json;

constexpr InputLimits requestLimits{.bytes = 1u << 20};

constexpr std::size_t mostArguments = 100;

/// JSON has no NaN or infinity, so they are written as strings.
constexpr std::string_view notANumber = "NaN";
constexpr std::string_view infinite = "Infinity";
constexpr std::string_view negativeInfinite = "-Infinity";

ordered_json jsonOf(double value) {
    if (std::isnan(value))
        return notANumber;
    if (std::isinf(value))
        return value > 0 ? infinite : negativeInfinite;
    return value;
}

std::optional<double> numberOf(const ordered_json &value) {
    if (value.is_number())
        return value.get<double>();
    if (value == notANumber)
        return std::nan("");
    if (value == infinite)
        return std::numeric_limits<double>::infinity();
    if (value == negativeInfinite)
        return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

} // namespace

std::string requestOf(const ProgramCall &call) {
    if (call.program.size() > largest_program_bytes)
        throw InputError("", "the program has more than 64 KiB", "expected a shorter program");
    if (call.cases.size() > most_program_calls)
        throw InputError("", fmt::format("the function is called {} times", call.cases.size()),
                         fmt::format("expected at most {}", most_program_calls));
    ordered_json cases = ordered_json::array();
    for (const std::vector<double> &arguments : call.cases) {
        if (arguments.size() > mostArguments)
            throw InputError("", fmt::format("the function is called with {} arguments", arguments.size()),
                             fmt::format("expected at most {}", mostArguments));
        ordered_json &row = cases.emplace_back(ordered_json::array());
        for (const double argument : arguments)
            row.push_back(jsonOf(argument));
    }
    // Invalid UTF-8 becomes U+FFFD, which is a syntax error outside strings and comments.
    return ordered_json{{"program", call.program}, {"function", call.function}, {"cases", std::move(cases)}}.dump(
        -1, ' ', false, ordered_json::error_handler_t::replace);
}

ProgramCall callOf(std::string_view request) {
    const ordered_json read = parse_json(request, requestLimits);
    const auto reject = [] {
        return InputError("", "not a request to run an exercise program", "expected a request from meshwright");
    };
    try {
        ProgramCall call{.program = read.at("program"), .function = read.at("function"), .cases = {}};
        for (const ordered_json &row : read.at("cases")) {
            std::vector<double> &arguments = call.cases.emplace_back();
            for (const ordered_json &argument : row) {
                const std::optional<double> number = numberOf(argument);
                if (!number)
                    throw reject();
                arguments.push_back(*number);
            }
        }
        return call;
    } catch (const nlohmann::json::exception &) {
        throw reject();
    }
}

std::string readyLine() {
    return "\"ready\"\n";
}

std::string valueLine(double value) {
    return jsonOf(value).dump() + "\n";
}

std::string problemLine(std::string_view problem) {
    return ordered_json{{"problem", problem}}.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

bool ExerciseAnswer::take(std::string_view line) {
    if (m_complete)
        return false;
    const ordered_json read = ordered_json::parse(line, nullptr, false);
    if (!m_ready)
        return m_ready = read == "ready";
    if (const std::optional<double> value = numberOf(read); value && m_outcome.values.size() < m_cases) {
        m_outcome.values.push_back(*value);
        return true;
    }
    if (!read.is_object() || !read.contains("problem") || !read["problem"].is_string())
        return false;
    m_outcome.problem = printable(read["problem"].get<std::string>());
    m_complete = !m_outcome.problem.empty() || m_outcome.values.size() == m_cases;
    return m_complete;
}

void ExerciseAnswer::end(std::string_view problem) {
    if (!m_complete)
        m_outcome.problem = problem;
    m_complete = true;
}

} // namespace meshwright
