// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/run_rules.h"

#include "catalog/library.h"
#include "input/field_reader.h"
#include "input/json_document.h"
#include "plan/plan_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct WordColumn {
    const char *key;
    std::string MeasuredRun::*place;
};
constexpr std::array word_columns{
    WordColumn{"framework", &MeasuredRun::framework}, WordColumn{"overlap", &MeasuredRun::overlap},
    WordColumn{"notes", &MeasuredRun::notes},         WordColumn{"interconnect", &MeasuredRun::interconnect},
    WordColumn{"optimizer", &MeasuredRun::optimizer}, WordColumn{"accelerator", &MeasuredRun::accelerator},
    WordColumn{"precision", &MeasuredRun::precision}, WordColumn{"recompute_detail", &MeasuredRun::recompute_detail},
};

using Words = std::vector<std::string>;

Words words_of(FieldReader &reader, const char *key) {
    Words words;
    const Json *const found = reader.raw(key);
    if (found == nullptr)
        return words;
    if (!found->is_array())
        reader.problem(key, "not an array", "expected an array of strings");
    else
        for (const Json &word : *found)
            words.push_back(word.is_string() ? word.get<std::string>() : std::string());
    return words;
}

/// Whether one of the semicolon-separated parts equals `wanted`.
bool has_part(std::string_view text, std::string_view wanted) {
    while (!text.empty()) {
        std::string_view part = text.substr(0, text.find(';'));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        while (!part.empty() && part.front() == ' ')
            part.remove_prefix(1);
        while (!part.empty() && part.back() == ' ')
            part.remove_suffix(1);
        if (part == wanted)
            return true;
    }
    return false;
}

/// Whether the text contains one of the words. A word written "=word" must equal a whole semicolon-separated part. An
/// empty list matches any text.
bool holds_one(const std::string &text, const Words &words) {
    return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string &word) {
               if (word.starts_with('='))
                   return has_part(text, std::string_view(word).substr(1));
               return word.empty() ? text.empty() : text.find(word) != std::string::npos;
           });
}

} // namespace

struct RunRules::Rule {
    std::array<Words, word_columns.size()> any; ///< for each column, words of which at least one must occur
    std::array<Words, word_columns.size()> none; ///< for each column, words that must not occur
    std::int64_t from = 0;
    std::int64_t to = 9999;
    std::optional<std::int64_t> zero_stage_is;
    std::optional<bool> pipelined;
    std::optional<bool> tensor_split;
    std::string stack;
    Json set = Json::object(); ///< merge patch for the stack
    std::optional<std::string> recompute;
    std::optional<std::int64_t> micro_batch;
    std::optional<BatchCut> pipelined_batch;
    std::optional<std::int64_t> zero_stage;
    std::optional<bool> sequence_parallel;
    std::optional<bool> recompute_to_fit;
    std::optional<bool> chunks_by_layer;
    std::optional<bool> ends_count_as_layers;
    std::optional<bool> expert_tensor_follows;
    std::optional<bool> shard_group_is_a_name;
    std::optional<std::string> health;
    std::string cluster;
    std::string why;

    bool applies(const MeasuredRun &run, const std::array<std::string, word_columns.size()> &texts) const {
        if (run.year != 0 && (run.year < from || run.year > to))
            return false;
        if (zero_stage_is && run.zero_stage != static_cast<double>(*zero_stage_is))
            return false;
        if (pipelined && *pipelined != (run.pipeline.value_or(1) > 1))
            return false;
        if (tensor_split && *tensor_split != (run.tensor.value_or(1) > 1))
            return false;
        for (std::size_t i = 0; i < texts.size(); ++i)
            if (!holds_one(texts[i], any[i]) || (!none[i].empty() && holds_one(texts[i], none[i])))
                return false;
        return true;
    }
};

struct RunRules::Cache {
    std::mutex mutex;
    std::map<std::vector<std::size_t>, Stack> stacks;
};

namespace {

template <typename Value, typename Read>
void read_optional(std::optional<Value> &place, const Read &read) {
    Value value{};
    if (read(value))
        place = std::move(value);
}

} // namespace

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

RunRules::RunRules(const Json &document, const Library &library)
    : m_library(library)
    , m_cache(std::make_shared<Cache>()) {
    std::vector<Diagnostic> problems;
    FieldReader reader(document, "", problems);
    reader.raw("schema");
    reader.objects("accelerators", [&](FieldReader &item) {
        std::pair<std::string, std::string> known;
        item.text("words", known.first);
        item.text("id", known.second);
        m_accelerators.push_back(std::move(known));
        item.finish();
    });
    reader.objects("rules", [&](FieldReader &item) {
        auto rule = std::make_shared<Rule>();
        item.object("where", [&](FieldReader &where) {
            for (std::size_t i = 0; i < word_columns.size(); ++i) {
                rule->any[i] = words_of(where, word_columns[i].key);
                rule->none[i] = words_of(where, (std::string("not_") + word_columns[i].key).c_str());
            }
            where.count("from", rule->from, 0, 9999);
            where.count("to", rule->to, 0, 9999);
            read_optional(rule->zero_stage_is, [&](std::int64_t &v) { return where.count("zero_stage", v, 0, 3); });
            read_optional(rule->pipelined, [&](bool &v) { return where.boolean("pipelined", v); });
            read_optional(rule->tensor_split, [&](bool &v) { return where.boolean("tensor_split", v); });
            where.finish();
        });
        item.text("stack", rule->stack);
        if (const Json *const set = item.raw("set"))
            rule->set = *set;
        read_optional(rule->recompute, [&](std::string &v) { return item.text("recompute", v); });
        read_optional(rule->micro_batch, [&](std::int64_t &v) { return item.count("micro_batch", v, 1); });
        read_optional(rule->pipelined_batch, [&](BatchCut &v) {
            static const std::vector<std::string> names{"none", "stages", "sequences"};
            return item.choice("pipelined_batch", v, names);
        });
        read_optional(rule->zero_stage, [&](std::int64_t &v) { return item.count("zero_stage", v, 0, 3); });
        read_optional(rule->sequence_parallel, [&](bool &v) { return item.boolean("sequence_parallel", v); });
        read_optional(rule->recompute_to_fit, [&](bool &v) { return item.boolean("recompute_to_fit", v); });
        read_optional(rule->chunks_by_layer, [&](bool &v) { return item.boolean("chunks_by_layer", v); });
        read_optional(rule->ends_count_as_layers, [&](bool &v) { return item.boolean("ends_count_as_layers", v); });
        read_optional(rule->expert_tensor_follows, [&](bool &v) { return item.boolean("expert_tensor_follows", v); });
        read_optional(rule->shard_group_is_a_name, [&](bool &v) { return item.boolean("shard_group_is_a_name", v); });
        read_optional(rule->health, [&](std::string &v) { return item.text("health", v); });
        item.text("cluster", rule->cluster);
        item.text("why", rule->why);
        item.finish();
        m_rules.push_back(std::move(rule));
    });
    reader.finish();
    if (!problems.empty())
        throw InputError(std::move(problems));
}

const RunRules &RunRules::standard() {
    static const RunRules rules(read_json_file(Library::standard().own_folder() / "evidence" / "assumptions.json"),
                                Library::standard());
    return rules;
}

RunAssumptions RunRules::assumptions(const MeasuredRun &run) const {
    std::array<std::string, word_columns.size()> texts;
    for (std::size_t i = 0; i < texts.size(); ++i)
        texts[i] = lower_case(run.*word_columns[i].place);
    RunAssumptions found;
    std::vector<std::size_t> applied;
    for (std::size_t i = 0; i < m_rules.size(); ++i) {
        const Rule &rule = *m_rules[i];
        if (!rule.applies(run, texts))
            continue;
        applied.push_back(i);
        if (!rule.stack.empty()) {
            found.stack_id = rule.stack;
            found.why.clear(); // earlier reasons referred to a different stack
            found.recompute_to_fit = false;
        }
        found.recompute = rule.recompute.value_or(found.recompute);
        found.micro_batch = rule.micro_batch.value_or(found.micro_batch);
        found.pipelined_batch = rule.pipelined_batch.value_or(found.pipelined_batch);
        found.zero_stage = rule.zero_stage.value_or(found.zero_stage);
        if (rule.sequence_parallel)
            found.sequence_parallel = rule.sequence_parallel;
        found.recompute_to_fit = rule.recompute_to_fit.value_or(found.recompute_to_fit);
        found.chunks_by_layer = rule.chunks_by_layer.value_or(found.chunks_by_layer);
        found.ends_count_as_layers = rule.ends_count_as_layers.value_or(found.ends_count_as_layers);
        found.expert_tensor_follows = rule.expert_tensor_follows.value_or(found.expert_tensor_follows);
        found.shard_group_is_a_name = rule.shard_group_is_a_name.value_or(found.shard_group_is_a_name);
        found.health = rule.health.value_or(found.health);
        if (!rule.cluster.empty())
            found.cluster_id = rule.cluster;
        if (!rule.why.empty())
            found.why.push_back(rule.why);
    }
    const std::lock_guard lock(m_cache->mutex);
    const auto known = m_cache->stacks.find(applied);
    if (known != m_cache->stacks.end()) {
        found.stack = known->second;
        return found;
    }
    Json json = m_library.json(PresetKind::stack, found.stack_id);
    for (const std::size_t i : applied)
        merge_patch(json, m_rules[i]->set);
    std::vector<Diagnostic> problems;
    FieldReader reader(json, "", problems);
    read_fields(reader, found.stack);
    if (!problems.empty())
        throw InputError(std::move(problems));
    m_cache->stacks.emplace(std::move(applied), found.stack);
    return found;
}

std::optional<std::string> RunRules::accelerator(const std::string &words) const {
    if (m_library.find(PresetKind::accelerator, words))
        return words;
    const std::string lower = lower_case(words);
    for (const auto &[known, id] : m_accelerators)
        if (lower.find(known) != std::string::npos)
            return id;
    return std::nullopt;
}

} // namespace meshwright
