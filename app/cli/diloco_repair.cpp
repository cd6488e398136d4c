// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/diloco_output.h"
#include "cli/result_tables.h"
#include "cli/text_table.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

Json sideJson(const Result &result) {
    return {{"fits", result.verdict.fits},
            {"headroom_bytes", result.verdict.headroom_bytes},
            {"days", result.run.days},
            {"step_seconds", result.step.seconds},
            {"mfu", result.step.mfu},
            {"utilisation", result.outer->utilisation},
            {"loss_penalty_high", result.outer->loss_penalty_high}};
}

std::string batchWords(const OuterRepair &repair) {
    return fmt::format("the larger batch needs {:.2f} to {:.2f} times the tokens for the same loss, depending on "
                       "whether the critical batch size of {} tokens (arXiv 2001.08361) is compared to the batch of "
                       "one site or of all sites (arXiv 1812.06162)",
                       repair.tokens.low, repair.tokens.high, text_of(repair.critical_batch_tokens, Quantity::tokens));
}

} // namespace

Json repairJson(const DilocoAnswer &answer) {
    if (!answer.repair)
        return nullptr;
    const OuterRepair &repair = *answer.repair;
    return {
        {"title", repair.title},
        {"patch", Json::parse(repair.patch)},
        {"fields", repair.fields},
        {"considered", repair.considered},
        {"outside_evidence", repair.unproven},
        {"critical_batch_tokens", repair.critical_batch_tokens},
        {"tokens_to_the_same_loss", {{"low", repair.tokens.low}, {"high", repair.tokens.high}}},
        {"days_to_the_same_loss", {{"low", repair.result.run.days * repair.tokens.low}, {"high", repair.most_days}}},
        {"as_written", sideJson(*answer.result)},
        {"made_to_work", sideJson(repair.result)}};
}

std::string repairText(const DilocoAnswer &answer) {
    std::vector<std::string> lines{""};
    if (!answer.repair) {
        lines.emplace_back(
            "No tested change of inner steps, overlap, fragments, number formats or batch size meets the deadline");
        return joined(lines);
    }
    const Result &before = *answer.result;
    const Result &after = answer.repair->result;
    const auto fits = [](const Result &result) {
        return (result.verdict.fits ? text_of(result.verdict.headroom_bytes, Quantity::bytes) + " free"
                                    : text_of(-result.verdict.headroom_bytes, Quantity::bytes) + " over");
    };
    TextTable table(
        {{"Minimal changes that meet the deadline"}, {"as written", Alignment::right}, {"changed", Alignment::right}});
    const auto row = [&](const char *title, const std::string &was, const std::string &is) {
        table.add({std::string("  ") + title, was, is});
    };
    row("memory", fits(before), fits(after));
    row("step time", text_of(before.step.seconds, Quantity::seconds), text_of(after.step.seconds, Quantity::seconds));
    row("compute utilization", text_of(before.outer->utilisation, Quantity::share),
        text_of(after.outer->utilisation, Quantity::share));
    row("run time", text_of(before.run.seconds, Quantity::seconds), text_of(after.run.seconds, Quantity::seconds));
    if (answer.repair->tokens.high != 1)
        row("maximum run time to the same loss", "", text_of(answer.repair->most_days * 86'400, Quantity::seconds));
    row("maximum loss penalty", text_of(before.outer->loss_penalty_high, Quantity::share),
        text_of(after.outer->loss_penalty_high, Quantity::share));
    for (const std::string &line : table.lines())
        lines.push_back(line);
    for (const std::string &line : wrapped("changes: " + answer.repair->title, pageColumns - 2))
        lines.push_back("  " + line);
    if (answer.repair->tokens.high != 1)
        for (const std::string &line : wrapped(batchWords(*answer.repair), pageColumns - 2))
            lines.push_back("  " + line);
    for (const std::string &outside : answer.repair->unproven)
        for (const std::string &line : wrapped("beyond published results: " + outside, pageColumns - 2))
            lines.push_back("  " + line);
    const std::string options = asOptions({.title = {}, .patch = answer.repair->patch, .gain = {}});
    for (const std::string &line : wrapped(options, pageColumns - 2))
        lines.push_back("  " + line);
    return joined(lines);
}

} // namespace meshwright
