// SPDX-License-Identifier: GPL-3.0-or-later
#include "sensitivity/explain_influence.h"

#include "explain/explain.h"
#include "sensitivity/comparison.h"

#include <cmath>
#include <utility>

namespace meshwright {

namespace {

using ResultPointer = std::shared_ptr<const Result>;

bool is_same(const Variation &a, const Variation &b) {
    return a.pointer == b.pointer && a.from == b.from && a.to == b.to;
}

/// A result, and the result of its plan with one input varied. If the plan cannot vary the input, both are the same.
struct VariedResult {
    ResultPointer present;
    ResultPointer varied;
    std::string what; ///< name of the varied input, such as "tensor-parallel ranks"; empty if nothing is varied
};

std::optional<double> value_in(const std::optional<Derivation> &tree, const std::string &figure) {
    const Derivation *const node = tree ? find_figure(*tree, figure) : nullptr;
    return node != nullptr ? std::optional(node->value) : std::nullopt;
}

/// Returns the result itself if an evaluation at comparison depth gives the same figure, otherwise the result of that
/// evaluation.
ResultPointer present_of(const ResultPointer &result, const std::string &figure, const KnownRuns *known) {
    constexpr double rounding = 1e-12;
    auto brief = std::make_shared<const Result>(compared_result(result->plan, known));
    const std::optional<double> exact = value_in(explained_with(*result, figure), figure);
    const std::optional<double> compared = value_in(explained_with(*brief, figure), figure);
    const bool alike = exact && compared && std::abs(*exact - *compared) <= rounding * std::abs(*exact);
    return alike ? result : brief;
}

VariedResult varied_result(const ResultPointer &result, const std::string &figure, const Variation &wanted) {
    const auto known = known_runs_for(*result, figure);
    VariedResult both{.present = present_of(result, figure, known.get()), .varied = nullptr, .what = {}};
    for_each_variation(result->plan, [&](const Variation &variation, const Plan &varied) {
        if (both.varied != nullptr || !is_same(variation, wanted))
            return;
        both.varied = std::make_shared<const Result>(compared_result(varied, known.get()));
        both.what = variation.what;
    });
    if (both.varied == nullptr)
        both.varied = both.present;
    return both;
}

/// The derivation tree with the figures of both results and their difference. Also works for percentiles over random
/// runs and for figures named "schedule_…".
std::optional<Derivation> tree_of(const Result &before, const Result &after, const std::string &figure) {
    std::optional<Derivation> first = explained_with(before, figure);
    std::optional<Derivation> second = explained_with(after, figure);
    return first && second ? std::optional(explain_difference(std::move(*first), std::move(*second), figure, {}))
                           : std::nullopt;
}

} // namespace

std::string influence_name(const InfluenceQuestion &question, double before) {
    const std::string kind = before != 0 ? "gain_share_" : "gain_";
    const std::string of = question.before == nullptr ? "" : question.as_share ? "gain_share_" : "gain_";
    return kind + of + identifier(question.figure);
}

std::optional<ExplainedInfluence> explain_influence(const InfluenceQuestion &question, const Variation &variation) {
    if (question.result == nullptr)
        return std::nullopt;
    const std::string figure = identifier(question.figure);
    const VariedResult result = varied_result(question.result, figure, variation);
    const auto with = [&](const std::string &what) { return "with " + what + " at " + variation.to; };
    if (question.before == nullptr) {
        if (result.what.empty())
            return std::nullopt;
        std::optional<Derivation> present = explained_with(*result.present, figure);
        std::optional<Derivation> varied = explained_with(*result.varied, figure);
        if (!present || !varied)
            return std::nullopt;
        return ExplainedInfluence{
            explain_difference(std::move(*present), std::move(*varied), figure, with(result.what)),
            {result.present, result.varied},
            {}};
    }
    const VariedResult before = varied_result(question.before, figure, variation);
    if (result.what.empty() && before.what.empty())
        return std::nullopt;
    std::optional<Derivation> present = tree_of(*before.present, *result.present, figure);
    std::optional<Derivation> varied = tree_of(*before.varied, *result.varied, figure);
    if (!present || !varied)
        return std::nullopt;
    return ExplainedInfluence{explain_difference(std::move(*present), std::move(*varied),
                                                 (question.as_share ? "gain_share_" : "gain_") + figure,
                                                 with(result.what.empty() ? before.what : result.what), varied_prefix),
                              {before.present, result.present},
                              {before.varied, result.varied}};
}

} // namespace meshwright
