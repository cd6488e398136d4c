// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/plan_comparison.h"

#include "advise/complete_result.h"
#include "compare/field_text.h"
#include "evaluate/evaluate.h"
#include "formulas/special_units.h"
#include "input/diagnostic.h"
#include "plan/plan_json.h"
#include "sensitivity/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct FigureRow {
    const char *path;
    const char *title;
    Quantity quantity;
};
constexpr FigureRow figure_rows[] = {
    {"step.seconds", "Step time", Quantity::seconds},
    {"step.mfu", "MFU", Quantity::share},
    {"memory.peak_bytes", "Peak memory", Quantity::bytes},
    {"verdict.headroom_bytes", "Headroom", Quantity::bytes},
    {"run.days", "Run time in days", Quantity::number},
    {"run.rental_dollars", "Rental cost", Quantity::dollars},
    {"run.energy_joules", "Energy", Quantity::joules},
    {"run.goodput", "Goodput", Quantity::share},
    {"step.tokens_per_second_per_accelerator", "Tokens per second per accelerator", Quantity::number},
    {"step.compute_seconds", "Compute", Quantity::seconds},
    {"step.recompute_seconds", "Recomputation", Quantity::seconds},
    {"step.bubble_seconds", "Pipeline bubble", Quantity::seconds},
    {"step.tensor_exposed_seconds", "Exposed TP communication", Quantity::seconds},
    {"step.context_exposed_seconds", "Exposed CP communication", Quantity::seconds},
    {"step.expert_exposed_seconds", "Exposed EP communication", Quantity::seconds},
    {"step.pipeline_exposed_seconds", "Exposed P2P communication", Quantity::seconds},
    {"step.data_exposed_seconds", "Exposed DP communication", Quantity::seconds},
    {"step.optimizer_seconds", "Optimizer", Quantity::seconds},
    {"parameters.total", "Parameters", Quantity::parameters},
    {"cluster.accelerators", "Accelerators", Quantity::count},
    {"outer.utilisation", "Compute utilization with DiLoCo", Quantity::share},
    {"outer.stall_seconds_per_round", "Stall time per round", Quantity::seconds},
};
/// Figures whose differences are split over causes.
constexpr const char *caused_figures[] = {"step.seconds", "memory.peak_bytes", "run.days", "run.rental_dollars"};

struct FieldGroup {
    const char *title;
    std::vector<std::string_view> prefixes;
};
const std::vector<FieldGroup> &field_groups() {
    static const std::vector<FieldGroup> all{
        {"Model", {"/model"}},
        {"Cluster", {"/cluster"}},
        {"Software stack", {"/stack"}},
        {"Precision", {"/precision"}},
        {"Optimizer", {"/optimizer"}},
        {"Sequence length", {"/batch/sequence_length"}},
        {"Tensor parallelism", {"/parallelism/tensor", "/parallelism/sequence_parallel"}},
        {"Context parallelism", {"/parallelism/context"}},
        {"Pipeline",
         {"/parallelism/pipeline", "/parallelism/chunks", "/parallelism/schedule", "/parallelism/group",
          "/parallelism/layout"}},
        {"Expert parallelism", {"/parallelism/expert"}},
        {"ZeRO stage and sharding", {"/parallelism/zero_stage", "/parallelism/shard_group"}},
        {"Placement and data parallelism", {"/parallelism"}},
        {"Batch size", {"/batch"}},
        {"Recomputation", {"/recompute"}},
        {"Offloading", {"/offload"}},
        {"DiLoCo", {"/outer", "/aggregation"}},
        {"Run length and cost", {"/run"}},
        {"Failures and checkpoints", {"/faults"}},
        {"Assumptions", {"/assumptions"}},
    };
    return all;
}

/// Whether a field, such as the plan's name, is only a description, on which no figure depends.
bool is_description(std::string_view pointer) {
    constexpr std::string_view parts[] = {"/name", "/notes",   "/snapshots", "/published",  "/description",
                                          "/id",   "/sources", "/schema",    "/constraints"};
    return std::any_of(std::begin(parts), std::end(parts),
                       [&](std::string_view part) { return pointer.starts_with(part); })
        || pointer.ends_with("/name") || pointer.ends_with("/notes")
        || pointer.find("/sources") != std::string_view::npos;
}

bool begins_with(std::string_view pointer, std::string_view prefix) {
    return pointer.starts_with(prefix)
        && (pointer.size() == prefix.size() || pointer[prefix.size()] == '/' || prefix == "/parallelism/expert");
}

std::string token(std::string_view key) {
    std::string escaped;
    for (const char c : key)
        escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return escaped;
}

/// The value at a key of an object or an index of an array; null if there is none.
const Json *part_of(const Json *json, const std::string &key) {
    const Json::json_pointer at("/" + token(key));
    return json != nullptr && json->contains(at) ? &json->at(at) : nullptr;
}

/// JSON pointers to the values that differ between documents. Lists of plain values are compared as a whole; objects
/// and other lists are compared leaf by leaf. If some documents omit an object, all its leaves differ.
void add_differences(const std::string &pointer, std::vector<const Json *> documents, std::set<std::string> &known,
                     std::vector<std::string> &found) {
    const auto all = [&](auto holds) { return std::all_of(documents.begin(), documents.end(), holds); };
    if (documents.front() != nullptr
        && all([&](const Json *json) { return json != nullptr && *json == *documents.front(); }))
        return;
    const bool objects = all(
        [](const Json *json) { return json == nullptr || json->is_null() || (json->is_object() && !json->empty()); });
    const bool lists = all([](const Json *json) {
        return json != nullptr && json->is_array()
            && std::all_of(json->begin(), json->end(), [](const Json &each) { return each.is_object(); });
    });
    std::vector<std::string> keys;
    for (const Json *&document : documents) {
        if (objects && document != nullptr && document->is_null())
            document = nullptr;
        if (document != nullptr && (objects || lists))
            for (const auto &item : document->items()) // the keys of a list are its indices
                if (std::find(keys.begin(), keys.end(), item.key()) == keys.end())
                    keys.push_back(item.key());
    }
    if (keys.empty()) {
        if (known.insert(pointer).second)
            found.push_back(pointer);
        return;
    }
    for (const std::string &key : keys) {
        std::vector<const Json *> parts;
        for (const Json *document : documents)
            parts.push_back(part_of(document, key));
        add_differences(pointer + "/" + token(key), std::move(parts), known, found);
    }
}

std::vector<std::string> differences(const std::vector<Json> &documents) {
    std::vector<const Json *> pointers;
    for (const Json &each : documents)
        pointers.push_back(&each);
    std::set<std::string> known;
    std::vector<std::string> found;
    add_differences("", pointers, known, found);
    std::erase_if(found, [](const std::string &pointer) { return is_description(pointer); });
    return found;
}

Json value_at(const Json &document, const std::string &pointer) {
    const Json::json_pointer at(pointer);
    return document.contains(at) ? document[at] : Json(nullptr);
}

void take(const Json &from, Json &to, const FieldGroup &group) {
    for (const std::string_view prefix : group.prefixes) {
        const std::string path(prefix);
        const Json::json_pointer at(path);
        // The whole object can be copied, because its fields that belong to earlier groups have already been copied.
        if (prefix == "/parallelism" || prefix == "/batch") {
            to[at] = from.value(at, Json::object());
            continue;
        }
        if (prefix == "/parallelism/expert") {
            for (const char *name : {"/parallelism/expert", "/parallelism/expert_tensor"})
                to[Json::json_pointer(name)] = value_at(from, name);
            continue;
        }
        const Json value = value_at(from, path);
        if (!value.is_null())
            to[at] = value;
        else if (to.contains(at))
            to[at.parent_pointer()].erase(at.back());
    }
    // The data-parallel degree follows from the number of accelerators and the other degrees.
    if (to.contains("parallelism") && to["parallelism"].is_object() && group.prefixes.front() != "/parallelism")
        to["parallelism"].erase("data");
}

std::optional<Result> evaluated(const Json &document, const Library &library) {
    const PlanReading reading = read_plan(document, library);
    if (!reading.valid())
        return std::nullopt;
    try {
        return evaluate(reading.plan, Depth::numbers);
    } catch (const InputError &) {
        return std::nullopt;
    }
}

/// Causes of the differences between the first plan and another plan.
class CauseFinder {
public:
    CauseFinder(const Json &first, const Json &other, const Result &before, const Result &after, const Library &library,
                const std::stop_token &stop)
        : m_first(first)
        , m_other(other)
        , m_before(before)
        , m_after(after)
        , m_library(library)
        , m_stop(stop) { }

    std::vector<ComparedCause> find(std::size_t plan) {
        std::vector<std::string> pointers = differences({m_first, m_other});
        std::vector<ComparedCause> causes;
        Json reached = m_first;
        Result last = m_before;
        auto plan_last = std::make_shared<const Plan>(m_before.plan);
        std::vector<std::string> pending_fields;
        std::string pending_title;
        std::vector<const FieldGroup *> changed;
        for (const FieldGroup &group : field_groups()) {
            const std::vector<std::string> fields = taken(pointers, group);
            if (!fields.empty())
                changed.push_back(&group);
            m_fields.push_back(fields);
        }
        std::size_t left = changed.size();
        for (std::size_t i = 0; i < field_groups().size() && !m_stop.stop_requested(); ++i) {
            if (m_fields[i].empty())
                continue;
            const FieldGroup &group = field_groups()[i];
            --left;
            take(m_other, reached, group);
            pending_fields.insert(pending_fields.end(), m_fields[i].begin(), m_fields[i].end());
            pending_title += (pending_title.empty() ? "" : ", ") + std::string(group.title);
            std::optional<Result> now = left == 0 ? std::optional(m_after) : evaluated(reached, m_library);
            if (!now)
                continue; // with this group alone the plan is invalid, so it changes together with the next group
            const bool single = pending_title == group.title;
            std::optional<Result> alone;
            if (single) {
                Json changed_alone = m_first;
                take(m_other, changed_alone, group);
                alone = evaluated(changed_alone, m_library);
            }
            const auto plan_now = std::make_shared<const Plan>(now->plan);
            const auto plan_alone = alone ? std::make_shared<const Plan>(alone->plan) : nullptr;
            const ComparedCause cause{.plan = plan,
                                      .figure = {},
                                      .title = pending_title,
                                      .fields = pending_fields,
                                      .alone = {},
                                      .plan_before = plan_last,
                                      .plan_after = plan_now,
                                      .plan_alone = plan_alone};
            for (const char *figure : caused_figures)
                add(causes, cause, figure, last, *now, alone ? &*alone : nullptr);
            last = std::move(*now);
            plan_last = plan_now;
            pending_fields.clear();
            pending_title.clear();
        }
        std::stable_sort(causes.begin(), causes.end(), [](const ComparedCause &a, const ComparedCause &b) {
            const auto place = [](const ComparedCause &cause) {
                return std::find(std::begin(caused_figures), std::end(caused_figures), cause.figure)
                    - std::begin(caused_figures);
            };
            return place(a) < place(b);
        });
        return causes;
    }

private:
    static std::vector<std::string> taken(std::vector<std::string> &pointers, const FieldGroup &group) {
        std::vector<std::string> own;
        for (const std::string &pointer : pointers)
            if (std::any_of(group.prefixes.begin(), group.prefixes.end(),
                            [&](std::string_view prefix) { return begins_with(pointer, prefix); }))
                own.push_back(pointer);
        std::erase_if(pointers, [&](const std::string &pointer) {
            return std::find(own.begin(), own.end(), pointer) != own.end();
        });
        return own;
    }

    void add(std::vector<ComparedCause> &causes, ComparedCause cause, const char *figure, const Result &last,
             const Result &now, const Result *alone) const {
        const auto before = figure_value(last, figure);
        const auto after = figure_value(now, figure);
        const auto base = figure_value(m_before, figure);
        if (!before || !after || !base)
            return;
        cause.figure = figure;
        cause.before = *before;
        cause.after = *after;
        cause.in_order = *after - *before;
        if (alone != nullptr)
            if (const auto value = figure_value(*alone, figure))
                cause.alone = *value - *base;
        if (cause.in_order != 0 || cause.alone.value_or(0) != 0)
            causes.push_back(std::move(cause));
    }

    const Json &m_first;
    const Json &m_other;
    const Result &m_before;
    const Result &m_after;
    const Library &m_library;
    const std::stop_token &m_stop;
    std::vector<std::vector<std::string>> m_fields;
};

} // namespace

PlanComparison compare_plans(const std::vector<NamedPlan> &plans, const Library &library, const std::stop_token &stop) {
    if (plans.size() < 2)
        throw InputError("", "fewer than two plans", "expected two or more plans to compare");
    PlanComparison comparison;
    std::vector<Json> documents;
    for (const NamedPlan &each : plans) {
        comparison.names.push_back(each.name);
        comparison.results.push_back(std::make_shared<const Result>(complete_result(each.plan)));
        documents.push_back(to_json(each.plan));
    }
    for (const std::string &pointer : differences(documents)) {
        ComparedField field{.pointer = pointer, .values = {}, .texts = {}};
        for (const Json &document : documents)
            field.values.push_back(value_at(document, pointer));
        field.texts = field_texts(pointer, field.values);
        comparison.fields.push_back(std::move(field));
    }
    for (const FigureRow &row : figure_rows) {
        ComparedFigure figure{.path = row.path, .title = row.title, .quantity = row.quantity, .values = {}};
        for (const auto &result : comparison.results)
            figure.values.push_back(figure_value(*result, row.path));
        if (std::any_of(figure.values.begin(), figure.values.end(),
                        [](const auto &value) { return value.has_value(); }))
            comparison.figures.push_back(std::move(figure));
    }
    for (std::size_t i = 1; i < plans.size() && !stop.stop_requested(); ++i) {
        // All evaluations have the same depth, so that their differences are comparable.
        const Result before = evaluate(plans.front().plan, Depth::numbers);
        const Result after = evaluate(plans[i].plan, Depth::numbers);
        for (ComparedCause &cause : CauseFinder(documents.front(), documents[i], before, after, library, stop).find(i))
            comparison.causes.push_back(std::move(cause));
    }
    return comparison;
}

std::vector<std::string> caused_figure_paths() {
    return {std::begin(caused_figures), std::end(caused_figures)};
}

Json to_json(const PlanComparison &comparison) {
    Json json{
        {"plans", Json::array()}, {"fields", Json::array()}, {"figures", Json::array()}, {"causes", Json::array()}};
    for (std::size_t i = 0; i < comparison.names.size(); ++i)
        json["plans"].push_back({{"name", comparison.names[i]}, {"result", to_json(*comparison.results[i])}});
    for (const ComparedField &field : comparison.fields)
        json["fields"].push_back({{"pointer", field.pointer}, {"values", field.values}});
    const auto number = [](const std::optional<double> &value) { return value ? Json(*value) : Json(nullptr); };
    for (const ComparedFigure &figure : comparison.figures) {
        Json values = Json::array();
        for (const auto &value : figure.values)
            values.push_back(number(value));
        json["figures"].push_back({{"name", figure.path},
                                   {"title", figure.title},
                                   {"unit", unit_name(figure.quantity, "")},
                                   {"values", std::move(values)}});
    }
    for (const ComparedCause &cause : comparison.causes)
        json["causes"].push_back({{"plan", cause.plan},
                                  {"figure", cause.figure},
                                  {"title", cause.title},
                                  {"fields", cause.fields},
                                  {"alone", number(cause.alone)},
                                  {"in_order", cause.in_order},
                                  {"interaction", number(cause.interaction())}});
    return json;
}

} // namespace meshwright
