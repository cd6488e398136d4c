// SPDX-License-Identifier: GPL-3.0-or-later
// Exports to torchtitan v0.2.2: a TOML file.
#include "launch/torchtitan_exporter.h"

#include "catalog/library.h"
#include "evaluate/result.h"
#include "launch/export_sbatch.h"
#include "launch/export_text.h"
#include "launch/launch_environment.h"
#include "launch/run_steps.h"
#include "launch/torchrun.h"
#include "launch/torchtitan_model_file.h"
#include "launch/torchtitan_names.h"
#include "launch/torchtitan_outer.h"
#include "launch/torchtitan_stages.h"
#include "launch/torchtitan_target.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view torchtitan_title = "torchtitan v0.2.2";

bool has_outer_loop(const Plan &plan) {
    return plan.outer.method != OuterMethod::none;
}

class TomlWriter {
public:
    TomlWriter(const TorchtitanTarget &target, const Result &result)
        : m_target(target)
        , m_plan(target.target.plan)
        , m_shape(target.target.shape)
        , m_result(result)
        , m_steps(run_steps(m_plan, result)) { }

    ExportFile write() {
        m_text.head(m_result, torchtitan_title, m_target.target);
        section("job");
        add("dump_folder", "./outputs");
        if (has_outer_loop(m_plan))
            add("custom_config_module", "torchtitan.components.ft.config", "/outer/method", "adds options for DiLoCo");
        section("metrics");
        add("log_freq", 10);
        model();
        run();
        training();
        degrees();
        stages();
        state();
        if (has_outer_loop(m_plan)) {
            outer_loop();
            communication();
        }
        return {.name = "train.toml", .lines = std::move(m_text).take()};
    }

private:
    void section(const char *name) {
        m_text.blank();
        m_text.add(fmt::format("[{}]", name));
    }
    /// The value is written as JSON, which is also valid TOML.
    void add(const char *key, const Json &value, std::string field = {}, std::string why = {}) {
        std::string line = fmt::format("{} = {}", key, value.dump());
        if (!why.empty())
            line += "  # " + why;
        m_text.add(std::move(line), std::move(field), std::move(why));
    }

    bool is_compiled() const { return m_result.plan.stack.fuses_elementwise; }

    void model() {
        section("model");
        add("name", m_target.model, "/model");
        add("flavor", m_target.flavor, "/model",
            m_target.is_own_flavor() ? "its sizes are in meshwright_model.py" : "");
        add("hf_assets_path", "./assets/hf/tokenizer", "", "not part of the plan; set by TOKENIZER_PATH in train.sh");
        const DataType compute = m_plan.precision.compute;
        Json converters = Json::array();
        const char *const kind = compute == DataType::mxfp8 ? "mx" : "float8";
        if (compute == DataType::fp8 || compute == DataType::mxfp8) {
            converters.push_back(fmt::format("quantize.linear.{}", kind));
            if (m_shape.experts.value_or(0) > 0)
                converters.push_back(fmt::format("quantize.grouped_mm.{}", kind));
        }
        if (!converters.empty())
            add("converters", converters, "/precision/compute");
        if (m_target.is_own_flavor()) {
            section("experimental");
            add("custom_import", "meshwright_model", "/model",
                m_target.registers_pipeline() ? "adds the flavor and pipeline parallelism" : "adds the flavor");
        }
        if (converters.empty())
            return;
        section(fmt::format("quantize.linear.{}", kind).c_str());
        if (compute == DataType::fp8)
            add("recipe_name", "rowwise", "/precision/compute", "the plan sets FP8 but not its scaling");
        else
            add("recipe_name", "mxfp8_cublas", "/precision/compute");
        if (m_shape.experts.value_or(0) > 0) {
            section(fmt::format("quantize.grouped_mm.{}", kind).c_str());
            add("fqns", Json{"experts"}, "/precision/compute");
        }
    }

    void run() {
        section("optimizer");
        add("name", "AdamW", "/optimizer/name");
        add("lr", 3e-4, "", "not part of the plan; set by LR in train.sh");
        section("lr_scheduler");
        add("warmup_steps", std::max<std::int64_t>(1, m_steps.steps / 100), "", "1% of the run");
        add("decay_type", "cosine");
        add("min_lr_factor", 0.1);
    }

    void training() {
        const Batch &batch = m_plan.batch;
        const Parallelism &parallelism = m_plan.parallelism;
        section("training");
        add("seq_len", batch.sequence_length, "/batch/sequence_length");
        if (parallelism.pipeline > 1)
            add("local_batch_size", batch.global_sequences / parallelism.data, "/batch/global_sequences",
                "sequences of all microbatches of a step; one call of the schedule runs all of them");
        else
            add("local_batch_size", batch.micro_sequences, "/batch/micro_sequences");
        const std::int64_t sites = m_plan.cluster.sites;
        add("global_batch_size", batch.global_sequences * sites, "/batch/global_sequences",
            sites > 1 ? fmt::format("{} sequences at each of {} sites", batch.global_sequences, sites) : std::string());
        add("steps", m_steps.steps, "/run/tokens", m_steps.why_steps);
        const Precision &precision = m_plan.precision;
        add("mixed_precision_param", precision.weights == DataType::fp32 ? "float32" : "bfloat16",
            "/precision/compute");
        add("mixed_precision_reduce", "float32", "/precision/gradients");
        if (precision.moments == DataType::bf16)
            add("dtype", "bfloat16", "/precision/master", "weights, gradients and moments, without master weights");
        if (m_plan.offload.optimizer > 0)
            add("enable_cpu_offload", true, "/offload/optimizer",
                "weights, gradients and optimizer states in host memory");
        add("dataset", "c4", "", "not part of the plan; set by DATASET and DATASET_PATH in train.sh");
    }

    void degrees() {
        const Parallelism &parallelism = m_plan.parallelism;
        section("parallelism");
        const bool unsharded = parallelism.zero_stage == 0;
        const std::int64_t ranks = parallelism.data * parallelism.context;
        const std::int64_t replicas = unsharded ? parallelism.data : ranks / parallelism.shard_group.value_or(ranks);
        const char *const field = parallelism.shard_group ? "/parallelism/shard_group" : "/parallelism/data";
        add("data_parallel_replicate_degree", replicas, field);
        add("data_parallel_shard_degree", parallelism.data / replicas, field);
        if (!unsharded)
            add("fsdp_reshard_after_forward", parallelism.zero_stage == 3 ? "always" : "never",
                "/parallelism/zero_stage");
        add("tensor_parallel_degree", parallelism.tensor, "/parallelism/tensor");
        if (parallelism.tensor > 1 && m_result.plan.stack.tensor_overlap > 0 && is_compiled())
            add("enable_async_tensor_parallel", true, "/stack", "the plan overlaps tensor-parallel communication");
        add("context_parallel_degree", parallelism.context, "/parallelism/context");
        if (m_shape.experts.value_or(0) > 0) {
            add("expert_parallel_degree", parallelism.expert, "/parallelism/expert");
            if (parallelism.expert > 1)
                add("expert_tensor_parallel_degree", parallelism.expert_tensor, "/parallelism/expert_tensor");
        }
        add("pipeline_parallel_degree", parallelism.pipeline, "/parallelism/pipeline");
    }

    void stages() {
        const Parallelism &parallelism = m_plan.parallelism;
        if (parallelism.pipeline == 1)
            return;
        const auto schedule =
            std::find_if(std::begin(torchtitan_schedules), std::end(torchtitan_schedules),
                         [&](const TorchtitanSchedule &each) { return each.plan == name_of(parallelism.schedule); });
        add("pipeline_parallel_schedule", std::string(schedule->torchtitan), "/parallelism/schedule");
        if (m_target.exchanges_alone())
            add("pipeline_parallel_expert_parallel_overlap", false, "/recompute/mode",
                "torchtitan refuses the overlap with recomputation");
        add("pipeline_parallel_microbatch_size", m_plan.batch.micro_sequences, "/batch/micro_sequences");
        const std::vector<std::int64_t> wanted = stage_layers(m_plan);
        const std::int64_t layers = *m_shape.layers;
        const auto stages = static_cast<std::int64_t>(wanted.size());
        // Looks for values of first_stage_less_layers and last_stage_less_layers with which torchtitan splits the
        // layers as planned; only for its built-in flavors. Otherwise the modules of every stage are listed.
        for (const auto &[first, last] : {std::pair(1, 1), std::pair(0, 0), std::pair(0, 1), std::pair(1, 0)}) {
            if (m_target.is_own_flavor())
                break;
            const std::int64_t each = (layers + first + last + stages - 1) / stages;
            if (torchtitan_layers(layers, stages, first, last) != wanted
                || (layers + first + last + each - 1) / each != stages)
                continue;
            const char *const field = "/parallelism/layout";
            add("pipeline_parallel_first_stage_less_layers", first, field, "the embedding counts as this many layers");
            add("pipeline_parallel_last_stage_less_layers", last, field, "the head counts as this many layers");
            add("pipeline_parallel_layers_per_stage", each, "/parallelism/chunks",
                fmt::format("{} {} on each of {} ranks", parallelism.chunks,
                            parallelism.chunks == 1 ? "stage" : "stages", parallelism.pipeline));
            return;
        }
        module_names(wanted);
    }

    void module_names(const std::vector<std::int64_t> &layers) {
        std::int64_t next = 0;
        m_text.add("module_fqns_per_model_part = [", "/parallelism/layout");
        for (std::size_t i = 0; i < layers.size(); ++i) {
            std::vector<std::string> names;
            if (i == 0)
                names.emplace_back("tok_embeddings");
            for (std::int64_t layer = 0; layer < layers[i]; ++layer)
                names.push_back(fmt::format("layers.{}", next++));
            if (i + 1 == layers.size())
                names.insert(names.end(), {"norm", "output"});
            m_text.add(fmt::format("    {},", Json(names).dump()), "/parallelism/layout");
        }
        m_text.add("]", "/parallelism/layout");
    }

    void state() {
        section("activation_checkpoint");
        const RecomputeMode mode = m_plan.recompute.mode;
        const std::int64_t every = layers_per_recomputed(m_plan);
        add("mode", every > 0 ? "selective" : recompute_mode_names()[static_cast<std::size_t>(mode)],
            "/recompute/mode");
        if (every > 0)
            add("selective_ac_option", std::to_string(every), "/recompute/layers",
                fmt::format("one layer in {} is recomputed", every));
        if (mode == RecomputeMode::selective)
            add("selective_ac_option", "op", "/recompute/mode", "the results of GEMMs and attention are saved");
        section("checkpoint");
        add("enable", true, "/faults");
        if (m_steps.save_interval > 0)
            add("interval", m_steps.save_interval, "/faults/checkpoint_interval_seconds", m_steps.why_interval);
        add("async_mode", m_plan.faults.checkpoint_blocking_share < 1 ? "async_with_pinned_mem" : "disabled",
            "/faults/checkpoint_blocking_share");
        section("compile");
        add("enable", is_compiled(), "/stack");
    }

    /// TorchFT connects the sites, which are its replica groups.
    void outer_loop() {
        const Outer &outer = m_plan.outer;
        section("fault_tolerance");
        add("enable", true, "/outer/method", "TorchFT connects the sites; replica_id is set in train.sh");
        add("process_group", "nccl");
        const TorchftTimes times = torchft_times(m_plan, m_result);
        constexpr std::int64_t usual_limit = 10;
        if (times.exchange_limit > usual_limit)
            add("process_group_timeout_ms", 1000 * times.exchange_limit, "/cluster/wan",
                fmt::format("an exchange takes {} at the plan's link rates; three times that",
                            text_of(times.exchange_seconds, Quantity::seconds)));
        add("group_size", m_plan.cluster.sites, "/cluster/sites");
        add("min_replica_size", outer.quorum, "/outer/quorum");
        if (outer.method == OuterMethod::data_parallel)
            return;
        add("semi_sync_method", "diloco", "/outer/method");
        add("sync_steps", outer.inner_steps, "/outer/inner_steps");
        if (outer.fragments > 1)
            add("num_fragments", outer.fragments, "/outer/fragments");
        add("fragment_sync_delay", outer.overlap_steps, "/outer/overlap_steps");
        add("should_quantize", outer.up.bits < Wire{}.bits, "/outer/up/bits");
    }

    /// Ranks that have finished their exchange wait for the others of their site in the next collective.
    void communication() {
        constexpr std::int64_t usual_first_limit = 300;
        constexpr std::int64_t usual_limit = 100;
        const std::int64_t limit = torchft_times(m_plan, m_result).exchange_limit;
        if (limit <= usual_limit)
            return;
        const std::string why = "ranks of a site wait for each other's exchanges";
        section("comm");
        if (limit > usual_first_limit)
            add("init_timeout_seconds", limit, "/cluster/wan", why);
        add("train_timeout_seconds", limit, "/cluster/wan", why);
    }

    const TorchtitanTarget &m_target;
    const Plan &m_plan;
    const ModelShape &m_shape;
    const Result &m_result;
    RunSteps m_steps;
    ExportText m_text;
};

/// Variables of TorchFT's Manager (torchft/manager.py) for time limits that have to exceed the defaults, which
/// torchtitan keeps.
std::vector<LaunchVariable> torchft_environment(const Plan &plan, const Result &result) {
    constexpr std::int64_t usual_limit = 60;
    const TorchftTimes times = torchft_times(plan, result);
    std::vector<LaunchVariable> variables;
    if (times.exchange_limit > usual_limit)
        variables.push_back(
            {"TORCHFT_TIMEOUT_SEC", std::to_string(times.exchange_limit), "/cluster/wan",
             fmt::format("By default, TorchFT stops an exchange after 60 s. The largest one takes {} at "
                         "the plan's link rates; this is three times that.",
                         text_of(times.exchange_seconds, Quantity::seconds))});
    if (times.interval_limit > usual_limit)
        variables.push_back({"TORCHFT_QUORUM_TIMEOUT_SEC", std::to_string(times.interval_limit), "/outer/inner_steps",
                             fmt::format("By default, TorchFT waits 60 s for the other sites. An exchange starts every "
                                         "{}; this is three times that.",
                                         text_of(times.interval_seconds, Quantity::seconds))});
    return variables;
}

ExportFile torchtitan_script(const Result &result, const TargetPlan &target) {
    ExportText text;
    text.add("#!/bin/bash");
    text.head(result, torchtitan_title, target);
    text.blank();
    text.add("set -euo pipefail");
    text.blank();
    text.comment("A plan does not have these values: set them in the environment or here.");
    text.add("TORCHTITAN_PATH=\"${TORCHTITAN_PATH:-.}\" # checkout of torchtitan v0.2.2");
    text.add("TOKENIZER_PATH=\"${TOKENIZER_PATH:-}\" # folder of the Hugging Face tokenizer");
    text.add("DATASET=\"${DATASET:-}\" # dataset name known to torchtitan; empty: as in train.toml");
    text.add("DATASET_PATH=\"${DATASET_PATH:-}\"");
    text.add("LR=\"${LR:-}\" # peak learning rate: tune it");
    text.blank();
    if (has_outer_loop(target.plan)) {
        const std::int64_t sites = target.plan.cluster.sites;
        text.comment(fmt::format("Every site runs this script with its own REPLICA_ID, 0 to {}. They meet at a "
                                 "lighthouse, a process that one machine starts: torchft_lighthouse --min_replicas {}",
                                 sites - 1, target.plan.outer.quorum));
        text.add("REPLICA_ID=\"${REPLICA_ID:?number of this site}\"", "/cluster/sites");
        text.add("export TORCHFT_LIGHTHOUSE=\"${TORCHFT_LIGHTHOUSE:?address of the lighthouse, http://HOST:29510}\"",
                 "/outer/method");
        text.blank();
    }
    add_variables(text, program_environment(target, false));
    if (has_outer_loop(target.plan))
        add_variables(text, torchft_environment(target.plan, result));
    text.add("export PYTHONPATH=\"$PWD:$TORCHTITAN_PATH:${PYTHONPATH:-}\"");
    text.blank();
    if (has_outer_loop(target.plan))
        text.add("WORDS=(--fault_tolerance.replica_id \"$REPLICA_ID\")", "/cluster/sites");
    else
        text.add("WORDS=()");
    text.add("if [ -n \"$TOKENIZER_PATH\" ]; then WORDS+=(--model.hf_assets_path \"$TOKENIZER_PATH\"); fi");
    text.add("if [ -n \"$DATASET\" ]; then WORDS+=(--training.dataset \"$DATASET\"); fi");
    text.add("if [ -n \"$DATASET_PATH\" ]; then WORDS+=(--training.dataset_path \"$DATASET_PATH\"); fi");
    text.add("if [ -n \"$LR\" ]; then WORDS+=(--optimizer.lr \"$LR\"); fi");
    text.blank();
    add_torchrun(text, target.plan);
    const char *const program = has_outer_loop(target.plan) ? "torchtitan.experiments.ft.train" : "torchtitan.train";
    text.add(fmt::format("\"${{LAUNCHER[@]}}\" -m {} --job.config_file train.toml \"${{WORDS[@]}}\"", program));
    return {.name = "train.sh", .lines = std::move(text).take()};
}

} // namespace

LaunchExport export_torchtitan(const Result &result, const Library &library) {
    TorchtitanTarget target = torchtitan_target(result.plan, library);
    target.target.predict(result);
    LaunchExport written;
    written.files.push_back(TomlWriter(target, result).write());
    if (auto model = torchtitan_model_file(target))
        written.files.push_back(std::move(*model));
    written.files.push_back(torchtitan_script(result, target.target));
    written.files.push_back(sbatch_file(result, target.target, torchtitan_title, false, SlurmTasks::per_accelerator));
    written.lost = target.target.lost;
    return written;
}

} // namespace meshwright
