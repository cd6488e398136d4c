// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/goal_seek.h"

#include "evaluate/evaluate.h"
#include "evaluate/evidence_of_result.h"
#include "outer/quality.h"
#include "plan/constraints.h"
#include "plan/outer_symmetry.h"
#include "plan/plan_json.h"
#include "search/goal_limits.h"
#include "search/goal_tries.h"
#include "search/search.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr int all_tried = 2; ///< all combinations of up to this many changed fields are tried
constexpr int max_fields = 5; ///< maximum number of changed fields in a proposal
constexpr std::size_t carried_on = 64; ///< number of combinations that are extended by one more field
constexpr std::size_t of_one_kind = 4; ///< maximum number of extended combinations that change the same settings
/// A plan that misses the goal by this much in closed forms may meet it when its pipeline is simulated.
constexpr double closed_form_error = 0.01;
constexpr int tries_of_a_set = 8; ///< maximum number of value combinations to evaluate fully per set of settings

using SettingSet = std::vector<std::uint16_t>;

SettingSet settings_of(const Combination &chosen) {
    SettingSet all;
    for (const ChosenOption one : chosen)
        all.push_back(one.setting);
    return all;
}

/// Orders values of the same settings: first by the total change, in doublings, of settings that should stay low, then
/// by cost, then by distance from the plan.
bool is_better_value(const Try &a, const Try &b) {
    return std::tie(a.amount, a.harm, a.distance, a.chosen) < std::tie(b.amount, b.harm, b.distance, b.chosen);
}

/// Number of changed fields, plus one for each aspect beyond published ranges.
std::size_t size_of(const Proposal &proposal) {
    return proposal.changes.size() + proposal.unproven.size();
}

std::string title_of(const std::vector<FieldChange> &changes) {
    std::string title;
    for (const FieldChange &change : changes)
        title += fmt::format("{}{} {} \u2192 {}", title.empty() ? "" : ", ", change.title, change.from, change.to);
    return title;
}

class Seeker {
public:
    Seeker(const Plan &plan, const Goal &goal, const Library &library, const SeekOptions &options)
        : m_plan(plan)
        , m_document(to_json(plan))
        , m_library(library)
        , m_options(options) {
        m_answer.goal = goal;
        m_answer.before = evaluate(plan, Depth::numbers);
        add_evidence(m_answer.before);
        m_answer.value = figure_of(m_answer.before, goal.figure);
        const double headroom = m_answer.before.verdict.headroom_bytes;
        m_min_headroom = std::clamp(constraints_of(plan).kept_free_bytes(m_answer.before.memory.capacity_bytes), 0.0,
                                    std::max(0.0, headroom));
    }

    GoalAnswer answer() {
        const Verdict &verdict = m_answer.before.verdict;
        m_answer.reached = m_answer.value && is_reached(m_answer.goal, *m_answer.value) && verdict.fits;
        if (m_answer.reached)
            return std::move(m_answer);
        m_answer.limit = reason_not_to_seek(m_answer.before, m_answer.goal.figure);
        if (!m_answer.limit.empty())
            return std::move(m_answer);
        look();
        m_answer.complete = !m_options.stop.stop_requested();
        order_proposals();
        if (m_answer.proposals.empty() && m_answer.complete)
            m_answer.limit = limit_of(m_answer.nearest ? m_answer.nearest->result : m_answer.before, m_answer.goal);
        return std::move(m_answer);
    }

private:
    void look() {
        GoalTries tries(m_plan, m_answer.before, m_answer.goal,
                        goal_settings(m_plan, m_answer.goal, m_options.kinds, m_library), m_min_headroom,
                        m_options.stop);
        for (int fields = 1; fields <= max_fields && !m_options.stop.stop_requested(); ++fields) {
            std::vector<Try> found = fields <= all_tried ? tries.all_of(fields) : tries.extended(m_carried, fields);
            take(tries, found);
            // Stops with enough proposals, or with any proposal once all pairs have been tried. If every proposal
            // exceeds published ranges, sets of three fields are tried before stopping.
            const bool proven = std::any_of(m_answer.proposals.begin(), m_answer.proposals.end(),
                                            [](const Proposal &one) { return one.unproven.empty(); });
            const bool enough = m_answer.proposals.size() >= m_options.most || fields >= all_tried;
            if (!m_answer.proposals.empty() && enough && (proven || fields > all_tried))
                break;
            carry_on(std::move(found));
        }
        if (m_answer.proposals.empty() && !m_options.stop.stop_requested())
            look_from_the_fastest(tries);
        m_answer.considered = tries.considered();
        if (m_answer.proposals.empty() && m_nearest && !m_options.stop.stop_requested())
            m_answer.nearest = proposal(tries, *m_nearest);
    }

    /// Orders by number of fields, then by cost. Proposals that share a setting with an earlier one come last.
    void order_proposals() {
        std::vector<Proposal> &all = m_answer.proposals;
        const auto key = [&](const Proposal &of) {
            return std::make_tuple(size_of(of), of.has_no_price, harm_of(m_answer.before, of.result));
        };
        std::stable_sort(all.begin(), all.end(), [&](const Proposal &a, const Proposal &b) { return key(a) < key(b); });
        std::set<std::string> listed;
        std::vector<Proposal> first;
        std::vector<Proposal> later;
        std::size_t fields = 0;
        for (Proposal &one : all) {
            if (size_of(one) != fields)
                listed.clear();
            fields = size_of(one);
            const bool is_new = std::none_of(one.changes.begin(), one.changes.end(),
                                             [&](const FieldChange &change) { return listed.contains(change.field); });
            for (const FieldChange &change : one.changes)
                listed.insert(change.field);
            (is_new ? first : later).push_back(std::move(one));
        }
        std::move(later.begin(), later.end(), std::back_inserter(first));
        std::stable_sort(first.begin(), first.end(),
                         [](const Proposal &a, const Proposal &b) { return size_of(a) < size_of(b); });
        if (first.size() > m_options.most)
            first.resize(m_options.most);
        all = std::move(first);
    }

    /// Takes the best configurations of a full search, and resets as many of their fields as possible to the plan's
    /// values.
    void look_from_the_fastest(GoalTries &tries) {
        const bool of_layouts = std::any_of(tries.settings().begin(), tries.settings().end(),
                                            [](const auto &setting) { return setting.kind == ChangeKind::layout; });
        if (!of_layouts || m_answer.goal.figure == GoalFigure::goodput)
            return;
        constexpr std::size_t layouts = 16;
        SearchOptions options{.wanted = {.top = layouts, .pareto = false}};
        options.stop = m_options.stop;
        std::vector<Combination> combinations;
        for (const SearchEntry &entry : search(m_plan, m_library, options).results)
            if (Combination chosen = tries.towards(entry.plan); !chosen.empty())
                combinations.push_back(std::move(chosen));
        std::vector<Try> found = tries.evaluated(combinations);
        for (Try &one : found) {
            while (one.badness() == 0) {
                std::optional<Try> fewer = with_one_less(tries, one);
                if (!fewer)
                    break;
                one = std::move(*fewer);
            }
        }
        take(tries, found);
    }

    /// The best combination that omits one of the options and still meets the goal.
    static std::optional<Try> with_one_less(GoalTries &tries, const Try &one) {
        std::vector<Combination> fewer;
        for (std::size_t left_out = 0; one.chosen.size() > 1 && left_out < one.chosen.size(); ++left_out) {
            fewer.push_back(one.chosen);
            fewer.back().erase(fewer.back().begin() + static_cast<std::ptrdiff_t>(left_out));
        }
        std::vector<Try> found = tries.evaluated(fewer);
        std::erase_if(found, [](const Try &try_) { return try_.badness() > 0; });
        if (found.empty())
            return std::nullopt;
        return *std::min_element(found.begin(), found.end(), is_better_value);
    }

    /// Selects the best values for each set of settings that meets the goal, and evaluates them fully.
    void take(const GoalTries &tries, const std::vector<Try> &found) {
        std::map<SettingSet, std::vector<const Try *>> sets;
        for (const Try &one : found) {
            const bool fits = one.deficit <= closed_form_error;
            if (fits && one.miss <= closed_form_error)
                sets[settings_of(one.chosen)].push_back(&one);
            if (!m_nearest || is_nearer(one, *m_nearest))
                m_nearest = one;
        }
        for (auto &[settings, values] : sets) {
            if (holds_a_reached_one(settings) || m_options.stop.stop_requested())
                continue;
            std::sort(values.begin(), values.end(), [](const Try *a, const Try *b) { return is_better_value(*a, *b); });
            int left = tries_of_a_set;
            for (const Try *value : values) {
                if (left-- == 0)
                    break;
                if (std::optional<Proposal> good = proposal(tries, *value); good && good->reached) {
                    m_answer.proposals.push_back(std::move(*good));
                    m_reached.push_back(settings);
                    break;
                }
            }
        }
    }

    /// Whether a subset of these settings already meets the goal.
    bool holds_a_reached_one(const SettingSet &settings) const {
        return std::any_of(m_reached.begin(), m_reached.end(), [&](const SettingSet &fewer) {
            return fewer.size() < settings.size()
                && std::includes(settings.begin(), settings.end(), fewer.begin(), fewer.end());
        });
    }

    static bool is_nearer(const Try &a, const Try &b) {
        const auto key = [](const Try &of) {
            return std::make_tuple(of.deficit > 0, of.deficit > 0 ? of.deficit : of.miss, of.fields, of.harm);
        };
        return key(a) < key(b);
    }

    /// Keeps the most promising combinations, but not only those that change the same settings.
    void carry_on(std::vector<Try> found) {
        std::stable_sort(found.begin(), found.end(), [](const Try &a, const Try &b) {
            return std::make_tuple(a.badness(), a.amount, a.harm) < std::make_tuple(b.badness(), b.amount, b.harm);
        });
        std::vector<Try> kept;
        std::map<SettingSet, std::size_t> taken;
        for (Try &one : found)
            if (kept.size() < carried_on && taken[settings_of(one.chosen)]++ < of_one_kind)
                kept.push_back(std::move(one));
        // Also keeps combinations of the previous level, because an option that sets two fields can extend them.
        for (Try &one : m_carried)
            if (one.fields == (kept.empty() ? 0 : kept.front().fields) - 1 && kept.size() < 2 * carried_on)
                kept.push_back(std::move(one));
        m_carried = std::move(kept);
    }

    /// Applies the patch to the plan's document and evaluates it like an edit by the user. Returns nothing if the patch
    /// is rejected.
    std::optional<Proposal> proposal(const GoalTries &tries, const Try &one) const {
        Proposal made{.title = {},
                      .changes = tries.changes(one.chosen),
                      .patch = patch_between(m_plan, tries.plan_with(one.chosen)),
                      .result = {},
                      .value = 0,
                      .reached = false,
                      .surely = {},
                      .has_no_price = one.has_no_price,
                      .unproven = {}};
        made.title = title_of(made.changes);
        Json document = m_document;
        merge_patch(document, Json::parse(made.patch));
        const PlanReading reading = read_plan(document, m_library);
        if (!reading.valid())
            return std::nullopt;
        made.result = evaluate(reading.plan, Depth::numbers);
        add_evidence(made.result);
        const Goal &goal = m_answer.goal;
        made.value = figure_of(made.result, goal.figure).value_or(0);
        made.reached = is_reached(goal, made.value) && made.result.verdict.headroom_bytes >= m_min_headroom;
        if (const std::optional<FigureInterval> interval = interval_of(made.result, goal.figure))
            made.surely = is_reached(goal, interval->low) && is_reached(goal, interval->high);
        made.unproven = newly_unproven(made.result);
        return made;
    }

    std::vector<std::string> newly_unproven(const Result &result) const {
        if (result.plan.outer.method == OuterMethod::none)
            return {};
        const double parameters = result.parameters.total;
        const std::vector<std::string> before = texts_of(outer_quality(m_plan, parameters, 0).outside_evidence);
        std::vector<std::string> after = texts_of(outer_quality(result.plan, parameters, 0).outside_evidence);
        std::erase_if(after, [&](const std::string &one) {
            return std::find(before.begin(), before.end(), one) != before.end();
        });
        return after;
    }

    const Plan &m_plan;
    Json m_document;
    const Library &m_library;
    const SeekOptions &m_options;
    GoalAnswer m_answer;
    double m_min_headroom = 0; ///< bytes that must stay free
    std::vector<SettingSet> m_reached;
    std::vector<Try> m_carried;
    std::optional<Try> m_nearest;
};

} // namespace

GoalAnswer seek(const Plan &plan, const Goal &goal, const Library &library, const SeekOptions &options) {
    return Seeker(plan, goal, library, options).answer();
}

} // namespace meshwright
