// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/accelerator.h"
#include "catalog/cluster.h"
#include "catalog/library.h"
#include "catalog/stack_fields.h"
#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "input/json_document.h"
#include "plan/plan.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
std::vector<Diagnostic> problems_in(const Json &json, Value &value) {
    std::vector<Diagnostic> problems;
    FieldReader reader(json, "", problems);
    if constexpr (std::is_same_v<Value, Cluster>)
        read_fields(reader, value, shipped_presets());
    else
        read_fields(reader, value);
    reader.finish();
    return problems;
}

template <typename Value>
Value read_back(const Value &value) {
    Value again;
    const std::vector<Diagnostic> problems = problems_in(parse_json(to_json(value).dump()), again);
    EXPECT_TRUE(problems.empty()) << one_line("written", problems);
    return again;
}

template <typename Visit>
void for_each_preset(PresetKind kind, const Visit &visit) {
    for (const PresetEntry &entry : shipped_presets().entries()) {
        if (entry.kind != kind)
            continue;
        SCOPED_TRACE(entry.id);
        visit(entry);
    }
}

const PresetKind machine_kinds[]{PresetKind::accelerator, PresetKind::cluster, PresetKind::stack};

TEST(AcceleratorPresets, HoldTheIdsThatPlansAndMeasuredRunsUse) {
    for (const char *const id : {"a100-sxm-40gb", "a100-sxm-80gb", "a800-80gb", "h100-sxm-80gb", "h100-96gb-hbm2e",
                                 "h200-sxm-141gb", "h800-80gb", "gh200-144gb", "b200", "b200-750w", "b300", "gb200",
                                 "gb300", "mi300x", "mi350x", "mi355x", "tpu-v4", "tpu-v5p"})
        EXPECT_TRUE(shipped_presets().find(PresetKind::accelerator, id)) << id;
}

TEST(AcceleratorPresets, ReadAndWriteWithoutLoss) {
    int count = 0;
    for_each_preset(PresetKind::accelerator, [&](const PresetEntry &entry) {
        const Accelerator accelerator = *shipped_presets().accelerator(entry.id);
        EXPECT_EQ(read_back(accelerator), accelerator);
        ++count;
    });
    EXPECT_GE(count, 25);
}

TEST(AcceleratorPresets, OfferMemoryWithinATenthOfTheFigureInTheirName) {
    for_each_preset(PresetKind::accelerator, [](const PresetEntry &entry) {
        const auto accelerator = shipped_presets().accelerator(entry.id);
        const double ratio = accelerator->memory_bytes / accelerator->memory_marketing_bytes;
        EXPECT_GT(ratio, 0.9);
        EXPECT_LT(ratio, 1.1);
    });
}

// nvidia-smi reports 81,559 and 146,831 MiB for these devices.
TEST(AcceleratorPresets, GiveMemoryAsTheDeviceReportsIt) {
    EXPECT_EQ(shipped_presets().accelerator("h100-sxm-80gb")->memory_bytes, 85'520'809'984.0);
    EXPECT_EQ(shipped_presets().accelerator("gh200-144gb")->memory_bytes, 153'963'462'656.0);
    EXPECT_EQ(shipped_presets().accelerator("mi300x")->memory_bytes, 206'141'652'992.0);
}

TEST(AcceleratorPresets, AreFasterInNarrowerFormats) {
    for_each_preset(PresetKind::accelerator, [](const PresetEntry &entry) {
        const auto accelerator = shipped_presets().accelerator(entry.id);
        EXPECT_GE(accelerator->peak(DataType::nvfp4), accelerator->peak(DataType::fp8));
        EXPECT_GE(accelerator->peak(DataType::fp8), accelerator->peak(DataType::bf16));
        EXPECT_GE(accelerator->peak(DataType::bf16), accelerator->peak(DataType::tf32));
        EXPECT_GE(accelerator->peak(DataType::tf32), accelerator->peak(DataType::fp32));
    });
}

TEST(AcceleratorPresets, AreConnectedFasterInsideTheNodeThanBetweenNodes) {
    for_each_preset(PresetKind::accelerator, [](const PresetEntry &entry) {
        const auto accelerator = shipped_presets().accelerator(entry.id);
        EXPECT_GT(accelerator->link_bandwidth_bytes_per_second, accelerator->nic_bandwidth_bytes_per_second);
        EXPECT_GT(accelerator->memory_bandwidth_bytes_per_second, accelerator->link_bandwidth_bytes_per_second);
    });
}

// Marketing counts both directions: 600, 900 and 1,800 GB/s.
TEST(AcceleratorPresets, GiveNvlinkPerDirection) {
    EXPECT_EQ(shipped_presets().accelerator("a100-sxm-80gb")->link_bandwidth_bytes_per_second, 300e9);
    EXPECT_EQ(shipped_presets().accelerator("h100-sxm-80gb")->link_bandwidth_bytes_per_second, 450e9);
    EXPECT_EQ(shipped_presets().accelerator("b200")->link_bandwidth_bytes_per_second, 900e9);
}

TEST(AcceleratorPresets, RunAMissingFormatAtTheRateOfTheNextOneTheyHave) {
    const auto v100 = shipped_presets().accelerator("v100-sxm2-32gb");
    EXPECT_FALSE(v100->supports(DataType::bf16));
    EXPECT_EQ(v100->peak(DataType::bf16), 125e12);
    EXPECT_EQ(shipped_presets().accelerator("a100-sxm-80gb")->peak(DataType::fp8), 312e12);
    EXPECT_EQ(shipped_presets().accelerator("h100-sxm-80gb")->peak(DataType::nvfp4), 1979e12);
    EXPECT_EQ(shipped_presets().accelerator("tpu-v4")->peak(DataType::fp32), 275e12);
}

TEST(ClusterPresets, ReadAndWriteWithoutLoss) {
    for_each_preset(PresetKind::cluster, [](const PresetEntry &entry) {
        const Cluster cluster = *shipped_presets().cluster(entry.id);
        EXPECT_EQ(read_back(cluster), cluster);
    });
}

TEST(ClusterPresets, GetSlowerOutwards) {
    for_each_preset(PresetKind::cluster, [](const PresetEntry &entry) {
        const auto cluster = shipped_presets().cluster(entry.id);
        EXPECT_TRUE(std::is_sorted(cluster->tiers.begin(), cluster->tiers.end(), [](const Tier &a, const Tier &b) {
            return a.accelerators < b.accelerators && a.bandwidth_bytes_per_second > b.bandwidth_bytes_per_second
                && a.latency_seconds < b.latency_seconds;
        }));
        EXPECT_EQ(cluster->sites > 1, cluster->wan.has_value());
    });
}

TEST(ClusterPresets, FindTheInnermostTierThatHoldsAGroup) {
    const auto cluster = shipped_presets().cluster("gh200-16-node");
    EXPECT_EQ(cluster->tier_of(1), 0u);
    EXPECT_EQ(cluster->tier_of(2), 0u);
    EXPECT_EQ(cluster->tier_of(3), 1u);
    EXPECT_EQ(cluster->tier_of(16), 1u);
    EXPECT_EQ(cluster->tier_of(1'000), 1u);
}

TEST(StackPresets, ReadAndWriteWithoutLoss) {
    for_each_preset(PresetKind::stack, [](const PresetEntry &entry) {
        const Stack stack = *shipped_presets().stack(entry.id);
        EXPECT_EQ(read_back(stack), stack);
    });
}

TEST(StackFields, AreThoseOfTheSchemaWithItsRangesAndWords) {
    const Json schema = read_json_file(MESHWRIGHT_PRESETS "/schema/stack.schema.json").at("properties");
    const std::set<std::string> others{"schema", "$schema", "id",      "name",        "framework", "year",    "notes",
                                       "source", "sources", "comment", "description", "can_run",   "based_on"};
    std::size_t fields = 0;
    for (const auto &[key, value] : schema.items())
        if (!others.contains(key)) {
            ++fields;
            EXPECT_NE(find_stack_field(key), nullptr) << key;
        }
    EXPECT_EQ(fields, stack_fields().size());
    for (const StackField &field : stack_fields()) {
        const Json &said = schema.at(std::string(field.key));
        EXPECT_TRUE(said.at("description").get<std::string>().starts_with(field.meaning)) << field.key;
        const std::vector<std::string> words = field.words();
        if (said.contains("enum"))
            EXPECT_EQ(said.at("enum").get<std::vector<std::string>>(), words) << field.key;
        else if (said.at("type") == "boolean")
            EXPECT_EQ(words, (std::vector<std::string>{"false", "true"})) << field.key;
        else
            EXPECT_EQ(std::make_pair(said.at("minimum").get<double>(), said.at("maximum").get<double>()),
                      std::make_pair(field.range.low, field.range.high))
                << field.key;
    }
}

TEST(CapabilityFields, AreThoseOfTheSchemaWithItsWords) {
    const Json schema =
        read_json_file(MESHWRIGHT_PRESETS "/schema/stack.schema.json").at("properties").at("can_run").at("properties");
    EXPECT_EQ(schema.size(), capability_fields().size());
    for (const CapabilityField &field : capability_fields()) {
        const Json &said = schema.at(std::string(field.key));
        EXPECT_EQ(said.at("description").get<std::string>(), field.meaning) << field.key;
        const std::vector<std::string> words = field.words();
        if (words.empty())
            continue;
        const Json &listed = said.contains("enum") ? said : said.at("items");
        EXPECT_EQ(listed.at("enum").get<std::vector<std::string>>(), words) << field.key;
    }
    EXPECT_EQ(schema.at("schedules").at("items").at("enum").get<std::vector<std::string>>(), schedule_names());
    EXPECT_EQ(schema.at("recompute").at("items").at("enum").get<std::vector<std::string>>(), recompute_mode_names());
    EXPECT_EQ(schema.at("outer").at("items").at("enum").get<std::vector<std::string>>(), outer_method_names());
}

TEST(StackPresets, SayWhereEachThingIsSaidThatTheyCanRun) {
    for_each_preset(PresetKind::stack, [](const PresetEntry &entry) {
        const Stack stack = *shipped_presets().stack(entry.id);
        EXPECT_TRUE(stack.can_run.is_known());
        for (const CapabilityField &field : capability_fields()) {
            const std::string *const source = stack.sources.find("can_run." + std::string(field.key));
            EXPECT_EQ(field.is_known(stack.can_run), source != nullptr && !source->empty()) << field.key;
        }
    });
}

/// A stack that is based on another has no measured runs and therefore no figures of its own.
TEST(StackPresets, HaveTheFiguresOfTheStackThatTheyAreBasedOn) {
    for_each_preset(PresetKind::stack, [](const PresetEntry &entry) {
        const Stack stack = *shipped_presets().stack(entry.id);
        if (stack.based_on.empty())
            return;
        const Stack base = *shipped_presets().stack(stack.based_on);
        EXPECT_TRUE(base.based_on.empty());
        for (const StackField &field : stack_fields())
            EXPECT_EQ(field.value(stack), field.value(base)) << field.key;
    });
}

TEST(StackFields, AreSetOneByOne) {
    for (const StackField &field : stack_fields()) {
        Stack stack;
        const double before = field.value(stack);
        const std::size_t words = field.words().size();
        const double after = words > 0   ? std::fmod(before + 1, static_cast<double>(words))
            : before == field.range.high ? field.range.low
                                         : field.range.high;
        field.set(stack, after);
        EXPECT_EQ(field.value(stack), after) << field.key;
        EXPECT_NE(stack, Stack()) << field.key;
        EXPECT_EQ(read_back(stack), stack) << field.key;
        EXPECT_EQ(stack_number(field.key) != nullptr, std::holds_alternative<double Stack::*>(field.place));
    }
    EXPECT_EQ(stack_number("no_such_field"), nullptr);
}

TEST(StackPresets, AreNoneFasterThanTheIdealOne) {
    const auto ideal = shipped_presets().stack("ideal");
    for_each_preset(PresetKind::stack, [&](const PresetEntry &entry) {
        const auto stack = shipped_presets().stack(entry.id);
        EXPECT_LE(stack->matrix_efficiency_factor, ideal->matrix_efficiency_factor);
        EXPECT_GE(stack->memory_traffic_factor, ideal->memory_traffic_factor);
        EXPECT_GE(stack->host_seconds_per_layer, ideal->host_seconds_per_layer);
        EXPECT_LE(stack->tensor_overlap, ideal->tensor_overlap);
        EXPECT_GE(stack->sharded_exposed_share, ideal->sharded_exposed_share);
        EXPECT_GE(stack->allocator_reserve_factor, ideal->allocator_reserve_factor);
    });
}

/// Collects the fields of `value` with a number other than 0, by their names in `sources`. A table is one field.
void collect_numbers(const Json &value, const std::string &path, std::vector<std::string> &fields) {
    if (value.is_number() && value != 0)
        fields.push_back(path);
    if (path.ends_with(".bus_bandwidth")) {
        fields.push_back(path);
        return;
    }
    if (!value.is_structured())
        return;
    if (value.is_array() && !value.empty() && value.front().is_number() && path.starts_with("can_run.")) {
        fields.push_back(path);
        return;
    }
    for (const auto &item : value.items()) {
        const bool named = item.value().is_object() && item.value().contains("name");
        const std::string key = named ? item.value()["name"].get<std::string>() : item.key();
        if (item.key() != "sources")
            collect_numbers(item.value(), path.empty() ? key : std::string(path).append(".").append(key), fields);
    }
}

TEST(Presets, NameTheSourceOfEveryNumber) {
    for (const PresetKind kind : machine_kinds)
        for_each_preset(kind, [](const PresetEntry &entry) {
            const Json &json = shipped_presets().json(entry.kind, entry.id);
            std::vector<std::string> fields;
            collect_numbers(json, "", fields);
            for (const std::string &field : fields) {
                // A single site and the year of a stack are definitions of the preset, not measurements.
                if (field == "sites" || (field == "year" && entry.kind == PresetKind::stack))
                    continue;
                EXPECT_TRUE(json.contains("sources") && json["sources"].contains(field)
                            && !json["sources"][field].get<std::string>().empty())
                    << field;
            }
        });
}

TEST(Presets, HaveNoSourceForAFieldThatIsNotThere) {
    for (const PresetKind kind : machine_kinds)
        for_each_preset(kind, [](const PresetEntry &entry) {
            const Json &json = shipped_presets().json(entry.kind, entry.id);
            for (const auto &source : json["sources"].items())
                EXPECT_TRUE(json.contains(source.key().substr(0, source.key().find('.')))) << source.key();
        });
}

Accelerator any_accelerator() {
    Accelerator accelerator;
    accelerator.id = "made-up";
    accelerator.name = *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange<char>('a', 'z')));
    accelerator.vendor = "someone";
    accelerator.year = *rc::gen::inRange<std::int64_t>(1990, 2100);
    for (const int type : *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 9))))
        accelerator.peak_flops_per_second[static_cast<DataType>(type)] = 1e9 * *rc::gen::inRange(1, 100'000'000) / 7;
    accelerator.memory_bytes = 1e6 * *rc::gen::inRange(1, 1'000'000) + 1.0 / 3;
    accelerator.memory_marketing_bytes = 1e9 * *rc::gen::inRange(1, 1000);
    accelerator.memory_bandwidth_bytes_per_second = 1e9 * *rc::gen::inRange(1, 100'000) / 3;
    accelerator.link_domain_accelerators = *rc::gen::inRange(1, 10'000);
    accelerator.sources =
        Sources(*rc::gen::container<Sources::Texts>(rc::gen::container<std::string>(rc::gen::inRange<char>(' ', '~')),
                                                    rc::gen::container<std::string>(rc::gen::inRange<char>(' ', '~'))));
    return accelerator;
}

RC_GTEST_PROP(AcceleratorJson, BringsBackEveryBitOfAnyAccelerator, ()) {
    const Accelerator accelerator = any_accelerator();
    RC_ASSERT(read_back(accelerator) == accelerator);
}

RC_GTEST_PROP(AcceleratorJson, HasARateForEveryFormatWhicheverTheAcceleratorHas, ()) {
    const Accelerator accelerator = any_accelerator();
    for (int type = 0; type <= static_cast<int>(DataType::none); ++type) {
        const double rate = accelerator.peak(static_cast<DataType>(type));
        RC_ASSERT(std::any_of(accelerator.peak_flops_per_second.begin(), accelerator.peak_flops_per_second.end(),
                              [&](const auto &peak) { return peak.second == rate; }));
    }
}

RC_GTEST_PROP(ClusterJson, BringsBackEveryBitOfAnyCluster, ()) {
    Cluster cluster;
    cluster.accelerator = any_accelerator();
    std::int64_t size = 1;
    for (int i = 0, tiers = *rc::gen::inRange(1, 6); i < tiers; ++i) {
        size *= *rc::gen::inRange(1, 10);
        cluster.tiers.push_back({std::string(static_cast<std::size_t>(i) + 1, 't'), size,
                                 *rc::gen::inRange(1, 1'000'000) / 7.0 + 1, *rc::gen::inRange(0, 1000) * 1e-7});
        const std::int64_t within = i == 0 ? 1 : cluster.tiers[static_cast<std::size_t>(i) - 1].accelerators;
        for (int line = 0, lines = *rc::gen::inRange(0, 3); line < lines; ++line)
            cluster.tiers.back().bus_bandwidth.push_back(
                {.collective = static_cast<Collective>(*rc::gen::inRange(0, 2)),
                 .ranks = within * *rc::gen::inRange(2, 5),
                 .bytes = std::pow(3.0, line) / 7 * 1e6,
                 .bytes_per_second = *rc::gen::inRange(100, 200) / 7.0 * 1e6});
    }
    cluster.accelerators_per_node = size * *rc::gen::inRange(1, 3);
    cluster.sites = *rc::gen::inRange(1, 1000);
    if (*rc::gen::arbitrary<bool>())
        cluster.wan = Wan{.uplink_bits_per_second = 1e6,
                          .downlink_bits_per_second = 3e6,
                          .full_duplex = false,
                          .round_trip_seconds = 0.1,
                          .loss_probability = 1e-4,
                          .streams = 3};
    cluster.health = static_cast<NetworkHealth>(*rc::gen::inRange(0, 3));
    RC_ASSERT(read_back(cluster) == cluster);
}

} // namespace
} // namespace meshwright
