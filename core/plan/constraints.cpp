// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/constraints.h"

#include "input/field_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// Names of an enumerated field's choices; empty for counts and booleans.
const std::vector<std::string> &words_of(ConfigurationField field) {
    static const std::vector<std::string> none;
    if (field == ConfigurationField::schedule)
        return schedule_names();
    return field == ConfigurationField::recompute ? recompute_mode_names() : none;
}

std::optional<std::int64_t> index_of(const Json &item, const std::vector<std::string> &words) {
    if (!item.is_string())
        return std::nullopt;
    const auto found = std::find(words.begin(), words.end(), item.get<std::string>());
    if (found == words.end())
        return std::nullopt;
    return found - words.begin();
}

std::optional<std::int64_t> value_from(ConfigurationField field, const Json &item) {
    if (field == ConfigurationField::sequence_parallel)
        return item.is_boolean() ? std::optional<std::int64_t>(item.get<bool>() ? 1 : 0) : std::nullopt;
    if (!words_of(field).empty())
        return index_of(item, words_of(field));
    if (!item.is_number_integer() && !item.is_number_unsigned())
        return std::nullopt;
    const auto value = item.get<std::int64_t>();
    const std::int64_t low = field == ConfigurationField::zero_stage ? 0 : 1;
    return value >= low && value <= largest_count ? std::optional(value) : std::nullopt;
}

std::string expected_of(ConfigurationField field) {
    if (field == ConfigurationField::sequence_parallel)
        return "expected an array of booleans";
    if (!words_of(field).empty())
        return "expected an array of " + listed(words_of(field));
    return "expected an array of at most 1,000 integers";
}

void read_allowed(FieldReader &reader, Constraints &constraints) {
    reader.object("allowed", [&](FieldReader &inner) {
        for (std::size_t i = 0; i < configuration_field_count; ++i) {
            const auto field = static_cast<ConfigurationField>(i);
            const Json *found = inner.raw(configuration_field_names()[i]);
            if (found == nullptr)
                continue;
            std::vector<std::int64_t> values;
            if (found->is_array() && !found->empty() && found->size() <= 1000)
                for (const Json &item : *found)
                    if (const std::optional<std::int64_t> value = value_from(field, item))
                        values.push_back(*value);
            if (values.empty() || values.size() != found->size())
                inner.problem(configuration_field_names()[i], "contains an invalid entry", expected_of(field));
            else
                constraints.allowed[i] = std::move(values);
        }
    });
}

template <std::size_t Count>
void read_marks(FieldReader &reader, const char *key, const std::vector<std::string> &words,
                std::array<bool, Count> &marks) {
    const Json *found = reader.raw(key);
    if (found == nullptr)
        return;
    bool good = found->is_array() && found->size() <= words.size();
    if (good)
        for (const Json &item : *found) {
            const std::optional<std::int64_t> index = index_of(item, words);
            good = good && index;
            if (index)
                marks[static_cast<std::size_t>(*index)] = true;
        }
    if (!good)
        reader.problem(key, "contains an unknown name", "expected an array of " + listed(words));
}

void read_range(FieldReader &reader, const char *key, std::optional<SteppedRange> &range) {
    reader.object(key, [&](FieldReader &inner) {
        SteppedRange read;
        inner.require("low", "expected an integer");
        inner.require("high", "expected an integer");
        const bool given = inner.count("low", read.low, 1) && inner.count("high", read.high, 1);
        read.step = read.low;
        inner.count("step", read.step, 1);
        if (!given)
            return;
        if (read.high < read.low)
            inner.problem("high", "is less than low", fmt::format("expected at least {}", read.low));
        else if ((read.high - read.low) / read.step >= SteppedRange::max_steps)
            inner.problem("step", fmt::format("gives more than {} values", SteppedRange::max_steps),
                          "expected a larger step or a narrower range");
        else
            range = read;
    });
}

void read_types(FieldReader &reader, Constraints &constraints) {
    const Json *found = reader.raw("accelerator_types");
    if (found == nullptr)
        return;
    const bool good = found->is_array() && found->size() <= 100
        && std::all_of(found->begin(), found->end(), [](const Json &item) { return item.is_string(); });
    if (good)
        constraints.accelerator_types = found->get<std::vector<std::string>>();
    else
        reader.problem("accelerator_types", "is not a list of names", "expected an array of accelerator preset ids");
}

} // namespace

const std::vector<std::string> &configuration_field_names() {
    static const std::vector<std::string> names{
        "tensor", "context",           "pipeline",   "chunks",   "expert",          "expert_tensor",
        "data",   "sequence_parallel", "zero_stage", "schedule", "micro_sequences", "recompute"};
    return names;
}

const std::vector<std::string> &search_option_names() {
    static const std::vector<std::string> names{"offload", "placement", "layout", "shard_group",
                                                "group",   "precision", "outer"};
    return names;
}

const std::vector<std::string> &headroom_names() {
    static const std::vector<std::string> names{"5%", "80%-sure"};
    return names;
}

std::int64_t value_of(const Plan &plan, ConfigurationField field) {
    const Parallelism &parallelism = plan.parallelism;
    switch (field) {
    case ConfigurationField::tensor:
        return parallelism.tensor;
    case ConfigurationField::context:
        return parallelism.context;
    case ConfigurationField::pipeline:
        return parallelism.pipeline;
    case ConfigurationField::chunks:
        return parallelism.chunks;
    case ConfigurationField::expert:
        return parallelism.expert;
    case ConfigurationField::expert_tensor:
        return parallelism.expert_tensor;
    case ConfigurationField::data:
        return parallelism.data;
    case ConfigurationField::sequence_parallel:
        return parallelism.sequence_parallel ? 1 : 0;
    case ConfigurationField::zero_stage:
        return parallelism.zero_stage;
    case ConfigurationField::schedule:
        return static_cast<std::int64_t>(parallelism.schedule);
    case ConfigurationField::micro_sequences:
        return plan.batch.micro_sequences;
    case ConfigurationField::recompute:
        return static_cast<std::int64_t>(plan.recompute.mode);
    }
    return 0;
}

std::string text_of_value(ConfigurationField field, std::int64_t value) {
    if (field == ConfigurationField::sequence_parallel)
        return value != 0 ? "true" : "false";
    const std::vector<std::string> &words = words_of(field);
    return words.empty() ? std::to_string(value) : words[static_cast<std::size_t>(value)];
}

std::vector<std::int64_t> SteppedRange::values() const {
    std::vector<std::int64_t> all;
    for (std::int64_t value = low; value <= high; value += step)
        all.push_back(value);
    return all;
}

bool Constraints::admits(ConfigurationField field, std::int64_t value, std::int64_t present) const {
    const auto index = static_cast<std::size_t>(field);
    if (fixed[index])
        return value == present;
    const std::vector<std::int64_t> &values = allowed[index];
    return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

Constraints read_constraints(FieldReader &reader, const char *key) {
    Constraints constraints;
    reader.object(key, [&](FieldReader &inner) {
        read_marks(inner, "fixed", configuration_field_names(), constraints.fixed);
        read_allowed(inner, constraints);
        double headroom = 0;
        if (inner.number("headroom_bytes", headroom, Range{0, 1e18}))
            constraints.headroom_bytes = headroom;
        inner.choice("headroom", constraints.headroom, headroom_names());
        inner.boolean("any_software", constraints.any_software);
        inner.boolean("tensor_within_node", constraints.tensor_within_node);
        double deadline = 0;
        if (inner.number("deadline_seconds", deadline, Range{1, 1e12}))
            constraints.deadline_seconds = deadline;
        read_marks(inner, "also", search_option_names(), constraints.also);
        read_range(inner, "global_sequences", constraints.global_sequences);
        read_range(inner, "accelerators", constraints.accelerators);
        read_types(inner, constraints);
    });
    return constraints;
}

Constraints constraints_of(const Plan &plan) {
    if (plan.constraints_json.empty())
        return {};
    const Json document = Json::parse(plan.constraints_json);
    std::vector<Diagnostic> problems;
    FieldReader reader(document, "", problems);
    return read_constraints(reader, "constraints");
}

} // namespace meshwright
