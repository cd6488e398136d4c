// SPDX-License-Identifier: GPL-3.0-or-later
// torchtitan's files keep the outer loop between sites, which TorchFT runs.
#include "evaluate/evaluate.h"
#include "imported_plan.h"
#include "launch/exporters.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

using namespace meshwright;
using meshwright::testing_launch::faults_of;
using meshwright::testing_launch::import_texts;

namespace {

using SitesJson = nlohmann::ordered_json;

/// Two nodes of eight H100 over the internet, training Llama 3.1 8B with torchtitan.
SitesJson two_sites(const SitesJson &outer) {
    SitesJson cluster{{"accelerator", "h100-sxm-80gb"}, {"accelerators_per_node", 8}, {"sites", 2}};
    cluster["tiers"].push_back(
        {{"name", "nvlink"}, {"accelerators", 8}, {"bandwidth_bytes_per_second", 450e9}, {"latency_seconds", 3e-6}});
    cluster["wan"] = {{"uplink_bits_per_second", 1e9}, {"downlink_bits_per_second", 1e9}, {"round_trip_seconds", 0.05}};
    return {{"schema", "meshwright.plan/1"},
            {"cluster", cluster},
            {"model", "llama-3.1-8b"},
            {"stack", "torchtitan-2024"},
            {"parallelism", {{"data", 8}, {"zero_stage", 3}}},
            {"batch", {{"sequence_length", 8192}, {"global_sequences", 32}, {"micro_sequences", 1}}},
            {"precision", {{"gradients", "fp32"}}},
            {"recompute", {{"mode", "selective"}}},
            {"outer", outer},
            {"aggregation", {{"topology", "ring"}}},
            {"run", {{"tokens", 2.0 * 32 * 8192 * 20'000}}}};
}

SitesJson streaming_outer() {
    return {{"method", "streaming-diloco"}, {"inner_steps", 40},   {"fragments", 4},        {"overlap_steps", 3},
            {"pattern", "sequential"},      {"up", {{"bits", 8}}}, {"down", {{"bits", 8}}}, {"quorum", 1}};
}

LaunchExport torchtitan_files(const Plan &plan) {
    return export_target("torchtitan")->write(evaluate(plan, Depth::closed_forms), shipped_presets());
}

std::string text_of_file(const LaunchExport &written, const std::string &name) {
    const auto file = std::find_if(written.files.begin(), written.files.end(),
                                   [&](const ExportFile &each) { return each.name == name; });
    return file == written.files.end() ? std::string() : file->text();
}

bool says(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

/// The plan that the exported files describe.
Plan sites_read_back(const LaunchExport &written) {
    std::vector<LaunchFile> files;
    for (const char *const name : {"train.toml", "train.sh", "meshwright_model.py"})
        if (std::string text = text_of_file(written, name); !text.empty())
            files.push_back({.name = name, .text = std::move(text)});
    const Imported imported = import_texts(files);
    EXPECT_EQ(faults_of(imported), "");
    return read_plan(imported.document, shipped_presets()).plan;
}

std::set<std::string> lost_fields(const LaunchExport &written) {
    std::set<std::string> fields;
    for (const Loss &loss : written.lost)
        fields.insert(loss.fields.begin(), loss.fields.end());
    return fields;
}

void expect_same_sites(const Plan &plan, const Plan &back) {
    EXPECT_EQ(back.outer, plan.outer);
    EXPECT_EQ(back.aggregation, plan.aggregation);
    EXPECT_EQ(back.cluster.sites, plan.cluster.sites);
    EXPECT_EQ(back.batch, plan.batch);
    EXPECT_EQ(back.run.tokens, plan.run.tokens);
    EXPECT_EQ(back.parallelism.data, plan.parallelism.data);
    EXPECT_EQ(back.parallelism.zero_stage, plan.parallelism.zero_stage);
}

} // namespace

TEST(ExportedSites, of_torchtitan_keep_streaming_diloco) {
    const Plan plan = plan_of(two_sites(streaming_outer()));
    const LaunchExport written = torchtitan_files(plan);
    EXPECT_EQ(lost_fields(written), std::set<std::string>());
    expect_same_sites(plan, sites_read_back(written));
    const std::string toml = text_of_file(written, "train.toml");
    EXPECT_TRUE(says(toml, "custom_config_module = \"torchtitan.components.ft.config\"")) << toml;
    EXPECT_TRUE(says(toml, "name = \"llama3_ft\"\n")) << toml; // only this train spec has a fragment_fn
    EXPECT_TRUE(says(toml, "global_batch_size = 64 ")) << toml;
    EXPECT_TRUE(says(toml, "steps = 20000 ")) << toml;
    EXPECT_TRUE(says(toml,
                     "group_size = 2\nmin_replica_size = 1\nsemi_sync_method = \"diloco\"\nsync_steps = 40\n"
                     "num_fragments = 4\nfragment_sync_delay = 3\nshould_quantize = true\n"))
        << toml;
}

TEST(ExportedSites, of_torchtitan_start_one_job_per_site) {
    const LaunchExport written = torchtitan_files(plan_of(two_sites(streaming_outer())));
    const std::string script = text_of_file(written, "train.sh");
    EXPECT_TRUE(says(script, "-m torchtitan.experiments.ft.train ")) << script;
    EXPECT_TRUE(says(script, "--fault_tolerance.replica_id \"$REPLICA_ID\"")) << script;
    EXPECT_TRUE(says(script, "export TORCHFT_LIGHTHOUSE=")) << script;
    const std::string job = text_of_file(written, "run.sbatch");
    EXPECT_TRUE(says(job, "#SBATCH --nodes=1\n")) << job;
    EXPECT_TRUE(says(job, "REPLICA_ID=0 to 1")) << job;
    EXPECT_TRUE(says(job, "TORCHFT_LIGHTHOUSE")) << job;
}

// torchtitan's process group stops an exchange after 10 s, and TorchFT's manager after 60 s.
TEST(ExportedSites, of_torchtitan_have_time_limits_for_the_plans_links) {
    const auto files = [](double bits_per_second) {
        SitesJson document = two_sites(streaming_outer());
        for (const char *const direction : {"uplink_bits_per_second", "downlink_bits_per_second"})
            document["cluster"]["wan"][direction] = bits_per_second;
        return torchtitan_files(plan_of(document));
    };
    // A fragment has at least a quarter of 8.03B parameters of 8 bits, and at most a third.
    const auto limit = [&](double bits_per_second) {
        const std::string toml = text_of_file(files(bits_per_second), "train.toml");
        const std::string name = "process_group_timeout_ms = ";
        const std::size_t at = toml.find(name);
        return at == std::string::npos ? 0 : std::stod(toml.substr(at + name.size())) / 1000;
    };
    EXPECT_EQ(limit(1e11), 0);
    EXPECT_GT(limit(1e9), 3 * 16);
    EXPECT_LT(limit(1e9), 3 * 22);
    EXPECT_GT(limit(1e7), 3 * 1600);
    const LaunchExport slow = files(1e7);
    EXPECT_TRUE(says(text_of_file(slow, "train.toml"), "[comm]\ninit_timeout_seconds = "));
    EXPECT_TRUE(says(text_of_file(slow, "train.toml"), "train_timeout_seconds = "));
    EXPECT_TRUE(says(text_of_file(slow, "train.sh"), "TORCHFT_TIMEOUT_SEC"));
    EXPECT_TRUE(says(text_of_file(slow, "train.sh"), "TORCHFT_QUORUM_TIMEOUT_SEC"));
    EXPECT_FALSE(says(text_of_file(files(1e11), "train.toml"), "[comm]"));
    EXPECT_FALSE(says(text_of_file(files(1e11), "train.sh"), "TORCHFT_TIMEOUT_SEC"));
    sites_read_back(slow); // without faults
}

TEST(ExportedSites, of_torchtitan_keep_data_parallelism_with_fsdp) {
    const Plan plan = plan_of(two_sites({{"method", "data-parallel"}}));
    const LaunchExport written = torchtitan_files(plan);
    EXPECT_EQ(lost_fields(written), std::set<std::string>());
    expect_same_sites(plan, sites_read_back(written));
    const std::string toml = text_of_file(written, "train.toml");
    EXPECT_TRUE(says(toml, "[fault_tolerance]\nenable = true")) << toml;
    EXPECT_FALSE(says(toml, "semi_sync_method")) << toml;
    // Without FSDP, torchtitan has no hook that averages the gradients of the sites.
    SitesJson unsharded = two_sites({{"method", "data-parallel"}});
    unsharded["parallelism"]["zero_stage"] = 0;
    unsharded["model"] = "qwen2-0.5b";
    const LaunchExport one = torchtitan_files(plan_of(unsharded));
    EXPECT_EQ(lost_fields(one).count("/outer/method"), 1u);
    EXPECT_EQ(sites_read_back(one).cluster.sites, 1);
}

TEST(ExportedSites, of_torchtitan_name_what_torchft_cannot_send) {
    SitesJson outer = streaming_outer();
    outer["up"] = {{"bits", 4}, {"density", 0.25}};
    outer["error_feedback"] = true;
    const LaunchExport written = torchtitan_files(plan_of(two_sites(outer)));
    EXPECT_EQ(
        lost_fields(written),
        (std::set<std::string>{"/outer/up/bits", "/outer/up/density", "/outer/up/index", "/outer/error_feedback"}));
    expect_same_sites(plan_of(two_sites(streaming_outer())), sites_read_back(written));
}

TEST(ExportedSites, of_torchtitan_have_fragments_that_torchft_accepts) {
    SitesJson outer = streaming_outer();
    outer["fragments"] = 7; // 40 inner steps are not divisible by 7
    outer["overlap_steps"] = 12; // longer than the 8 steps until the next fragment is sent
    outer["pattern"] = "strided";
    const LaunchExport written = torchtitan_files(plan_of(two_sites(outer)));
    const Plan back = sites_read_back(written);
    EXPECT_EQ(back.outer.fragments, 5);
    EXPECT_EQ(back.outer.overlap_steps, 7);
    EXPECT_EQ(back.outer.pattern, FragmentPattern::sequential);
    EXPECT_EQ(lost_fields(written),
              (std::set<std::string>{"/outer/fragments", "/outer/overlap_steps", "/outer/pattern"}));
}

TEST(ExportedSites, of_a_pipeline_keep_diloco_without_fragments) {
    SitesJson document = two_sites(streaming_outer());
    document["parallelism"] = {{"data", 4}, {"pipeline", 2}, {"zero_stage", 2}};
    const LaunchExport written = torchtitan_files(plan_of(document));
    const Plan back = sites_read_back(written);
    EXPECT_EQ(back.outer.method, OuterMethod::diloco);
    EXPECT_EQ(back.outer.inner_steps, 40);
    EXPECT_EQ(back.batch.global_sequences, 32);
    EXPECT_TRUE(says(text_of_file(written, "train.toml"), "name = \"llama3\"\n"));
    EXPECT_EQ(lost_fields(written).count("/outer/fragments"), 1u);
    document["parallelism"]["schedule"] = "interleaved";
    document["parallelism"]["chunks"] = 2;
    const LaunchExport one = torchtitan_files(plan_of(document));
    EXPECT_EQ(lost_fields(one).count("/outer/method"), 1u);
    EXPECT_EQ(sites_read_back(one).outer.method, OuterMethod::none);
}
