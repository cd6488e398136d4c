// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/seek_text.h"

#include "cli/result_tables.h"
#include "cli/text_table.h"
#include "quantities/text.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright {

namespace {

std::string signedText(double value, Quantity quantity) {
    return value < 0 ? "\u2212" + text_of(-value, quantity) : text_of(value, quantity);
}

void addWrapped(std::vector<std::string> &lines, const std::string &text) {
    for (const std::string &line : wrapped(text, pageColumns - 2))
        lines.push_back("  " + line);
}

void addProposal(std::vector<std::string> &lines, const GoalAnswer &answer, const Proposal &proposal,
                 const std::string &heading) {
    lines.emplace_back();
    for (const std::string &line : wrapped(heading, pageColumns))
        lines.push_back(line);
    TextTable table({{""}, {"now", Alignment::right}, {"then", Alignment::right}});
    const std::vector<GoalCost> costs = costs_of(answer, proposal);
    const GoalDefinition &wanted = definition_of(answer.goal.figure);
    const bool listed =
        std::any_of(costs.begin(), costs.end(), [&](const GoalCost &cost) { return cost.path == wanted.path; });
    if (!listed)
        table.add({fmt::format("  {}", wanted.title), answer.value ? text_of(*answer.value, answer.goal.figure) : "n/a",
                   text_of(proposal.value, answer.goal.figure)});
    for (const GoalCost &cost : costs)
        table.add({fmt::format("  {}", cost.title), signedText(cost.before, cost.quantity),
                   signedText(cost.after, cost.quantity)});
    const std::vector<std::string> rows = table.lines();
    lines.insert(lines.end(), rows.begin() + 1, rows.end());
    if (proposal.surely && proposal.reached)
        addWrapped(lines,
                   *proposal.surely ? "both ends of the 80% interval reach the goal"
                                    : "the estimate reaches the goal, but one end of the 80% interval does not");
    if (proposal.has_no_price)
        addWrapped(lines, "the rental cost does not include the faster link");
    for (const std::string &outside : proposal.unproven)
        addWrapped(lines, "beyond published results: " + outside);
    addWrapped(lines, asOptions({.title = {}, .patch = proposal.patch, .gain = {}}));
}

} // namespace

std::string seekText(const GoalAnswer &answer) {
    std::vector<std::string> lines{
        fmt::format("Goal: {}; now {}", text_of(answer.goal),
                    answer.value ? text_of(*answer.value, answer.goal.figure) : std::string("not available"))};
    if (answer.reached) {
        lines.emplace_back("The plan already reaches the goal.");
        return joined(lines);
    }
    if (answer.considered > 0)
        lines.push_back(
            fmt::format("{} changes tried; proposals sorted by number of changed fields, then by cost of the run",
                        grouped(static_cast<double>(answer.considered))));
    int place = 0;
    for (const Proposal &proposal : answer.proposals)
        addProposal(lines, answer, proposal, fmt::format("{}. {}", ++place, proposal.title));
    if (answer.proposals.empty()) {
        lines.push_back(fmt::format("Not reached. {}.", answer.limit));
        if (answer.nearest)
            addProposal(lines, answer, *answer.nearest,
                        fmt::format("Closest, {}: {}", text_of(answer.nearest->value, answer.goal.figure),
                                    answer.nearest->title));
    }
    return joined(lines);
}

} // namespace meshwright
