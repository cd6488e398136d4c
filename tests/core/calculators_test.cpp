// SPDX-License-Identifier: GPL-3.0-or-later
#include "data_rows.h"
#include "formulas/formula.h"
#include "input/diagnostic.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace meshwright {

namespace {

using Arguments = std::map<std::string, std::string, std::less<>>;

struct Row {
    std::string calculator;
    Arguments arguments;
    std::string result;
    double expected;
};

std::vector<Row> textbook_rows() {
    std::vector<Row> rows;
    for (const std::vector<std::string> &row : testing::rows_of("calculators.csv"))
        rows.push_back({row.at(0), testing::arguments_of(row.at(1)), row.at(2), std::stod(row.at(3))});
    return rows;
}

double value_of(std::string_view id, const Arguments &arguments, std::string_view result) {
    const Calculation calculation = calculate(id, arguments);
    for (const Calculation::Value &value : calculation.values)
        if (value.result->name == result)
            return value.value;
    ADD_FAILURE() << id << " has no result " << result;
    return std::nan("");
}

/// Returns the error line of rejected arguments; fails the test if they are accepted.
std::string rejection(std::string_view id, const Arguments &arguments) {
    try {
        calculate(id, arguments);
    } catch (const InputError &error) {
        return one_line(std::string(id), error.diagnostics());
    }
    ADD_FAILURE() << id << " accepts it";
    return {};
}

void expect_mentions(const std::string &line, const std::vector<std::string> &words) {
    EXPECT_EQ(line.find('\n'), std::string::npos);
    for (const std::string &word : words)
        EXPECT_NE(line.find(word), std::string::npos) << "\"" << word << "\" in: " << line;
}

} // namespace

TEST(Calculators, GiveTheExactValueOfEveryTextbookRow) {
    const std::vector<Row> rows = textbook_rows();
    ASSERT_EQ(rows.size(), 123u);
    for (const Row &row : rows) {
        SCOPED_TRACE(row.calculator + " " + row.result);
        EXPECT_NEAR(value_of(row.calculator, row.arguments, row.result), row.expected, 1e-12 * std::abs(row.expected));
    }
}

/// Makespans for unit times from the schedules' own repositories; the calculator gives the bubble, and the ideal time
/// is added.
TEST(Calculators, GiveTheMakespansOfPublishedSchedules) {
    struct Case {
        const char *calculator;
        const char *stages;
        const char *microbatches;
        double makespan;
    };
    for (const Case &one : {Case{"fill-bubble", "4", "8", 33}, // GPipe (arXiv 1811.06965) and 1F1B have the same bubble
                            Case{"zb-h1-bubble", "4", "8", 27}, // Zero Bubble, arXiv 2401.10241
                            // The times are in forward passes of a chunk, which is half a stage.
                            Case{"zb-h2-bubble", "4", "8", 27}, Case{"zb-v-bubble", "4", "8", 51 / 2.0},
                            Case{"dualpipe-bubble", "8", "20", 66}}) { // DualPipe, from DeepSeek's repository
        const double ideal = 3 * std::stod(one.microbatches);
        const Arguments shape{{"stages", one.stages}, {"microbatches", one.microbatches}};
        EXPECT_DOUBLE_EQ(ideal + value_of(one.calculator, shape, "bubble_seconds"), one.makespan) << one.calculator;
    }
    EXPECT_DOUBLE_EQ(
        value_of("interleaved-zb-bubble", {{"stages", "4"}, {"microbatches", "8"}, {"chunks", "2"}}, "bubble_seconds"),
        51 / 2.0 - 24); // PyTorch's InterleavedZeroBubble
    // Controllable Memory (arXiv 2405.15362): 3p - 7 chunks of half a stage each.
    EXPECT_DOUBLE_EQ(value_of("v-half-bubble", {{"stages", "8"}, {"microbatches", "16"}}, "bubble_seconds"), 17 / 2.0);
}

TEST(Calculators, GivePublishedModelsAndFailures) {
    EXPECT_EQ(value_of("llama-parameters",
                       {{"hidden", "4096"},
                        {"query_heads", "32"},
                        {"kv_heads", "32"},
                        {"head_dim", "128"},
                        {"feed_forward", "11008"},
                        {"layers", "32"},
                        {"vocabulary", "32000"}},
                       "parameters"),
              6738415616.0); // Llama 2 7B, from the index of its checkpoint
    // Llama 3, arXiv 2407.21783, section 3.3.4: 419 unexpected interruptions in 54 days on 16,384 accelerators.
    EXPECT_NEAR(value_of("expected-failures", {{"seconds", "54days"}, {"accelerators", "16384"}}, "failures"), 419,
                0.5);
}

TEST(Calculators, ReadUnits) {
    EXPECT_DOUBLE_EQ(
        value_of("ring-all-reduce", {{"ranks", "8"}, {"bytes", "2GB"}, {"bandwidth", "400Gb/s"}}, "seconds"), 0.07);
    EXPECT_DOUBLE_EQ(value_of("zero-memory", {{"parameters", "7B"}, {"ranks", "64"}, {"stage", "0"}}, "bytes"), 112e9);
    EXPECT_DOUBLE_EQ(value_of("outer-interval", {{"step_seconds", "25min"}, {"inner_steps", "2"}}, "seconds"), 3000);
    EXPECT_DOUBLE_EQ(value_of("communication-to-mfu",
                              {{"mfu", "50%"}, {"compute_seconds", "242 ms"}, {"exposed_seconds", "350ms"}}, "mfu"),
                     0.5 * 0.242 / 0.592);
}

TEST(Calculators, ReadAValueInTheirOwnUnitOrInAnyOther) {
    const auto rent = [](const std::string &days) {
        return value_of("rental-cost", {{"accelerators", "10"}, {"days", days}, {"price_per_hour", "$2/h"}}, "dollars");
    };
    EXPECT_DOUBLE_EQ(rent("14"), 6720);
    EXPECT_DOUBLE_EQ(rent("2weeks"), 6720);
    EXPECT_DOUBLE_EQ(rent("336 h"), 6720);
    EXPECT_DOUBLE_EQ(value_of("wire-payload", {{"parameters", "1B"}, {"bits", "1B"}}, "bytes"), 1e9);
}

TEST(Calculators, SolveForWhatIsMissing) {
    const Arguments run{{"flops", "3.7908e25"}, {"accelerators", "16384"}, {"peak", "989e12"}};
    Arguments timed = run;
    timed["days"] = "54";
    const double mfu = value_of("training-time", timed, "mfu");
    Arguments used = run;
    used["mfu"] = std::to_string(mfu);
    EXPECT_NEAR(value_of("training-time", used, "days"), 54, 1e-4);
    EXPECT_EQ(calculate("training-time", timed).values.size(), 1u)
        << "results that cannot be calculated must be left out";
}

TEST(Calculators, SayWhichArgumentsTheyTake) {
    expect_mentions(rejection("ring-all-reduce", {{"rank", "8"}}),
                    {"/rank", "did you mean ranks?", "ranks, bytes, bandwidth, latency (default 0 s)"});
    expect_mentions(rejection("ring-all-reduce", {{"ranks", "8 GB"}, {"bytes", "1"}}),
                    {"/ranks", "\"8 GB\"", "integer"});
    expect_mentions(rejection("ring-all-reduce", {{"ranks", "8"}, {"bytes", "5 min"}}), {"/bytes", "MB, GB"});
    expect_mentions(rejection("ring-all-reduce", {{"ranks", "0"}, {"bytes", "1"}}), {"/ranks", "from 1 to"});
    expect_mentions(rejection("ring-all-reduce", {{"bytes", "1GB"}}), {"needs", "ranks"});
    expect_mentions(rejection("scaled-learning-rate", {{"rule", "squrt"}}),
                    {"/rule", "linear or sqrt", "did you mean"});
    expect_mentions(rejection("ring-allreduce", {}), {"unknown calculator", "ring-all-reduce", "calc --list"});
    expect_mentions(rejection("order-statistic", {{"count", "8"}, {"rank", "9"}}), {"no finite result"});
}

TEST(Calculators, RejectHostileValues) {
    const std::vector<std::string> hostile{"",
                                           "nan",
                                           "-nan",
                                           "inf",
                                           "-inf",
                                           "1e308",
                                           "-1e308",
                                           "1e309",
                                           "1e-400",
                                           "0x10",
                                           "--1",
                                           "\xff\xfe",
                                           "1,,2",
                                           ",",
                                           "\u0661\u0662",
                                           "\u221e",
                                           "8\n9",
                                           "' or 1",
                                           "%s%n",
                                           "1e",
                                           "1e99999999999",
                                           std::string(1 << 20, '9')};
    for (const Formula &formula : formulas())
        for (const Symbol &symbol : formula.symbols)
            for (const std::string &value : hostile) {
                if (value == "1e-400" && symbol.low <= 0)
                    continue; // 1e-400 may be read as 0, which is in the symbol's range
                const std::string line = rejection(formula.id, {{std::string(symbol.name), value}});
                EXPECT_EQ(line.find('\n'), std::string::npos);
                EXPECT_LT(line.size(), 1500u);
            }
    for (const char *name : {"", "a/b", "\xff", "ring-all-reduce ", "../x"}) {
        EXPECT_THROW(calculate(name, {}), InputError);
        EXPECT_THROW(calculate("ring-all-reduce", {{name, "1"}}), InputError);
    }
}

RC_GTEST_PROP(Calculators, NeverGiveANumberThatIsNone, ()) {
    const Formula &formula = formulas()[*rc::gen::inRange<std::size_t>(0, formulas().size())];
    Arguments arguments;
    for (const Symbol &symbol : formula.symbols)
        if (*rc::gen::inRange(0, 8) > 0) {
            const auto exponent = *rc::gen::inRange(-10, 24);
            const auto digits = *rc::gen::inRange(1, 10);
            arguments[std::string(symbol.name)] = symbol.choices.empty()
                ? std::to_string(digits) + "e" + std::to_string(exponent)
                : std::string(symbol.choices[*rc::gen::inRange<std::size_t>(0, symbol.choices.size())]);
        }
    try {
        const Calculation calculation = calculate(formula.id, arguments);
        RC_ASSERT(!calculation.values.empty());
        for (const Calculation::Value &value : calculation.values) {
            RC_ASSERT(std::isfinite(value.value));
            RC_ASSERT(!value.substituted.empty());
        }
    } catch (const InputError &error) {
        RC_ASSERT(error.diagnostics().size() == 1u);
    }
}

TEST(Calculators, ReadBackWhatTheyPrint) {
    for (const Formula &formula : formulas())
        for (const Symbol &symbol : formula.symbols)
            for (const double value : {symbol.low, symbol.high, symbol.otherwise.value_or(symbol.low)}) {
                SCOPED_TRACE(std::string(formula.id) + " " + std::string(symbol.name));
                const std::string text = value_text(value, symbol);
                try {
                    const Calculation read = calculate(formula.id, {{std::string(symbol.name), text}});
                    EXPECT_TRUE(symbol.is_list || read.arguments.find(symbol.name)->second == value) << text;
                } catch (const InputError &error) {
                    // The argument was read, so the error names the missing arguments instead.
                    EXPECT_EQ(error.diagnostics().front().fields.front(), "") << error.what();
                }
            }
}

} // namespace meshwright
