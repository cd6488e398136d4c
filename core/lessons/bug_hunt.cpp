// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/bug_hunt.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace meshwright {

std::vector<std::string> program_with(const LessonStep &step, std::size_t fix) {
    std::vector<std::string> program = step.program;
    if (fix < step.options.size()) {
        const StepOption &option = step.options[fix];
        if (option.line >= 1 && static_cast<std::size_t>(option.line) <= program.size())
            program[static_cast<std::size_t>(option.line) - 1] = option.code;
    }
    return program;
}

NamedNumbers run_program(const std::vector<std::string> &program, const NamedNumbers &numbers) {
    NamedNumbers values = numbers;
    std::set<std::string, std::less<>> known;
    for (const auto &[name, value] : numbers)
        known.insert(name);
    for (const std::string &line : program) {
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos || equals == 0)
            continue;
        const std::string name = line.substr(0, line.find_last_not_of(' ', equals - 1) + 1);
        if (const std::optional<StepExpression> expression = expression_over(line.substr(equals + 1), known))
            values[name] = value_of(*expression, values);
        known.insert(name);
    }
    return values;
}

bool agrees_with_engine(const LessonStep &step, const std::vector<std::string> &program, const NamedNumbers &numbers) {
    constexpr double rounding = 1e-9;
    const NamedNumbers values = run_program(program, numbers);
    return std::all_of(step.checked.begin(), step.checked.end(), [&](const auto &pair) {
        const auto calculated = values.find(pair.first), wanted = numbers.find(pair.second);
        return calculated != values.end() && wanted != numbers.end()
            && std::abs(calculated->second - wanted->second) <= rounding * std::abs(wanted->second);
    });
}

std::size_t right_fix(const LessonStep &step, const NamedNumbers &numbers) {
    const std::size_t none = step.options.size();
    if (agrees_with_engine(step, step.program, numbers))
        return none;
    std::size_t right = none;
    for (std::size_t i = 0; i < step.options.size(); ++i) {
        if (!agrees_with_engine(step, program_with(step, i), numbers))
            continue;
        if (right != none)
            return none;
        right = i;
    }
    return right;
}

} // namespace meshwright
