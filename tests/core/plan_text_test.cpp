// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/plan_text.h"

#include "exchange/plan_command.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "plan/plan_json.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

Json document_of(const std::string &id) {
    return shipped_presets().json(PresetKind::plan, id);
}

/// Breaks and quotes a line as mail programs do.
std::string quoted_mail(const std::string &text, std::size_t width) {
    std::string mail = "\n> ";
    for (std::size_t i = 0; i < text.size(); ++i) {
        mail += text[i];
        if (i % width == width - 1)
            mail += "\r\n> ";
    }
    return mail + "\n";
}

void expect_rejected(const std::string &text) {
    EXPECT_THROW(plan_of_text(text), InputError) << text.substr(0, 80);
}

/// The plan that a command line evaluates.
Plan plan_by(const std::string &line) {
    EXPECT_TRUE(is_plan_command(line)) << line;
    return plan_from_json(plan_of_command(line, shipped_presets()), shipped_presets());
}

} // namespace

TEST(PlanText, HoldsTheDocumentToTheLetter) {
    for (const std::string &id : evaluable_plans()) {
        const Json document = document_of(id);
        const std::string text = plan_text(document);
        EXPECT_TRUE(is_plan_text(text));
        EXPECT_EQ(text.find_first_of(" \n\"'<>&"), std::string::npos) << id;
        EXPECT_EQ(plan_of_text(text).dump(), document.dump()) << id;
    }
}

TEST(PlanText, IsReadFromAQuotedMail) {
    const Json document = document_of("deepseek-v3");
    const std::string mail = quoted_mail(plan_text(document), 72);
    EXPECT_TRUE(is_plan_text(mail));
    EXPECT_EQ(plan_of_text(mail), document);
}

TEST(PlanText, RejectsWhatIsNoSuchText) {
    const std::string text = plan_text(document_of("smollm-135m"));
    EXPECT_FALSE(is_plan_text("{\"schema\": 1}"));
    expect_rejected("");
    expect_rejected("meshwright-plan-2:" + text.substr(plan_text_prefix.size()));
    expect_rejected(std::string(plan_text_prefix));
    expect_rejected(text.substr(0, text.size() / 2));
    std::string changed = text;
    changed[text.size() / 2] = changed[text.size() / 2] == 'A' ? 'B' : 'A';
    expect_rejected(changed);
    expect_rejected(text.substr(0, 60) + "!" + text.substr(60));
    expect_rejected(plan_text("not an object").substr(0, plan_text_prefix.size() + 3));
}

TEST(PlanText, DoesNotExpandBeyondThePlanFilesLimit) {
    // 32 MiB of spaces take about 30 kB compressed.
    const std::string text = plan_text(std::string(32u << 20, ' '));
    EXPECT_LT(text.size(), 100'000u);
    expect_rejected(text);
}

RC_GTEST_PROP(PlanText, AnyTextIsReadOrRejected, (const std::string &rest)) {
    const Json document = document_of("smollm-135m");
    const std::string text = plan_text(document);
    for (const std::string &each : {std::string(plan_text_prefix) + rest, text + rest, rest}) {
        try {
            plan_of_text(each);
        } catch (const InputError &) { // the only other outcome
        }
    }
}

TEST(PlanCommand, ReproducesEveryPreset) {
    for (const std::string &id : evaluable_plans()) {
        const Plan plan = plan_from_json(document_of(id), shipped_presets());
        const std::string line = plan_command(document_of(id), shipped_presets());
        EXPECT_EQ(line, "meshwright-cli evaluate preset:" + id);
        EXPECT_EQ(to_json(plan_by(line)), to_json(plan));
    }
}

TEST(PlanCommand, SetsWhatDiffersFromTheNearestPreset) {
    Json document = document_of("llama3-405b-16k");
    document["name"] = "It's \"405B\", again";
    document["batch"]["global_sequences"] = 4096;
    document["cluster"]["tiers"][1]["bandwidth_bytes_per_second"] = 25e9;
    const std::string line = plan_command(document, shipped_presets());
    EXPECT_NE(line.find("--set batch.global_sequences=4096"), std::string::npos) << line;
    EXPECT_EQ(to_json(plan_by(line)), to_json(plan_from_json(document, shipped_presets()))) << line;
}

TEST(PlanCommand, NamesAPresetClusterByItsId) {
    Json document = document_of("smollm-135m");
    document["cluster"] = "dgx-h200";
    document["parallelism"]["data"] = 1024;
    document["batch"]["global_sequences"] = 8192;
    const std::string line = plan_command(document, shipped_presets());
    EXPECT_NE(line.find("--set cluster=dgx-h200"), std::string::npos) << line;
    EXPECT_EQ(to_json(plan_by(line)), to_json(plan_from_json(document, shipped_presets())));
}

TEST(PlanCommand, IsReadAsAShellReadsIt) {
    const std::string line = "$ meshwright-cli evaluate preset:smollm-135m \\\n  --set 'name=It'\\''s' "
                             "--set=batch.micro_sequences=4 --set \"run.tokens=1e12\" --json\n";
    const Json document = plan_of_command(line, shipped_presets());
    EXPECT_EQ(document["name"], "It's");
    EXPECT_EQ(document["batch"]["micro_sequences"], 4);
    EXPECT_EQ(document["run"]["tokens"], 1e12);
}

TEST(PlanCommand, RejectsWhatItWouldHaveToRun) {
    for (const char *line :
         {"meshwright-cli evaluate secret.plan", "rm -rf /", "",
          "meshwright-cli evaluate preset:smollm-135m > /etc/passwd", "meshwright-cli evaluate preset:none",
          "meshwright-cli evaluate preset:smollm-135m --set x"})
        EXPECT_THROW(plan_of_command(line, shipped_presets()), std::exception) << line;
}

TEST(PlanCommand, RejectsAnInvalidPlan) {
    Json document = document_of("smollm-135m");
    document["parallelism"]["tensor"] = 7;
    EXPECT_THROW(plan_command(document, shipped_presets()), InputError);
}

} // namespace meshwright
