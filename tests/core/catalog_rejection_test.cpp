// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/accelerator.h"
#include "catalog/cluster.h"
#include "catalog/library.h"
#include "catalog/stack.h"
#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "input/json_document.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Diagnostic> cluster_problems(const Json &json) {
    std::vector<Diagnostic> problems;
    FieldReader reader(json, "/cluster", problems);
    Cluster cluster;
    read_fields(reader, cluster, shipped_presets());
    reader.finish();
    return problems;
}

template <typename Preset>
std::vector<Diagnostic> problems_of(const Json &json) {
    std::vector<Diagnostic> problems;
    FieldReader reader(json, "", problems);
    Preset preset;
    read_fields(reader, preset);
    reader.finish();
    return problems;
}

bool is_about(const std::vector<Diagnostic> &problems, const std::string &pointer) {
    return std::any_of(problems.begin(), problems.end(), [&](const Diagnostic &problem) {
        return problem.severity == Severity::error && !problem.fields.empty() && problem.fields.front() == pointer
            && !problem.message.text.empty() && !problem.expected.text.empty();
    });
}

Json good_cluster() {
    return parse_json(R"({
        "accelerator": "h100-sxm-80gb", "accelerators_per_node": 8, "sites": 2,
        "tiers": [{"name": "nvlink", "accelerators": 8, "bandwidth_bytes_per_second": 450e9, "latency_seconds": 3e-6},
                  {"name": "node", "accelerators": 64, "bandwidth_bytes_per_second": 50e9, "latency_seconds": 5e-6}],
        "wan": {"uplink_bits_per_second": 1e9, "downlink_bits_per_second": 1e9}})");
}

TEST(Cluster, ThatIsRightHasNoProblem) {
    EXPECT_TRUE(cluster_problems(good_cluster()).empty());
}

struct Spoiled {
    const char *patch; ///< JSON patch of one operation
    const char *pointer;
};

const Spoiled spoiled_clusters[]{
    {R"({"op": "remove", "path": "/accelerator"})", "/cluster/accelerator"},
    {R"({"op": "replace", "path": "/accelerator", "value": 8})", "/cluster/accelerator"},
    {R"({"op": "replace", "path": "/accelerator", "value": "h100"})", "/cluster/accelerator"},
    {R"({"op": "replace", "path": "/accelerator", "value": "../accelerators/b200"})", "/cluster/accelerator"},
    {R"({"op": "replace", "path": "/accelerator", "value": {}})", "/cluster/accelerator/memory_bytes"},
    {R"({"op": "remove", "path": "/tiers"})", "/cluster/tiers"},
    {R"({"op": "replace", "path": "/tiers", "value": []})", "/cluster/tiers"},
    {R"({"op": "replace", "path": "/tiers", "value": {}})", "/cluster/tiers"},
    {R"({"op": "replace", "path": "/tiers/1", "value": 3})", "/cluster/tiers/1"},
    {R"({"op": "replace", "path": "/tiers/1/accelerators", "value": 4})", "/cluster/tiers/1/accelerators"},
    {R"({"op": "replace", "path": "/tiers/1/accelerators", "value": 60})", "/cluster/tiers/1/accelerators"},
    {R"({"op": "replace", "path": "/tiers/0/accelerators", "value": 0})", "/cluster/tiers/0/accelerators"},
    {R"({"op": "replace", "path": "/tiers/0/accelerators", "value": -8})", "/cluster/tiers/0/accelerators"},
    {R"({"op": "replace", "path": "/tiers/0/accelerators", "value": 2.5})", "/cluster/tiers/0/accelerators"},
    {R"({"op": "replace", "path": "/tiers/1/accelerators", "value": 1e18})", "/cluster/tiers/1/accelerators"},
    {R"({"op": "remove", "path": "/tiers/0/bandwidth_bytes_per_second"})",
     "/cluster/tiers/0/bandwidth_bytes_per_second"},
    {R"({"op": "replace", "path": "/tiers/0/bandwidth_bytes_per_second", "value": 0})",
     "/cluster/tiers/0/bandwidth_bytes_per_second"},
    {R"({"op": "replace", "path": "/tiers/0/latency_seconds", "value": -1})", "/cluster/tiers/0/latency_seconds"},
    {R"({"op": "replace", "path": "/tiers/1/name", "value": "nvlink"})", "/cluster/tiers/1/name"},
    {R"({"op": "add", "path": "/tiers/1/latency", "value": 1})", "/cluster/tiers/1/latency"},
    {R"({"op": "add", "path": "/tiers/1/bus_bandwidth", "value": 3})", "/cluster/tiers/1/bus_bandwidth"},
    {R"({"op": "add", "path": "/tiers/1/bus_bandwidth", "value": [{"ranks": 16, "bytes": 1e6}]})",
     "/cluster/tiers/1/bus_bandwidth/0/bytes_per_second"},
    {R"({"op": "add", "path": "/tiers/1/bus_bandwidth", "value": [{"ranks": 8, "bytes": 1, "bytes_per_second": 1}]})",
     "/cluster/tiers/1/bus_bandwidth/0/ranks"},
    {R"({"op": "add", "path": "/tiers/1/bus_bandwidth",
         "value": [{"ranks": 16, "bytes": 1e6, "bytes_per_second": 1e9, "collective": "all_to_all"}]})",
     "/cluster/tiers/1/bus_bandwidth/0/collective"},
    {R"({"op": "add", "path": "/tiers/1/bus_bandwidth", "value": [{"ranks": 16, "bytes": 1e6, "bytes_per_second": 1e9},
         {"ranks": 16, "bytes": 2e6, "bytes_per_second": 3e9}]})",
     "/cluster/tiers/1/bus_bandwidth/1/bytes_per_second"},
    {R"({"op": "replace", "path": "/accelerators_per_node", "value": 12})", "/cluster/accelerators_per_node"},
    {R"({"op": "replace", "path": "/sites", "value": 0})", "/cluster/sites"},
    {R"({"op": "replace", "path": "/sites", "value": "two"})", "/cluster/sites"},
    {R"({"op": "add", "path": "/health", "value": "ill"})", "/cluster/health"},
    {R"({"op": "replace", "path": "/wan", "value": {}})", "/cluster/wan/uplink_bits_per_second"},
    {R"({"op": "add", "path": "/wan/loss_probability", "value": 1})", "/cluster/wan/loss_probability"},
    {R"({"op": "add", "path": "/wan/streams", "value": 0})", "/cluster/wan/streams"},
    {R"({"op": "add", "path": "/wan/rate_trace", "value": [{"seconds": 0, "share": 1}, {"seconds": 5e-324, "share": 1}]})",
     "/cluster/wan/rate_trace/1/seconds"}, // the period is so short that time / period overflows a double
    {R"({"op": "add", "path": "/schema", "value": "meshwright.plan/1"})", "/cluster/schema"},
    {R"({"op": "add", "path": "/sources", "value": {"sites": 3}})", "/cluster/sources"}};

TEST(Cluster, ThatIsSpoiledAnywhereIsRejectedThere) {
    for (const auto &[patch, pointer] : spoiled_clusters) {
        SCOPED_TRACE(patch);
        const std::vector<Diagnostic> problems =
            cluster_problems(good_cluster().patch(Json::array({Json::parse(patch)})));
        EXPECT_TRUE(is_about(problems, pointer)) << one_line("cluster", problems);
    }
}

TEST(Cluster, WithAnUnknownAcceleratorNamesTheNearestOne) {
    Json cluster = good_cluster();
    cluster["accelerator"] = "h100-sxm-80g";
    const std::vector<Diagnostic> problems = cluster_problems(cluster);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_NE(problems.front().expected.text.find("h100-sxm-80gb"), std::string::npos);
}

TEST(Cluster, ThatSaysNothingOfNodesTakesThoseOfItsAccelerator) {
    Json cluster = good_cluster();
    cluster.erase("accelerators_per_node");
    std::vector<Diagnostic> problems;
    FieldReader reader(cluster, "", problems);
    Cluster read;
    read_fields(reader, read, shipped_presets());
    EXPECT_EQ(read.accelerators_per_node, 8);
    EXPECT_EQ(read.accelerators(), 128);
}

TEST(Accelerator, WithoutRateOrMemoryIsRejected) {
    const std::vector<Diagnostic> problems = problems_of<Accelerator>(Json::object());
    EXPECT_TRUE(is_about(problems, "/peak_flops_per_second"));
    EXPECT_TRUE(is_about(problems, "/memory_bytes"));
    EXPECT_TRUE(is_about(problems, "/memory_bandwidth_bytes_per_second"));
}

TEST(Accelerator, WithAPartOfAMultiprocessorIsRejected) {
    Json h100 = shipped_presets().json(PresetKind::accelerator, "h100-sxm-80gb");
    for (const double part : {1e-300, 0.5, 5e-324}) {
        h100["multiprocessors"] = part;
        EXPECT_TRUE(is_about(problems_of<Accelerator>(h100), "/multiprocessors")) << part;
    }
    h100["multiprocessors"] = 0;
    EXPECT_TRUE(problems_of<Accelerator>(h100).empty());
}

TEST(Accelerator, WithARateInAnUnknownFormatIsRejected) {
    const std::vector<Diagnostic> problems = problems_of<Accelerator>(parse_json(
        R"({"peak_flops_per_second": {"bf17": 1e12}, "memory_bytes": 8e10, "memory_bandwidth_bytes_per_second": 1e12})"));
    EXPECT_TRUE(is_about(problems, "/peak_flops_per_second/bf17"));
    EXPECT_TRUE(is_about(problems, "/peak_flops_per_second"));
}

TEST(Stack, WithSharesOutsideTheWholeIsRejected) {
    const std::vector<Diagnostic> problems =
        problems_of<Stack>(parse_json(R"({"tensor_overlap": 1.1, "graph_share": -0.1, "default_zero_stage": 4,
                                        "attention": "flash-9", "allocator_reserve_factor": 0.5})"));
    for (const char *const pointer :
         {"/tensor_overlap", "/graph_share", "/default_zero_stage", "/attention", "/allocator_reserve_factor"})
        EXPECT_TRUE(is_about(problems, pointer)) << pointer;
}

Json any_json(int depth) {
    switch (*rc::gen::inRange(0, depth > 0 ? 9 : 6)) {
    case 0:
        return nullptr;
    case 1:
        return *rc::gen::arbitrary<bool>();
    case 2:
        return *rc::gen::arbitrary<std::int64_t>();
    case 3:
        return *rc::gen::element(0.0, -1.0, 1e308, -1e308, 5e-324, 0.5, 1e18, 9.3e18);
    case 4:
        return *rc::gen::container<std::string>(rc::gen::inRange<char>(' ', '~'));
    case 5:
        return *rc::gen::element<std::string>("h100-sxm-80gb", "../../etc/passwd", "", "nominal", "flash-2");
    case 6:
    case 7: {
        Json array = Json::array();
        for (int i = 0, size = *rc::gen::inRange(0, 4); i < size; ++i)
            array.push_back(any_json(depth - 1));
        return array;
    }
    default:
        break;
    }
    Json object = Json::object();
    for (int i = 0, size = *rc::gen::inRange(0, 4); i < size; ++i)
        object[*rc::gen::element<std::string>("name", "accelerators", "bandwidth_bytes_per_second", "bf16", "id",
                                              "x/~")] = any_json(depth - 1);
    return object;
}

/// Replaces some members of an object, at any depth, by random values.
void spoil(Json &value) {
    for (auto &item : value.items()) {
        const int choice = *rc::gen::inRange(0, 8);
        if (choice == 0)
            item.value() = any_json(2);
        else if (item.value().is_structured())
            spoil(item.value());
    }
}

RC_GTEST_PROP(AnyObject, EitherReadsOrHasProblemsThatPointIntoIt, ()) {
    Json cluster = good_cluster();
    cluster["accelerator"] = Json(shipped_presets().json(PresetKind::accelerator, "h100-sxm-80gb"));
    spoil(cluster);
    for (const Diagnostic &problem : cluster_problems(cluster)) {
        RC_ASSERT(!problem.fields.empty());
        RC_ASSERT(problem.fields.front().starts_with("/cluster"));
    }
    Json stack = shipped_presets().json(PresetKind::stack, "ideal");
    spoil(stack);
    for (const Diagnostic &problem : problems_of<Stack>(stack))
        RC_ASSERT(!problem.fields.empty() && problem.fields.front().starts_with("/"));
}

RC_GTEST_PROP(AnyValue, InPlaceOfAnObjectIsReportedAndNeverThrows, ()) {
    const Json value = any_json(3);
    const bool rejected = !problems_of<Accelerator>(value).empty();
    RC_ASSERT(rejected); // random values never form a valid accelerator
    cluster_problems(value);
    problems_of<Stack>(value);
}

} // namespace
} // namespace meshwright
