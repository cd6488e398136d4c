// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/expression.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "plan/layout.h"
#include "plan/plan_json.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

std::string repeated(const std::string &text, std::size_t times) {
    std::string all;
    all.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i)
        all += text;
    return all;
}

/// Returns the error for a rejected text, which must be a single line.
std::string rejection(const std::string &text) {
    try {
        const Json document = parse_json(text);
        const PlanReading reading = read_plan(document, shipped_presets());
        return reading.valid() ? "" : one_line("plan", reading.diagnostics);
    } catch (const InputError &error) {
        return one_line("plan", error.diagnostics());
    }
}

TEST(HostileText, IsRejectedInOneLine) {
    const std::string head = R"({"schema": "meshwright.plan/1", "model": "llama-3.1-8b", "cluster": "dgx-h100")";
    const std::string without_model = R"({"schema": "meshwright.plan/1", "cluster": "dgx-h100")";
    ASSERT_EQ(rejection(head + "}"), "");
    EXPECT_NE(rejection(without_model + R"(, "model": {"hidden": 8, "vocabulary": 8}})").find("/model/blocks: missing"),
              std::string::npos);
    for (const std::string &text : {std::string(),
                                    std::string("{"),
                                    std::string("null"),
                                    std::string("[]"),
                                    std::string("\"\""),
                                    std::string("1e308"),
                                    std::string("nan"),
                                    std::string(1000, '\0'),
                                    head,
                                    head + "}}",
                                    head + "} {",
                                    head + R"(, "name": "a", "name": "b"})",
                                    head + ", \"name\": \"\xff\xfe\"}",
                                    head + R"(, "run": {"tokens": 1e999}})",
                                    head + R"(, "run": {"tokens": 1e308}})",
                                    head + R"(, "run": {"tokens": -1e308}})",
                                    head + R"(, "run": {"tokens": NaN}})",
                                    head + R"(, "batch": {"global_sequences": 18446744073709551615}})",
                                    head + R"(, "batch": {"global_sequences": -9223372036854775808}})",
                                    head + R"(, "parallelism": {"tensor": 1e300}})",
                                    head + R"(, "parallelism": {"tensor": 1.5}})",
                                    head + R"(, "precision": {"weights": "none"}})",
                                    head + R"(, "stack": [1]})",
                                    head + R"(, "stack": "nothing"})",
                                    head + R"(, "parallelism": {"layout": "((((((((((((t"}})",
                                    head + R"(, "parallelism": {"layout": "ü"}})",
                                    head + ", \"" + repeated("ü", 500) + "\": 1}",
                                    head + ", \"outer\": {\"method\": \"" + repeated("\xc3\xa9", 400) + "\"}}",
                                    repeated("[", 100'000),
                                    repeated("{\"a\":", 100'000),
                                    head + ", \"kept\": " + repeated("[", 70) + repeated("]", 70) + "}",
                                    std::string(largest_input_bytes + 1, ' ')}) {
        const std::string line = rejection(text);
        EXPECT_NE(line, "") << text.substr(0, 200);
        EXPECT_EQ(line.find('\n'), std::string::npos);
        EXPECT_NE(line.find(": /"), std::string::npos) << line;
        EXPECT_NO_THROW((void)Json(line).dump()) << "not UTF-8"; // reports include the line as JSON
    }
}

TEST(HostileText, NamesThePlaceOfASyntaxError) {
    EXPECT_NE(rejection("{\n  \"name\": \"a\"")
                  .find("invalid JSON in line 2, column 14: unexpected end of input instead of '}'"),
              std::string::npos);
    EXPECT_NE(rejection("nul; expected " + repeated("x", 500))
                  .find("invalid JSON in line 1, column 4: invalid literal; expected one"),
              std::string::npos);
}

TEST(HostileText, OfAMillionWrongFieldsIsRejectedAtOnce) {
    std::string text = R"({"schema": "meshwright.plan/1")";
    for (int i = 0; i < 400'000; ++i)
        text += ",\"field" + std::to_string(i) + "\":1";
    text += "}";
    const auto start = std::chrono::steady_clock::now();
    EXPECT_NE(rejection(text), "");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(HostileLayout, IsRejectedOrReadAtOnce) {
    const auto start = std::chrono::steady_clock::now();
    for (const std::string &text :
         {repeated("(", 1'000'000), repeated(")", 10), std::string("t*"), std::string("t*99999999999999999999"),
          std::string("(t*100000)*100000"), std::string("((((t*10)*10)*10)*10)*10*10"), std::string("x"),
          std::string("t*-1"), std::string("\xff"), std::string("(t"), std::string("t**2"), std::string("*3")})
        EXPECT_THROW((void)read_layout(text), InputError) << text.substr(0, 40);
    EXPECT_EQ(read_layout(repeated("()*100000", 200'000)).size(), 1u); // a very long layout without content
    EXPECT_EQ(read_layout("t*0|t").front().layers, 0);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(HostileFormula, IsReadOrRefusedAtOnce) {
    const NameLookup one = [](std::string_view) { return Substitution{.value = 1, .text = "1"}; };
    EXPECT_EQ(substituted(*parse_expression(repeated("(", 20) + "x" + repeated(")", 20)), one)->value, 1);
    for (const char *unknown : {"min(x)", "max(1, 2, 3)", "nothing(x)"})
        EXPECT_TRUE(std::isnan(substituted(*parse_expression(unknown), one)->value)) << unknown;
    for (const std::string &text :
         {repeated("(", 100'000), repeated("-(", 100'000) + "x", repeated("x?", 100'000), repeated("max(", 100'000),
          repeated("x^", 100'000) + "x", repeated("x + ", 100'000) + "x", std::string("max()"), std::string("1e999"),
          std::string("\xff")})
        EXPECT_FALSE(parse_expression(text)) << text.substr(0, 40);
    EXPECT_EQ(text_of(*parse_expression(repeated("-", 100'001) + "x")), "-x");
    EXPECT_EQ(text_of(*parse_expression("a - " + repeated("-", 50) + "x")), "a - x");
}

/// Collects JSON pointers to every value of a document, including containers.
void collect(const Json &value, const Json::json_pointer &at, std::vector<Json::json_pointer> &found) {
    found.push_back(at);
    if (value.is_object())
        for (const auto &item : value.items())
            collect(item.value(), at / item.key(), found);
    else if (value.is_array())
        for (std::size_t i = 0; i < value.size() && i < 20; ++i)
            collect(value[i], at / i, found);
}

Json nested(int depth) {
    Json value = 1;
    for (int i = 0; i < depth; ++i)
        value = i % 2 == 0 ? Json::array({value}) : Json{{"a", value}};
    return value;
}

Json random_value() {
    return *rc::gen::oneOf(
        rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t value) { return Json(value); }),
        rc::gen::map(rc::gen::inRange<std::int64_t>(-2, 300), [](std::int64_t value) { return Json(value); }),
        rc::gen::map(rc::gen::arbitrary<double>(), [](double value) { return Json(value); }),
        rc::gen::map(rc::gen::element<double>(0.0, -0.0, 1e-308, 1e308, 1.7e18, 9.3e18, 1e9, 999'999'999.0, 0.5),
                     [](double value) { return Json(value); }),
        rc::gen::map(rc::gen::elementOf(std::vector<std::string>{"", "none", "1f1b", "NaN", "\xc3\xbc", "dgx-h100",
                                                                 "deepseek-v3", "Et*3|(tt|)*29,m|L", "interleaved"}),
                     [](const std::string &value) { return Json(value); }),
        rc::gen::map(rc::gen::inRange(0, 60), [](int depth) { return nested(depth); }),
        rc::gen::element(Json(), Json(true), Json::array(), Json::object(), Json(std::string(3000, 'x')),
                         Json(std::vector<int>(5000, 1))));
}

void mutate(Json &document) {
    std::vector<Json::json_pointer> places;
    collect(document, Json::json_pointer(), places);
    const Json::json_pointer place = *rc::gen::elementOf(places);
    if (place.empty()) {
        document = *rc::gen::inRange(0, 20) == 0 ? random_value() : document;
        return;
    }
    Json &parent = document[place.parent_pointer()];
    const int operation = *rc::gen::inRange(0, 10);
    if (operation == 0 && parent.is_object())
        parent.erase(place.back());
    else if (operation == 1 && parent.is_object())
        parent[place.back() + "x"] = random_value();
    else if (operation == 2)
        document[place] = Json(document[*rc::gen::elementOf(places)]);
    else
        document[place] = random_value();
}

RC_GTEST_PROP(MutatedPlan, IsReadOrRejectedWithAPointerAndNothingElse, ()) {
    static const std::vector<std::string> plans = evaluable_plans();
    Json document = shipped_presets().json(PresetKind::plan, *rc::gen::elementOf(plans));
    if (document["model"].is_string() && *rc::gen::arbitrary<bool>())
        document["model"] = shipped_presets().json(PresetKind::model, document["model"].get<std::string>());
    for (int changes = *rc::gen::inRange(1, 6); changes > 0; --changes)
        mutate(document);
    const PlanReading reading = read_plan(document, shipped_presets());
    for (const Diagnostic &diagnostic : reading.diagnostics) {
        RC_ASSERT(!diagnostic.fields.empty());
        RC_ASSERT(diagnostic.fields.front().empty() || diagnostic.fields.front().front() == '/');
        RC_ASSERT(!diagnostic.message.text.empty());
        RC_ASSERT(!diagnostic.expected.text.empty());
        (void)Json(diagnostic.message.text + diagnostic.expected.text + diagnostic.fields.front()).dump();
        for (const Fix &fix : diagnostic.fixes)
            (void)parse_json(fix.patch);
    }
    if (!reading.valid())
        return;
    const Json written = to_json(reading.plan);
    Plan same = plan_from_json(written, shipped_presets());
    same.cluster_id = reading.plan.cluster_id; // the written plan embeds its presets
    RC_ASSERT(same == reading.plan);
}

RC_GTEST_PROP(MutatedText, IsReadOrRejectedInOneLine, ()) {
    static const std::string text = shipped_presets().json(PresetKind::plan, "deepseek-v3").dump(1);
    std::string changed = text;
    for (int changes = *rc::gen::inRange(1, 8); changes > 0; --changes) {
        const auto at = *rc::gen::inRange<std::size_t>(0, changed.size());
        switch (*rc::gen::inRange(0, 4)) {
        case 0:
            changed[at] = *rc::gen::arbitrary<char>();
            break;
        case 1:
            changed.insert(
                at, *rc::gen::element<std::string>("{", "[", "\"", ",", "9", "e", "-", "\\u0000", "\xed\xa0\x80"));
            break;
        case 2:
            changed.erase(at, *rc::gen::inRange<std::size_t>(1, 40));
            break;
        default:
            changed.resize(std::max<std::size_t>(at, 1));
        }
    }
    const std::string line = rejection(changed);
    RC_ASSERT(line.find('\n') == std::string::npos);
    (void)Json(line).dump();
}

RC_GTEST_PROP(RandomAssignment, IsAppliedOrRefused, ()) {
    Json document = shipped_presets().json(PresetKind::plan, "ten-to-25");
    const auto text =
        *rc::gen::container<std::string>(rc::gen::element('a', '.', '=', '1', '{', '"', '\xff', '/', '~'));
    const auto prefix =
        *rc::gen::element<std::string>("", "cluster.", "cluster.tiers.0.", "parallelism.tensor=", "name=");
    try {
        set_field(document, prefix + text, shipped_presets());
    } catch (const InputError &error) {
        (void)one_line("plan", error.diagnostics());
        return;
    }
    (void)document.dump();
    (void)read_plan(document, shipped_presets());
}

} // namespace
} // namespace meshwright
