// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/shard_finalists.h"

#include "input/diagnostic.h"
#include "search/search.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

Json json_of(const Score &score) {
    return {score.objective,  score.run_seconds, score.step_seconds,
            score.peak_bytes, score.dollars,     score.accelerators};
}

Score score_from(const Json &json) {
    return {.objective = json.at(0).get<double>(),
            .run_seconds = json.at(1).get<double>(),
            .step_seconds = json.at(2).get<double>(),
            .peak_bytes = json.at(3).get<double>(),
            .dollars = json.at(4).get<double>(),
            .accelerators = json.at(5).get<double>()};
}

struct Known {
    std::size_t pass = 0;
    Score closed_form;
    std::vector<double> simplicity;
    std::vector<std::int64_t> values;
    std::optional<Score> executed;
    const Json *entry = nullptr;
};

bool stands_before(const Score &a, const std::vector<double> &simple_a, const Score &b,
                   const std::vector<double> &simple_b) {
    return is_less(a, b) || (!is_less(b, a) && simple_a < simple_b);
}

bool is_before(const Known &a, const Known &b) {
    if (a.pass != b.pass)
        return a.pass < b.pass;
    return stands_before(a.closed_form, a.simplicity, b.closed_form, b.simplicity);
}

Known known_from(const Json &json) {
    Known known{.pass = json.at("pass").get<std::size_t>(),
                .closed_form = score_from(json.at("closed_form")),
                .simplicity = json.at("simplicity").get<std::vector<double>>(),
                .values = json.at("values").get<std::vector<std::int64_t>>(),
                .executed = {},
                .entry = nullptr};
    if (known.values.size() != configuration_field_count)
        throw InputError("/finalists", "a configuration with missing values", "expected a result of search --json");
    if (const Json &entry = json.at("entry"); entry.is_object()) {
        known.executed = score_from(json.at("executed"));
        known.entry = &entry;
    }
    return known;
}

/// The plan itself is a candidate of every shard.
void drop_repeats(std::vector<Known> &all) {
    std::sort(all.begin(), all.end(), is_before);
    all.erase(std::unique(all.begin(), all.end(),
                          [](const Known &a, const Known &b) { return !is_before(a, b) && !is_before(b, a); }),
              all.end());
}

/// Represents the i-th candidate of a sorted list. Its variant is i, to identify it; its objective is i, to keep the
/// order.
Candidate stand_in(std::size_t i, const Score &score) {
    Candidate candidate{.layout = {}, .score = score};
    candidate.score.objective = static_cast<double>(i);
    candidate.layout.variant = static_cast<std::int32_t>(i);
    return candidate;
}

std::vector<std::size_t> front_of(const std::vector<Score> &configuration_scores) {
    Goals goals({.top = 0, .pareto = true}, {}, nullptr);
    for (std::size_t i = 0; i < configuration_scores.size(); ++i)
        goals.add(stand_in(i, configuration_scores[i]), {});
    std::vector<std::size_t> front;
    for (const Candidate &candidate : goals.front())
        front.push_back(static_cast<std::size_t>(candidate.layout.variant));
    return front;
}

/// Chooses the configurations to simulate in one pass, as a search of the whole space would.
class Choice {
public:
    /// @param all  candidates of all shards, best first
    /// @param fields  fields that have curves
    Choice(const std::vector<Known> &all, const std::vector<std::size_t> &fields)
        : m_all(all)
        , m_fields(fields) { }

    /// Indices of the best candidates, the Pareto front, and the best candidate at each value of a field.
    std::set<std::size_t> of(std::size_t begin, std::size_t end, std::size_t top) const {
        std::set<std::size_t> chosen;
        std::vector<Score> configuration_scores;
        std::set<std::pair<std::size_t, std::int64_t>> seen;
        for (std::size_t i = begin; i < end; ++i) {
            configuration_scores.push_back(m_all[i].closed_form);
            if (i - begin < top)
                chosen.insert(i);
            for (const std::size_t field : m_fields)
                if (seen.emplace(field, m_all[i].values[field]).second)
                    chosen.insert(i);
        }
        for (const std::size_t i : front_of(configuration_scores))
            chosen.insert(begin + i);
        return chosen;
    }

    /// Chooses configurations in all passes.
    /// @returns whether at least one pass has `top` candidates or more
    bool of_all(std::size_t top, std::set<std::size_t> &chosen) const {
        bool is_full = false;
        for (std::size_t begin = 0; begin < m_all.size();) {
            std::size_t end = begin;
            while (end < m_all.size() && m_all[end].pass == m_all[begin].pass)
                ++end;
            chosen.merge(of(begin, end, top));
            is_full = is_full || end - begin > top;
            begin = end;
        }
        return is_full;
    }

private:
    const std::vector<Known> &m_all;
    const std::vector<std::size_t> &m_fields;
};

/// Configurations that differ only in the outer loop count as one.
Json without_outer(const Json &entry) {
    Json patch = entry.at("patch");
    patch.erase("outer");
    return {patch, entry.at("cluster")};
}

std::vector<const Known *> executed(const std::vector<Known> &all, const std::set<std::size_t> &chosen) {
    std::vector<const Known *> some;
    for (const std::size_t i : chosen)
        if (all[i].executed)
            some.push_back(&all[i]);
    std::sort(some.begin(), some.end(), [](const Known *a, const Known *b) {
        return stands_before(*a->executed, a->simplicity, *b->executed, b->simplicity);
    });
    return some;
}

std::vector<Json> best_of(const std::vector<const Known *> &some, std::size_t top) {
    std::vector<Json> best;
    std::vector<Json> taken;
    for (const Known *known : some) {
        if (best.size() == top)
            break;
        const Json alike = without_outer(*known->entry);
        if (std::find(taken.begin(), taken.end(), alike) != taken.end())
            continue;
        taken.push_back(alike);
        best.push_back(*known->entry);
    }
    return best;
}

} // namespace

Json finalists_json(const SearchResult &result) {
    Json json{{"executed", std::max(result.top, min_executed)}, {"fields", Json::array()}, {"layouts", Json::array()}};
    for (const ConfigurationField field : result.finalist_fields)
        json["fields"].push_back(static_cast<std::size_t>(field));
    for (const Finalist &finalist : result.finalists)
        json["layouts"].push_back({{"pass", finalist.pass},
                                   {"closed_form", json_of(finalist.closed_form)},
                                   {"values", finalist.values},
                                   {"simplicity", finalist.simplicity},
                                   {"executed", finalist.executed ? json_of(*finalist.executed) : Json(nullptr)},
                                   {"entry", finalist.executed ? to_json(finalist.entry) : Json(nullptr)}});
    return json;
}

WholeLists lists_of_whole(const std::vector<const Json *> &shards, std::size_t top) {
    try {
        std::vector<Known> all;
        const auto fields = shards.front()->at("fields").get<std::vector<std::size_t>>();
        if (std::any_of(fields.begin(), fields.end(),
                        [](std::size_t field) { return field >= configuration_field_count; }))
            throw InputError("/finalists/fields", "unknown field of a configuration",
                             "expected a result of search --json");
        for (const Json *shard : shards)
            for (const Json &layout : shard->at("layouts"))
                all.push_back(known_from(layout));
        drop_repeats(all);
        const Choice choice(all, fields);
        WholeLists lists;
        for (std::size_t most = std::max(top, min_executed);; most *= 2) {
            std::set<std::size_t> chosen;
            const bool is_full = choice.of_all(most, chosen);
            const std::vector<const Known *> some = executed(all, chosen);
            lists.results = best_of(some, top);
            if (lists.results.size() < top && is_full)
                continue;
            std::vector<Score> configuration_scores;
            for (const Known *known : some)
                configuration_scores.push_back(*known->executed);
            for (const std::size_t i : front_of(configuration_scores))
                lists.pareto.push_back(*some[i]->entry);
            return lists;
        }
    } catch (const Json::exception &) {
        throw InputError("/finalists", "not the output of a shard", "expected a result of search --json");
    }
}

} // namespace meshwright
