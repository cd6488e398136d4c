// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawn_symbol.h"
#include "exercise/exercise_process.h"
#include "formulas/javascript.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <random>

namespace meshwright {

namespace {

std::string script_of(std::string_view text) {
    const std::optional<Expression> expression = parse_expression(text);
    return expression ? javascript_of(*expression) : "?";
}

/// Combines many formulas in one program, whose function takes the number of the formula as its first argument.
class FormulaPrograms {
public:
    void add(const Formula &formula, const FormulaResult &result, const std::string &function) {
        m_program += function;
        const std::size_t number = m_count++;
        for (int round = 0; round < 400 && m_cases.size() < 40 * m_count; ++round) {
            std::map<std::string_view, double> by_name;
            std::vector<double> arguments; // not a map, because two inputs may have the same name
            std::vector<double> once{static_cast<double>(number)};
            for (const std::string_view name : result.arguments) {
                const auto [place, is_new] =
                    by_name.try_emplace(name, testing::draw(*formula.find_symbol(name), m_random));
                arguments.push_back(place->second);
                if (is_new)
                    once.push_back(place->second);
            }
            const double expected = result.function(arguments);
            if (!std::isfinite(expected))
                continue; // the point is outside the domain of the function
            m_expected.push_back(expected);
            m_where.push_back(fmt::format("{} {}: {}", formula.id, result.name, function));
            m_cases.push_back(std::move(once));
        }
        if (m_count == 25)
            check();
    }
    void check() {
        std::string names;
        for (std::size_t i = 0; i < m_count; ++i)
            names += fmt::format("f{}, ", i);
        const std::string all =
            m_program + "const all = [" + names + "]; function f(number, ...rest) { return all[number](...rest); }";
        const ProgramOutcome outcome =
            run_in_process_of(MESHWRIGHT_PROGRAM, {.program = all, .function = "f", .cases = m_cases});
        EXPECT_EQ(outcome.problem, "") << all;
        ASSERT_EQ(outcome.values.size(), m_cases.size());
        for (std::size_t i = 0; i < m_cases.size(); ++i)
            EXPECT_NEAR(outcome.values[i], m_expected[i], 1e-12 * std::abs(m_expected[i]))
                << m_where[i] << ::testing::PrintToString(m_cases[i]);
        m_compared += m_cases.size();
        m_program.clear();
        m_cases.clear();
        m_expected.clear();
        m_where.clear();
        m_count = 0;
    }
    std::size_t count() const { return m_count; }
    std::size_t compared() const { return m_compared; }

private:
    std::mt19937_64 m_random{20260101};
    std::string m_program;
    std::size_t m_count = 0;
    std::vector<std::vector<double>> m_cases;
    std::vector<double> m_expected;
    std::vector<std::string> m_where;
    std::size_t m_compared = 0;
};

} // namespace

TEST(FormulaPrograms, AreTheFormulas) {
    FormulaPrograms programs;
    std::size_t texts = 0;
    std::string left_out;
    for (const Formula &formula : formulas())
        for (const FormulaResult &result : formula.results) {
            if (result.expression().has_opaque_part())
                continue;
            ++texts;
            const std::string function =
                javascript_function(fmt::format("f{}", programs.count()), result.arguments, result.expression());
            if (function.empty())
                left_out += fmt::format("{} ", formula.id);
            else
                programs.add(formula, result, function);
        }
    programs.check();
    // JavaScript has no normal distribution, and the bubble needs an executed schedule.
    EXPECT_EQ(left_out,
              "gradient-underflow gradient-underflow gradient-underflow gradient-underflow "
              "pipeline-bubble pipeline-bubble pipeline-bubble ");
    EXPECT_GT(programs.compared(), 35 * texts);
}

TEST(FormulaPrograms, AreWrittenInJavaScript) {
    EXPECT_EQ(script_of("2 * (ranks - 1) / ranks * bytes"), "2 * (ranks - 1) / ranks * bytes");
    EXPECT_EQ(script_of("a * (b / c) + (d + 1)"), "a * (b / c) + (d + 1)");
    EXPECT_EQ(script_of("-a ^ 2"), "-(a ** 2)");
    EXPECT_EQ(script_of("(-a) ^ (-2)"), "(-a) ** (-2)");
    EXPECT_EQ(script_of("a ^ b ^ c"), "a ** (b ** c)");
    EXPECT_EQ(script_of("a - -b"), "a - (-b)");
    EXPECT_EQ(script_of("max(ceil(a), ln(b)) * _pi"), "Math.max(Math.ceil(a), Math.log(b)) * Math.PI");
    EXPECT_EQ(script_of("a == 1 || b != 2 && c < 3 ? x : y ? z : 0"),
              "a === 1 || b !== 2 && c < 3 ? x : y !== 0 ? z : 0");
    EXPECT_EQ(script_of("(a < b) * c"), "(a < b ? 1 : 0) * c");
    EXPECT_EQ(script_of("(a || b) + 1"), "(a !== 0 || b !== 0 ? 1 : 0) + 1");
    EXPECT_EQ(script_of("new + in"), "new_ + in_");
    EXPECT_NE(javascript_function("f", {"n"}, *parse_expression("harmonic(n)")).find("function harmonic(n)"),
              std::string::npos);
    EXPECT_EQ(script_of("executed_bubble(a, b, c)"), "");
    EXPECT_EQ(javascript_function("half", {"a", "in", "a"}, *parse_expression("a / 2 + in")),
              "function half(a, in_) {\n    return a / 2 + in_;\n}\n");
}

} // namespace meshwright
