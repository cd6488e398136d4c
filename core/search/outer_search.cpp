// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/outer_search.h"

#include "advise/advice.h"
#include "evaluate/curve_sources.h"
#include "evaluate/evaluate.h"
#include "formulas/batch_and_rates.h"
#include "formulas/scaling_laws.h"
#include "plan/outer_symmetry.h"
#include "plan/plan_json.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// One value of one setting: the patch, and the distance from the plan's value.
struct Choice {
    std::string title; ///< empty if unchanged
    Json patch;
    int fields = 0;
    double distance = 0; ///< distance from the plan's settings, in doublings
};

using Setting = std::vector<Choice>;

/// Critical batch size at a loss: Kaplan et al., arXiv 2001.08361, equation 1.4.
constexpr double kaplan_batch_tokens = 2e8;
constexpr double kaplan_exponent = 0.21;

Setting counts(const char *object, const char *key, const std::string &words, std::int64_t present,
               const std::vector<double> &factors) {
    Setting setting{{}};
    for (const double factor : factors) {
        const auto value = static_cast<std::int64_t>(std::llround(static_cast<double>(present) * factor));
        setting.push_back(
            {fmt::format(fmt::runtime(words), value), Json{{object, {{key, value}}}}, 1, std::log2(factor)});
    }
    return setting;
}

Setting overlaps(const Plan &plan) {
    Setting setting{{}};
    for (const std::int64_t steps : {2, 3, 4, 5, 6, 8, 10})
        if (steps > plan.outer.overlap_steps)
            setting.push_back(
                {fmt::format("overlap {}", steps), Json{{"outer", {{"overlap_steps", steps}}}}, 1,
                 std::log2(static_cast<double>(steps) / std::max(1.0, static_cast<double>(plan.outer.overlap_steps)))});
    return setting;
}

Choice format(const Plan &plan, const char *way, std::string title, Json fields, double distance) {
    const int count = static_cast<int>(fields.size());
    Json patch{{"outer", {{way, std::move(fields)}}}};
    if (!plan.outer.error_feedback) // sparse and low-precision updates need error feedback
        patch["outer"]["error_feedback"] = true;
    return {fmt::format("{} {}", title, way), std::move(patch), count, distance};
}

/// Sparser updates, with the smaller of two existing index encodings: a bitmap, or 12 bits inside chunks of 4,096.
Setting densities(const Plan &plan, const char *way, const Wire &present) {
    Setting setting{{}};
    for (const double density : {0.5, 0.25, 0.125, 0.0625, 0.03125})
        if (density < present.density) {
            const IndexEncoding index = 12 * density < 1 ? IndexEncoding::fixed_width : IndexEncoding::bitmap;
            setting.push_back(
                format(plan, way, fmt::format("send {}", exact_text(density, Quantity::share)),
                       {{"density", density}, {"index", index_encoding_names()[static_cast<std::size_t>(index)]}},
                       std::log2(present.density / density)));
        }
    return setting;
}

Setting lengths(const Plan &plan, const char *way, const Wire &present) {
    Setting setting{{}};
    for (const double bits : {8.0, 4.0, 2.0})
        if (bits < present.bits)
            setting.push_back(
                format(plan, way, fmt::format("{:g} bits", bits), {{"bits", bits}}, std::log2(present.bits / bits)));
    return setting;
}

std::vector<Setting> settings_of(const Plan &plan) {
    const Outer &outer = plan.outer;
    std::vector<Setting> settings{
        counts("outer", "inner_steps", "{} inner steps", outer.inner_steps, {1.25, 1.5, 2, 3, 4}),
        overlaps(plan),
        densities(plan, "up", outer.up),
        densities(plan, "down", outer.down),
        lengths(plan, "up", outer.up),
        lengths(plan, "down", outer.down),
        counts("batch", "global_sequences", "{} sequences", plan.batch.global_sequences, {1.25, 1.5, 2}),
    };
    if (outer.method == OuterMethod::streaming_diloco)
        settings.push_back(counts("outer", "fragments", "{} fragments", outer.fragments, {2, 3, 4}));
    return settings;
}

/// Iterates over combinations, those with the fewest changes first.
class Candidates {
public:
    Candidates(const Plan &plan, Json document, const Library &library, double most_days)
        : m_plan(plan)
        , m_settings(settings_of(plan))
        , m_document(std::move(document))
        , m_library(library)
        , m_max_days(most_days) { }

    std::optional<OuterRepair> best(const std::stop_token &stop) {
        for (std::size_t changes = 0; changes <= m_settings.size() && !m_best; ++changes)
            combine(0, changes, {}, stop);
        if (m_best)
            m_best->considered = m_considered;
        return std::move(m_best);
    }

private:
    void combine(std::size_t from, std::size_t left, std::vector<const Choice *> chosen, const std::stop_token &stop) {
        if (stop.stop_requested())
            return;
        if (left == 0) {
            consider(chosen);
            return;
        }
        for (std::size_t setting = from; setting + left <= m_settings.size(); ++setting)
            for (std::size_t i = 1; i < m_settings[setting].size(); ++i) {
                chosen.push_back(&m_settings[setting][i]);
                combine(setting + 1, left - 1, chosen, stop);
                chosen.pop_back();
            }
    }

    void consider(const std::vector<const Choice *> &chosen) {
        ++m_considered;
        OuterRepair repair;
        Json patch = Json::object();
        std::vector<std::string> titles;
        double distance = 0;
        for (const Choice *choice : chosen) {
            merge_patch(patch, choice->patch);
            titles.push_back(choice->title);
            repair.fields += choice->fields;
            distance += choice->distance;
        }
        if (const auto known = m_min_days.find(sequences_of(patch));
            known != m_min_days.end() && known->second > m_max_days)
            return;
        Json document = m_document;
        merge_patch(document, patch);
        PlanReading reading = read_plan(document, m_library);
        if (!reading.valid() || min_days(reading.plan) > m_max_days)
            return;
        repair.result = evaluate(reading.plan, Depth::numbers);
        count_tokens(repair);
        if (!repair.result.verdict.fits || repair.most_days > m_max_days)
            return;
        repair.unproven = unproven(repair.result);
        const auto size = [](const OuterRepair &of) { return of.fields + static_cast<int>(of.unproven.size()); };
        const bool better =
            !m_best || size(repair) < size(*m_best) || (size(repair) == size(*m_best) && distance < m_distance);
        if (!better)
            return;
        repair.title = fmt::format("{}", fmt::join(titles, ", "));
        repair.patch = patch.dump();
        m_best = std::move(repair);
        m_distance = distance;
    }

    std::int64_t sequences_of(const Json &patch) const {
        return patch.contains("batch") ? patch["batch"]["global_sequences"].get<std::int64_t>()
                                       : m_plan.batch.global_sequences;
    }

    /// Run time in days for the same loss if sites never wait. Of the settings, only the batch size changes it.
    double min_days(const Plan &changed) {
        const auto [known, added] = m_min_days.try_emplace(changed.batch.global_sequences, 0);
        if (added) {
            // Random step times can shorten a run to this fraction of the predicted minimum.
            constexpr double luck = 0.99;
            OuterRepair without_stalls;
            without_stalls.result = evaluate(changed, Depth::comparison);
            count_tokens(without_stalls);
            const OuterEstimate &outer = *without_stalls.result.outer;
            known->second = luck * without_stalls.most_days * outer.inner_seconds / outer.round_seconds;
        }
        return known->second;
    }

    /// Aspects in which the changed plan exceeds published ranges and the original plan does not.
    std::vector<std::string> unproven(const Result &result) const {
        const auto outside = [&](const Plan &plan) {
            return texts_of(outer_quality(plan, result.parameters.total, 0).outside_evidence);
        };
        const std::vector<std::string> before = outside(m_plan);
        std::vector<std::string> after = outside(result.plan);
        std::erase_if(after, [&](const std::string &one) {
            return std::find(before.begin(), before.end(), one) != before.end();
        });
        return after;
    }

    /// Sets the tokens that the changed plan needs for the original plan's loss, as a multiple of that plan's tokens.
    void count_tokens(OuterRepair &repair) const {
        const Plan &changed = repair.result.plan;
        const double loss = formula::law_loss(repair.result.parameters.active, changed.run.tokens, preferred_law.place);
        repair.critical_batch_tokens = formula::critical_batch_at_loss(loss, kaplan_batch_tokens, kaplan_exponent);
        const auto growth = [&](double sites) {
            const auto examples = [&](const Plan &plan) {
                const double batch = sites * static_cast<double>(plan.batch.global_sequences)
                    * static_cast<double>(plan.batch.sequence_length);
                return formula::examples_at_batch(1, repair.critical_batch_tokens, batch);
            };
            return examples(changed) / examples(m_plan);
        };
        repair.tokens = {.low = growth(1), .high = growth(static_cast<double>(changed.cluster.sites))};
        repair.most_days = repair.result.run.days * repair.tokens.high;
    }

    const Plan &m_plan;
    std::vector<Setting> m_settings;
    Json m_document;
    const Library &m_library;
    double m_max_days;
    std::optional<OuterRepair> m_best;
    double m_distance = 0;
    std::size_t m_considered = 0;
    std::map<std::int64_t, double> m_min_days; ///< shortest run in days, by sequences per step
};

} // namespace

std::optional<OuterRepair> repair_outer(const Plan &plan, const Library &library, double most_days,
                                        const std::stop_token &stop) {
    if (plan.outer.method == OuterMethod::none || is_slow_to_follow(plan) || !check_plan(plan).empty())
        return std::nullopt;
    Json document = to_json(plan);
    const std::optional<Fix> fit =
        evaluate(plan, Depth::numbers).verdict.fits ? std::nullopt : smallest_fit(plan, stop);
    if (fit)
        merge_patch(document, Json::parse(fit->patch));
    std::optional<OuterRepair> best = Candidates(plan, std::move(document), library, most_days).best(stop);
    if (best && fit) {
        best->title = best->title.empty() ? fit->title : fit->title + ", " + best->title;
        Json patch = Json::parse(fit->patch);
        // Fields are set one by one: merge_patch() would drop the nulls in the patch that makes the plan fit.
        const Json later = Json::parse(best->patch);
        for (const auto &object : later.items())
            for (const auto &field : object.value().items())
                patch[object.key()][field.key()] = field.value();
        best->patch = patch.dump();
        ++best->fields;
    }
    return best;
}

} // namespace meshwright
