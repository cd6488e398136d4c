// SPDX-License-Identifier: GPL-3.0-or-later
// Imports the output of nccl-tests as a network tier, and machine listings as a node.
#include "catalog/library.h"
#include "input/diagnostic.h"
#include "launch/importers.h"
#include "measured/nccl_tests.h"
#include "plan/plan_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace meshwright;
using Json = nlohmann::ordered_json;

namespace {

/// Output for two nodes of eight, in the format of nccl-tests 2.13.
std::string two_node_all_reduce() {
    std::string log = "# nThread 1 nGpus 1 minBytes 1024 maxBytes 1073741824 step: 1024(factor) warmup iters: 5\n"
                      "# Using devices\n";
    for (int rank = 0; rank < 16; ++rank)
        log += "#  Rank " + std::to_string(rank) + " Group  0 Pid   6899 on node-" + std::to_string(rank / 8)
            + " device  " + std::to_string(rank % 8) + " [0000:04:00] NVIDIA H100 80GB HBM3\n";
    return log
        + "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   "
          "busbw "
          "#wrong\n"
          "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  "
          "(GB/s)\n"
          "node-0:6899:6950 [0] NCCL INFO Connected all rings\n"
          "        1024           256     float     sum      -1    60.00    0.02    0.03      0    61.00    0.02    "
          "0.03  "
          "    0\n"
          "     1048576        262144     float     sum      -1    90.00   11.65   21.85      0    91.00   11.52   "
          "21.61  "
          "    0\n"
          "  1073741824     268435456     float     sum      -1   5368.7  200.00  375.00      0   5400.0  198.84  "
          "372.83  "
          "    0\n"
          "# Out of bounds values : 0 OK\n"
          "# Avg bus bandwidth    : 132.2\n";
}

/// Output of version 2.0, which has no root column and leaves an all-to-all's operation blank.
const char *const old_alltoall =
    "#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error\n"
    "         512            16   float             80.00    0.01    0.01    N/A    81.00    0.01    0.01    N/A\n"
    "   536870912      16777216   float            2500.0  214.75  187.91    N/A    2510.0  213.89  187.16    N/A\n"
    "# Avg bus bandwidth    : 93.9\n";

const char *const nvlink_matrix =
    "\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
    "GPU0\t X \tNV12\tNV12\tNV12\tPXB\t0-31\t0\t\tN/A\n"
    "GPU1\tNV12\t X \tNV12\tNV12\tNODE\t0-31\t0\t\tN/A\n"
    "GPU2\tNV12\tNV12\t X \tNV12\tSYS\t32-63\t1\t\tN/A\n"
    "GPU3\tNV12\tNV12\tNV12\t X \tSYS\t32-63\t1\t\tN/A\n"
    "NIC0\tPXB\tNODE\tSYS\tSYS\t X \t\t\t\t\n"
    "\nLegend:\n\n  X    = Self\n  NV#  = bonded NVLinks\n\nNIC Legend:\n\n  NIC0: mlx5_0\n";

std::string device_query(const std::string &product, const std::string &mig) {
    return "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n<nvidia_smi_log>"
           "<driver_version>550.54</driver_version><cuda_version>12.4</cuda_version><attached_gpus>4</attached_gpus>"
           "<gpu id=\"00000000:07:00.0\"><product_name>"
        + product + "</product_name><mig_mode><current_mig>" + mig
        + "</current_mig></mig_mode><pci><pci_gpu_link_info><pcie_gen><max_link_gen>4</max_link_gen></pcie_gen>"
          "<link_widths><max_link_width>16x</max_link_width></link_widths></pci_gpu_link_info></pci>"
          "<fb_memory_usage><total>81920 MiB</total><used>12 MiB</used></fb_memory_usage>"
          "<gpu_power_readings><current_power_limit>300.00 W</current_power_limit>"
          "<max_power_limit>400.00 W</max_power_limit></gpu_power_readings></gpu></nvidia_smi_log>";
}

const char *const adapters = "CA 'mlx5_0'\n\tCA type: MT4129\n\tPort 1:\n\t\tState: Active\n\t\tRate: 400\n"
                             "\t\tLink layer: InfiniBand\nCA 'mlx5_1'\n\tPort 1:\n\t\tState: Active\n\t\tRate: 400\n"
                             "\t\tLink layer: InfiniBand\nCA 'mlx5_2'\n\tPort 1:\n\t\tState: Active\n\t\tRate: 100\n"
                             "\t\tLink layer: Ethernet\nCA 'mlx5_3'\n\tPort 1:\n\t\tState: Down\n\t\tRate: 400\n";

Imported imported_files(const std::vector<std::string> &texts, std::string_view kind = {}) {
    std::vector<LaunchFile> files;
    for (const std::string &text : texts)
        files.push_back({.name = "listing.txt", .text = text});
    return import_files(files, kind, Library::standard());
}

const Json *assumed_of(const Imported &imported, const std::string &field) {
    const auto found = std::find_if(imported.assumed.begin(), imported.assumed.end(),
                                    [&](const AssumedField &each) { return each.field == field; });
    return found == imported.assumed.end() ? nullptr : &found->value;
}

} // namespace

TEST(NcclTests, of_two_nodes_are_a_tier_between_them) {
    const Imported imported = imported_files({two_node_all_reduce()});
    EXPECT_EQ(imported.kind, "nccl-tests");
    EXPECT_EQ(imported.what, "tier");
    const Json &tier = imported.document;
    EXPECT_EQ(tier["name"], "network");
    EXPECT_EQ(tier["accelerators"], 16);
    // A node's bus bandwidth of 375 GB/s is carried by the links of its eight accelerators.
    EXPECT_DOUBLE_EQ(tier["bandwidth_bytes_per_second"], 375e9 / 8);
    // 60 us for the 2 x 15 steps of a ring of 16 ranks.
    EXPECT_DOUBLE_EQ(tier["latency_seconds"], 60e-6 / 30);
    ASSERT_EQ(tier["bus_bandwidth"].size(), 3u);
    EXPECT_EQ(
        tier["bus_bandwidth"][0],
        Json({{"collective", "all_reduce"}, {"ranks", 16}, {"bytes", 1073741824}, {"bytes_per_second", 375000000000}}));
    // Two decimals of GB/s are too coarse for a short message, so the time is used: 1,024 bytes in 60 us, times 2 x 15
    // / 16.
    EXPECT_NEAR(tier["bus_bandwidth"][2]["bytes_per_second"].get<double>(), 1024 / 60e-6 * 1.875, 1);
    const Json &test = imported.measured["tests"][0];
    EXPECT_EQ(test["device"], "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(test["accelerator"], "h100-sxm-80gb");
    EXPECT_EQ(test["nodes"], 2);
    EXPECT_EQ(test["in_place_bus_bandwidth_bytes_per_second"], 372830000000);
    EXPECT_EQ(test["average_bus_bandwidth_bytes_per_second"], 132200000000);
    EXPECT_TRUE(imported.faults.empty());
}

TEST(NcclTests, give_a_tier_that_a_plan_takes) {
    const Json tier = imported_files({two_node_all_reduce()}).document;
    Json node{{"name", "nvlink"}, {"accelerators", 8}, {"bandwidth_bytes_per_second", 450e9}};
    const Json plan{{"schema", "meshwright.plan/1"},
                    {"cluster",
                     {{"accelerator", "h100-sxm-80gb"},
                      {"accelerators_per_node", 8},
                      {"tiers", Json::array({node, tier})},
                      {"health", "measured"}}},
                    {"model", "llama-3.1-8b"}};
    for (const Diagnostic &problem : read_plan(plan, Library::standard()).diagnostics)
        EXPECT_NE(problem.severity, Severity::error) << problem.message.text;
}

TEST(NcclTests, tell_the_collective_and_the_ranks_by_the_columns) {
    const Imported imported = imported_files({old_alltoall});
    const Json &test = imported.measured["tests"][0];
    EXPECT_EQ(test["collective"], "alltoall");
    EXPECT_EQ(test["ranks"], 8); // 187.91 / 214.75 = 7 / 8
    EXPECT_NE(assumed_of(imported, "/measured/tests/0/ranks"), nullptr);
    EXPECT_TRUE(imported.document["bus_bandwidth"].empty());
    EXPECT_EQ(test["bus_bandwidth"].size(), 2u);
    EXPECT_EQ(imported.document["bandwidth_bytes_per_second"], 187910000000);
}

TEST(NcclTests, leave_out_rows_that_contradict_larger_sizes) {
    std::string log = two_node_all_reduce();
    const std::string noisy = "        2048           512     float     sum      -1    99.00    0.02    0.04      0    "
                              "61.00    0.03    0.06      0\n";
    log.insert(log.find("     1048576"), noisy);
    const Imported imported = imported_files({log});
    EXPECT_EQ(imported.document["bus_bandwidth"].size(), 3u);
    EXPECT_TRUE(std::any_of(imported.ignored.begin(), imported.ignored.end(), [](const IgnoredOption &row) {
        return row.option == "all_reduce 2048 bytes"
            && row.why == "noise: took longer than a larger message, or less time than a smaller one";
    }));
}

TEST(NcclTests, with_wrong_results_are_at_fault) {
    std::string log = two_node_all_reduce();
    log.replace(log.find("values : 0 OK"), 13, "values : 7 FAILED");
    ASSERT_EQ(imported_files({log}).faults.size(), 1u);
    EXPECT_EQ(imported_files({log}).faults.front().why, "7 results were wrong");
}

TEST(NcclTests, have_rows_behind_a_launcher_s_prefix) {
    const auto row =
        nccl_row("[1,0]<stdout>:    67108864      16777216     float     sum      -1    996.0   67.38  126.33      0   "
                 "1001.7   66.99  125.62      0");
    ASSERT_TRUE(row);
    EXPECT_EQ(row->bytes, 67108864);
    EXPECT_EQ(row->root, -1);
    EXPECT_DOUBLE_EQ(row->out_of_place.bus_bytes_per_second, 126.33e9);
    EXPECT_FALSE(nccl_row("0: 67108864 float sum"));
    EXPECT_FALSE(nccl_row("1e300 1e300 float sum -1 1 1 1 0 1 1 1 0"));
}

TEST(NcclTests, without_rows_are_rejected_in_one_line) {
    EXPECT_THROW(imported_files({"# size count type redop time algbw busbw\n"}), InputError);
    EXPECT_THROW(imported_files({"no test"}, "nccl-tests"), InputError);
}

TEST(NcclTests, however_damaged_give_a_tier_or_one_error) {
    const std::string whole = two_node_all_reduce();
    rc::check([&] {
        std::string text = whole;
        const int changes = *rc::gen::inRange(1, 12);
        for (int i = 0; i < changes; ++i)
            text[*rc::gen::inRange<std::size_t>(0, text.size())] =
                *rc::gen::element(' ', '\n', '0', '9', '-', 'e', '.', '#', ':', 'N');
        try {
            const Imported imported = imported_files({text}, "nccl-tests");
            RC_ASSERT(imported.document["bandwidth_bytes_per_second"].get<double>() >= 1);
            RC_ASSERT(imported.document["latency_seconds"].get<double>() >= 0);
        } catch (const InputError &) { }
    });
}

TEST(NodeListing, of_an_nvlink_matrix_has_its_links_and_adapters) {
    const Imported imported = imported_files({nvlink_matrix});
    EXPECT_EQ(imported.kind, "nvidia-smi");
    EXPECT_EQ(imported.what, "node");
    const Json &node = imported.document;
    EXPECT_EQ(node["accelerators_per_node"], 4);
    EXPECT_EQ(node["links"]["relation"], "NV12");
    EXPECT_EQ(node["links"]["all_to_all"], true);
    EXPECT_EQ(node["links"]["nvlinks_per_accelerator"], 12);
    EXPECT_EQ(node["tiers"][0]["bandwidth_bytes_per_second"], 300000000000); // 12 x 25 GB/s
    EXPECT_EQ(node["numa_nodes"], 2);
    EXPECT_EQ(node["nics"], Json::parse(R"([{"name": "mlx5_0", "nearest": "PXB"}])"));
    EXPECT_NE(assumed_of(imported, "/accelerator"), nullptr);
}

TEST(NodeListing, quoted_with_an_indent_is_the_same) {
    std::string indented = std::string("    ") + nvlink_matrix;
    for (std::size_t end = indented.find('\n'); end != std::string::npos; end = indented.find('\n', end + 1))
        indented.insert(end + 1, "    ");
    EXPECT_EQ(imported_files({indented}).document, imported_files({nvlink_matrix}).document);
}

TEST(NodeListing, without_nvlink_is_joined_by_pcie) {
    const Imported imported = imported_files({"\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tPHB\t0-15\t0\n"
                                              "GPU1\tPHB\t X \t0-15\t0\n"});
    EXPECT_EQ(imported.document["links"]["nvlink"], nullptr);
    EXPECT_EQ(imported.document["links"]["all_to_all"], false);
    EXPECT_EQ(imported.document["tiers"][0]["name"], "pcie");
}

TEST(NodeListing, with_pairs_on_nvlink_has_two_tiers) {
    const Imported imported = imported_files({"\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\n"
                                              "GPU0\t X \tNV4\tSYS\tSYS\t0-15\nGPU1\tNV4\t X \tSYS\tSYS\t0-15\n"
                                              "GPU2\tSYS\tSYS\t X \tNV4\t0-15\nGPU3\tSYS\tSYS\tNV4\t X \t0-15\n"});
    const Json &tiers = imported.document["tiers"];
    ASSERT_EQ(tiers.size(), 2u);
    EXPECT_EQ(tiers[0]["accelerators"], 2);
    EXPECT_EQ(tiers[0]["bandwidth_bytes_per_second"], 100000000000);
    EXPECT_EQ(tiers[1]["accelerators"], 4);
}

TEST(NodeListing, of_a_query_names_the_accelerator_and_what_keeps_it_from_its_speed) {
    const Imported imported = imported_files({device_query("NVIDIA A100-SXM4-80GB", "Enabled")});
    const Json &node = imported.document;
    EXPECT_EQ(node["accelerator"], "a100-sxm-80gb");
    EXPECT_EQ(node["accelerators_per_node"], 4);
    EXPECT_EQ(node["power_limit_watts"], 300);
    EXPECT_EQ(node["mig"], true);
    EXPECT_EQ(node["links"]["pcie_lanes"], 16);
    EXPECT_EQ(imported.measured["driver"], "550.54");
    EXPECT_EQ(imported.measured["memory_bytes"], 85899345920);
    ASSERT_EQ(imported.faults.size(), 2u); // power limited to 300 of 400 W, and MIG enabled
}

TEST(NodeListing, of_an_unknown_product_keeps_its_name) {
    const Imported imported = imported_files({device_query("NVIDIA Abacus 9", "N/A")});
    EXPECT_EQ(imported.document["accelerator"], nullptr);
    EXPECT_EQ(imported.document["accelerator_name"], "NVIDIA Abacus 9");
    EXPECT_EQ(imported.document["mig"], nullptr);
}

TEST(NodeListing, joins_what_several_listings_say) {
    const Imported imported =
        imported_files({nvlink_matrix, device_query("NVIDIA A100-SXM4-80GB", "Disabled"), adapters});
    const Json &node = imported.document;
    EXPECT_EQ(node["accelerator"], "a100-sxm-80gb");
    EXPECT_EQ(node["links"]["relation"], "NV12");
    EXPECT_EQ(node["nics"].size(), 4u);
    EXPECT_EQ(node["nics"][0], Json::parse(R"({"name": "mlx5_0", "bits_per_second": 400000000000,
        "link_layer": "InfiniBand", "state": "Active", "nearest": "PXB"})"));
    // Two active adapters of 400 Gb/s serve four accelerators; the slow adapter and the idle one do not count.
    EXPECT_EQ(node["network_bandwidth_bytes_per_second"], 25000000000);
}

TEST(NodeListing, of_a_hardware_tree_counts_devices) {
    const Imported imported =
        imported_files({"Machine (1008GB total)\n  Package L#0\n    NUMANode L#0 (P#0 504GB)\n"
                        "      PCI 17:00.0 (3D)\n        CoProc(CUDA) \"cuda0\"\n        GPU(NVML) "
                        "\"nvml0\"\n      PCI 18:00.0 (InfiniBand)\n        OpenFabrics \"mlx5_0\"\n"
                        "  Package L#1\n    NUMANode L#1 (P#1 504GB)\n        CoProc(CUDA) \"cuda1\"\n"});
    EXPECT_EQ(imported.document["accelerators_per_node"], 2);
    EXPECT_EQ(imported.document["numa_nodes"], 2);
    EXPECT_EQ(imported.document["nics"][0]["name"], "mlx5_0");
}

TEST(NodeListing, cut_short_is_rejected) {
    EXPECT_THROW(imported_files({std::string(nvlink_matrix).substr(0, 160)}), InputError);
    EXPECT_THROW(imported_files({device_query("A", "N/A").substr(0, 300)}), InputError);
    EXPECT_THROW(imported_files({"nothing"}, "nvidia-smi"), InputError);
}

TEST(NodeListing, however_damaged_gives_a_node_or_one_error) {
    const std::vector<std::string> wholes{nvlink_matrix, device_query("NVIDIA H100 80GB HBM3", "Disabled"), adapters};
    rc::check([&] {
        std::string text = *rc::gen::elementOf(wholes);
        const int changes = *rc::gen::inRange(1, 10);
        for (int i = 0; i < changes; ++i)
            text[*rc::gen::inRange<std::size_t>(0, text.size())] =
                *rc::gen::element('\t', '\n', '0', '9', 'X', 'N', 'V', '<', '>', '-');
        try {
            const Imported imported = imported_files({text}, "nvidia-smi");
            RC_ASSERT(imported.document["accelerators_per_node"].get<std::int64_t>() >= 1);
            RC_ASSERT(!imported.document["tiers"].empty());
        } catch (const InputError &) { }
    });
}
