// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn_symbol.h"
#include "expression_dimensions.h"
#include "formula_text.h"
#include "formulas/collectives.h"
#include "formulas/formula.h"
#include "input/files.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <set>
#include <sstream>

namespace meshwright {

namespace {

using testing::draw;
using testing::Exponents;
using testing::ExpressionDimensions;
using testing::ParsedText;

std::map<std::string, Exponents, std::less<>> dimensions_of_names(const Formula &formula) {
    std::map<std::string, Exponents, std::less<>> names;
    for (const Symbol &symbol : formula.symbols)
        names[std::string(symbol.name)] = testing::exponents_of(dimensions_of(symbol.quantity, symbol.unit));
    return names;
}

std::string where(const Formula &formula, const FormulaResult &result) {
    return std::string(formula.id) + ": " + std::string(result.name) + " = " + formula_text(result);
}

/// Calls `check` for each result whose formula can be written as a text.
template <typename Check>
void for_each_text(const Check &check) {
    for (const Formula &formula : formulas())
        for (const FormulaResult &result : formula.results)
            if (!result.expression().has_opaque_part())
                check(formula, result);
}

} // namespace

/// The golden file shows every change of a formula's text.
TEST(Formulas, HaveTheTextsOfTheGoldenFile) {
    std::string texts = "# The text of each formula as it is read off its function: calculator, result, formula.\n";
    for_each_text([&](const Formula &formula, const FormulaResult &result) {
        texts += fmt::format("{}\t{}\t{}\n", formula.id, result.name, formula_text(result));
    });
    const std::filesystem::path golden = std::filesystem::path(MESHWRIGHT_TEST_DATA) / "formula_texts.tsv";
    std::istringstream expected(read_file(golden));
    std::istringstream actual(texts);
    std::string expected_line;
    std::string actual_line;
    while (std::getline(expected, expected_line) && std::getline(actual, actual_line))
        EXPECT_EQ(actual_line, expected_line);
    EXPECT_EQ(texts, read_file(golden)) << "the golden file needs one line per result";
}

TEST(Formulas, EveryTextIsItsFunction) {
    std::mt19937_64 random(20250101);
    for_each_text([&](const Formula &formula, const FormulaResult &result) {
        SCOPED_TRACE(where(formula, result));
        ParsedText text(formula, result);
        // A difference of similar terms loses digits in any order of evaluation.
        const bool is_difference = formula_text(result).find(" - ") != std::string::npos;
        // A schedule is executed in each round, with up to a million operations.
        const int rounds = formula_text(result).find("executed_bubble(") != std::string::npos ? 60 : 3000;
        int compared = 0;
        for (int round = 0; round < rounds; ++round) {
            std::vector<double> values;
            for (const Symbol &symbol : formula.symbols)
                values.push_back(draw(symbol, random));
            std::vector<double> arguments;
            for (const std::string_view name : result.arguments)
                arguments.push_back(
                    values[static_cast<std::size_t>(formula.find_symbol(name) - formula.symbols.data())]);
            const double expected = result.function(arguments);
            if (!std::isfinite(expected))
                continue; // outside the domain of the function, such as a rank beyond the last
            ++compared;
            const double actual = text(values);
            const double scale =
                is_difference ? std::max({std::abs(expected), 1e-3, std::abs(actual)}) : std::abs(expected);
            ASSERT_NEAR(actual, expected, 1e-9 * scale) << ::testing::PrintToString(arguments);
        }
        EXPECT_GT(compared, rounds / 3);
    });
}

TEST(Formulas, TheProgramsOwnReaderAgreesWithMuParser) {
    std::mt19937_64 random(7);
    for_each_text([&](const Formula &formula, const FormulaResult &result) {
        SCOPED_TRACE(where(formula, result));
        ParsedText text(formula, result);
        for (int round = 0; round < 50; ++round) {
            std::vector<double> values;
            std::map<std::string, double, std::less<>> by_name;
            for (const Symbol &symbol : formula.symbols) {
                values.push_back(draw(symbol, random));
                by_name[std::string(symbol.name)] = values.back();
            }
            const auto read =
                substituted(result.expression(), [&](std::string_view name) -> std::optional<Substitution> {
                    const auto found = by_name.find(name);
                    return Substitution{found == by_name.end() ? 1 : found->second, std::string(name)};
                });
            ASSERT_TRUE(read.has_value());
            const double expected = text(values);
            if (std::isfinite(expected)) {
                ASSERT_NEAR(read->value, expected, 1e-9 * std::abs(expected));
            }
        }
    });
}

TEST(Formulas, EveryTextAgreesWithItsUnits) {
    for_each_text([](const Formula &formula, const FormulaResult &result) {
        SCOPED_TRACE(where(formula, result));
        Exponents made{};
        ASSERT_NO_THROW(made = ExpressionDimensions(dimensions_of_names(formula)).of(result.expression()));
        EXPECT_EQ(made, testing::exponents_of(dimensions_of(result.quantity, result.unit)));
    });
}

TEST(Formulas, TheCheckOfUnitsFindsWhatDoesNotAgree) {
    const std::map<std::string, Exponents, std::less<>> names{{"bytes", {1}}, {"seconds", {0, 1}}, {"count", {}}};
    for (const char *wrong : {"bytes + seconds", "bytes + 1", "log2(bytes)", "2 ^ seconds", "bytes ^ count",
                              "count > bytes ? 1 : 2", "min(bytes, seconds)", "bytes == 1 ? bytes : seconds"})
        EXPECT_THROW(ExpressionDimensions(names).of(*parse_expression(wrong)), std::runtime_error) << wrong;
    EXPECT_EQ(ExpressionDimensions(names).of(*parse_expression("sqrt(bytes * bytes) / seconds + 0")),
              (Exponents{1, -1}));
}

TEST(Formulas, ATextUsesTheArgumentsOfItsFunctionAndNoOthers) {
    for_each_text([](const Formula &formula, const FormulaResult &result) {
        SCOPED_TRACE(where(formula, result));
        std::vector<std::string> arguments(result.arguments.begin(), result.arguments.end());
        std::sort(arguments.begin(), arguments.end());
        arguments.erase(std::unique(arguments.begin(), arguments.end()), arguments.end());
        EXPECT_EQ(ParsedText(formula, result).used(), arguments);
    });
}

/// Results that are sums over many cases, recursions, tables or executed schedules have no formula text. A calculator
/// shows the function call instead; published figures and independent calculations check them.
TEST(Formulas, OnlyProceduresHaveNoText) {
    const std::set<std::string> simulations{
        "quorum-probability probability", // a sum of binomials
        "top-k-payload index_bound_bits", // a binomial coefficient
        "loss-scale scale", // calculated step by step
        "loss-scale scale_at_step", "loss-scale skipped_steps",
        "batch-stages steps", // calculated stage by stage
        "batch-stages final_batch", "batch-stages extra_steps", "batch-stages stage_steps", "batch-stages stage_batch",
        "document-packing attention_share", // calculated document by document
        "document-packing tokens", "document-packing sequences", "document-packing useful_share",
        "document-packing padded_sequences", "document-packing padded_useful_share", "document-packing flops",
        "document-packing masked_flops", "document-packing imbalance",
        // Calculated over a list of microbatches.
        "accumulation-weights misplaced_share", "accumulation-weights most_weight", "accumulation-weights least_weight",
        "accumulation-weights tokens", "accumulation-weights naive_share", "accumulation-weights token_share",
        "compute-for-optimal-loss times", // inverts the law of optimal loss
        "v-min-bubble bubble_seconds", // from a table of the schedule generator's output
        "v-min-bubble over_ideal", "v-min-bubble of_total",
        "pipeline-in-flight microbatches", // counted by each schedule
        "pipeline-in-flight chunks_in_flight", "pipeline-in-flight bytes_in_flight"};
    for (const Formula &formula : formulas())
        for (const FormulaResult &result : formula.results) {
            const std::string name = std::string(formula.id) + " " + std::string(result.name);
            EXPECT_EQ(result.expression().has_opaque_part(), simulations.contains(name)) << name;
        }
}

TEST(Formulas, TheCatalogueIsWhole) {
    std::set<std::string_view> ids;
    for (const Formula &formula : formulas()) {
        SCOPED_TRACE(formula.id);
        EXPECT_TRUE(ids.insert(formula.id).second) << "twice";
        EXPECT_FALSE(formula.title.empty() || formula.topic.empty() || formula.source.empty());
        ASSERT_FALSE(formula.results.empty());
        // Keys that a calculator prints in addition to its results.
        std::set<std::string_view> names{"calculator",  "title", "arguments", "results", "formula",
                                         "substituted", "unit",  "source",    "notes"};
        std::set<std::string_view> used;
        for (const FormulaResult &result : formula.results) {
            EXPECT_TRUE(names.insert(result.name).second) << result.name;
            EXPECT_FALSE(result.letter.empty() || result.meaning.empty() || result.arguments.empty()) << result.name;
            EXPECT_TRUE(static_cast<bool>(result.function));
            for (const std::string_view name : result.arguments) {
                EXPECT_NE(formula.find_symbol(name), nullptr) << name;
                used.insert(name);
            }
        }
        std::set<std::string_view> symbols;
        for (const Symbol &symbol : formula.symbols) {
            EXPECT_TRUE(symbols.insert(symbol.name).second) << symbol.name;
            EXPECT_TRUE(used.contains(symbol.name)) << symbol.name << " occurs in no result";
            EXPECT_FALSE(symbol.letter.empty() || symbol.meaning.empty()) << symbol.name;
            EXPECT_LT(symbol.low, symbol.high) << symbol.name;
            if (symbol.otherwise) {
                EXPECT_GE(*symbol.otherwise, symbol.low) << symbol.name;
                EXPECT_LE(*symbol.otherwise, symbol.high) << symbol.name;
            }
        }
    }
    EXPECT_GE(ids.size(), 100u);
}

TEST(Formulas, OneFunctionServesAllWhoCallIt) {
    using formula::ring_all_reduce_bytes;
    const auto sent = [] {
        return calculate("ring-all-reduce", {{"ranks", "8"}, {"bytes", "1GB"}}).values.front().value;
    };
    const auto tensor_sent = [] {
        return calculate("tensor-all-reduce",
                         {{"micro_batch", "1"}, {"sequence", "4096"}, {"hidden", "8192"}, {"ranks", "8"}})
            .values.front()
            .value;
    };
    EXPECT_DOUBLE_EQ(sent(), 1.75e9);
    const double before = tensor_sent();
    {
        const decltype(ring_all_reduce_bytes)::Replacement half(
            ring_all_reduce_bytes, +[](double ranks, double bytes) {
                return (ranks - 1) / ranks * bytes; // an error found in a textbook
            });
        EXPECT_DOUBLE_EQ(sent(), 0.875e9);
        EXPECT_DOUBLE_EQ(tensor_sent(), before / 2);
    }
    EXPECT_DOUBLE_EQ(sent(), 1.75e9);
}

TEST(Formulas, NumbersStandInTheText) {
    const auto text = [](std::string_view id, const std::map<std::string, std::string, std::less<>> &arguments) {
        return calculate(id, arguments).values.front().substituted;
    };
    EXPECT_EQ(text("ring-all-reduce", {{"ranks", "8"}, {"bytes", "1GB"}}), "2 * (8 - 1) / 8 * 1 GB");
    EXPECT_EQ(text("zero-memory", {{"parameters", "7B"}, {"ranks", "64"}, {"stage", "1"}}),
              "7e9 * 2 B / 1 + 7e9 * 2 B / 1 + 7e9 * 12 B / 64");
    EXPECT_EQ(text("checkpoint-write", {{"bytes", "980GB"}, {"bandwidth", "10GB/s"}}), "980 GB / ((10 GB/s) * 1)");
    EXPECT_EQ(text("scaled-learning-rate",
                   {{"base_rate", "3e-4"}, {"base_batch", "256"}, {"batch", "2048"}, {"rule", "sqrt"}}),
              "0.0003 * (2048 / 256) ^ 0.5");
    EXPECT_EQ(text("pipeline-in-flight", {{"schedule", "gpipe"}, {"stages", "4"}, {"microbatches", "12"}}),
              "microbatches(gpipe, 4, 12, 1, 0, 0)");
    EXPECT_EQ(text("predicted-loss", {{"parameters", "7B"}, {"tokens", "1T"}, {"law", "hoffmann"}}),
              "1.69 + 406.4 / 7e9 ^ 0.34 + 410.7 / 1e12 ^ 0.28");
    EXPECT_EQ(text("quorum-probability", {{"sites", "72"}, {"quorum", "64"}, {"availability", "95%"}}),
              "probability(72, 64, 95%)");
}

} // namespace meshwright
