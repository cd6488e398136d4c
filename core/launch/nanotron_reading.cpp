// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/nanotron_reading.h"

#include "launch/known_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t most_nanotron_ranks = 10'000'000;
constexpr std::string_view of_model = "model.model_config.";

std::string in_model(std::string_view name) {
    return std::string(of_model) + std::string(name);
}

} // namespace

NanotronReading::NanotronReading(LaunchPlan &launch, const Library &library)
    : m_launch(launch)
    , m_options(launch.options, {""})
    , m_library(library) { }

void NanotronReading::read() {
    read_parallelism();
    read_model();
    read_batch();
    read_precision();
    read_run();
    ignore_the_rest();
}

std::int64_t NanotronReading::degree(std::string_view names, std::string_view field) {
    const std::int64_t value = m_options.integer(names, field).value_or(1);
    if (value >= 1 && value <= most_nanotron_ranks)
        return value;
    m_options.fault(names, fmt::format("{} is not a number of ranks; expected 1 or more", value));
    return 1;
}

void NanotronReading::read_parallelism() {
    m_tensor = degree("parallelism.tp", "/parallelism/tensor");
    m_context = degree("parallelism.context_parallel_size", "/parallelism/context");
    m_pipeline = degree("parallelism.pp", "/parallelism/pipeline");
    m_launch.set("/parallelism/tensor", m_tensor);
    m_launch.set("/parallelism/context", m_context);
    m_launch.set("/parallelism/pipeline", m_pipeline);
    // The file does not state the number of accelerators; it follows from the number of replicas.
    m_launch.data = degree("parallelism.dp", "/parallelism/data");
    for (const auto &[option, field] :
         {std::pair("parallelism.dp", "/parallelism/data"), std::pair("parallelism.tp", "/parallelism/tensor"),
          std::pair("parallelism.pp", "/parallelism/pipeline")})
        if (!m_options.has(option))
            m_launch.options.assume(field, 1, fmt::format("nanotron requires {}, which is missing", option));
    // parallelism_config.py: the defaults are all-forward-all-backward (GPipe) and no sequence parallelism.
    const std::string engine = m_options.lower_word("parallelism.pp_engine", "/parallelism/schedule").value_or("afab");
    m_launch.set("/parallelism/schedule", engine == "1f1b" || m_pipeline == 1 ? "1f1b" : "gpipe");
    if (engine != "1f1b" && engine != "afab")
        m_options.fault("parallelism.pp_engine", fmt::format("{} is neither 1f1b nor afab", engine));
    const std::string mode =
        m_options.lower_word("parallelism.tp_mode", "/parallelism/sequence_parallel").value_or("all_reduce");
    m_launch.set("/parallelism/sequence_parallel", mode == "reduce_scatter" && m_tensor > 1);
    if (mode != "reduce_scatter" && mode != "all_reduce")
        m_options.fault("parallelism.tp_mode", fmt::format("{} is neither ALL_REDUCE nor REDUCE_SCATTER", mode));
    // Any stage above 0 shards only the optimizer states.
    const auto stage = m_options.integer("optimizer.zero_stage", "/parallelism/zero_stage");
    m_launch.set("/parallelism/zero_stage", stage.value_or(0) > 0 ? 1 : 0);
    m_launch.set("/parallelism/placement", Json{"tensor", "context", "expert", "data", "pipeline"});
    const bool recomputes = m_options.flag("parallelism.recompute_layer", "/recompute/mode").value_or(false);
    m_launch.set("/recompute/mode", recomputes ? "full" : "none");
    if (m_options.flag("parallelism.moe_layer_recompute", "/recompute/mode").value_or(false) && !recomputes) {
        m_launch.set("/recompute/mode", "modules");
        m_launch.set("/recompute/modules", Json::array({"moe"}));
    }
}

void NanotronReading::read_model() {
    ModelShape &shape = m_launch.shape;
    shape.layers = m_options.integer(in_model("num_hidden_layers"), "/model/layers");
    shape.hidden = m_options.integer(in_model("hidden_size"), "/model/hidden");
    shape.heads = m_options.integer(in_model("num_attention_heads"), "/model/blocks/0/mixer/heads");
    const std::string kv_names = in_model("num_key_value_heads") + " " + in_model("num_kv_heads");
    shape.kv_heads = m_options.integer(kv_names, "/model/blocks/0/mixer/kv_heads");
    shape.feed_forward = m_options.integer(in_model("intermediate_size"), "/model/blocks/0/transform/hidden");
    shape.longest_sequence = m_options.integer(in_model("max_position_embeddings"), "/model/longest_sequence");
    shape.window = m_options.integer(in_model("sliding_window_size"), "/model/blocks/0/mixer/window");
    shape.qkv_bias =
        m_options.flag(in_model("attention_bias"), "/model/blocks/0/mixer/query_key_value_bias").value_or(false);
    shape.tied_embeddings = m_options.flag(in_model("tie_word_embeddings"), "/model/tied_embeddings").value_or(false);
    shape.gated = true;
    shape.norm = NormKind::rms;
    if (m_options.flag(in_model("is_starcoder2_config"), "/model").value_or(false)) {
        shape.gated = false;
        shape.linear_bias = true;
        shape.norm = NormKind::layer;
        shape.tied_embeddings = true;
        const bool grouped =
            m_options.flag(in_model("grouped_query"), "/model/blocks/0/mixer/kv_heads").value_or(false);
        m_options.flag(in_model("multi_query"), "/model/blocks/0/mixer/kv_heads");
        if (!grouped)
            shape.kv_heads = 1; // models_config.py: multi-query attention is the default
    }
    for (const char *mark : {"is_llama_config", "is_qwen2_config", "is_llamoe_config"})
        m_options.flag(in_model(mark), "/model");
    if (m_options.has(in_model("is_mamba_config"))) {
        m_options.ignore(in_model("is_mamba_config"), "the importer cannot read the sizes of Mamba layers");
        shape.hidden.reset();
    }
    // The rows of the embedding are padded to a multiple of this number times the tensor-parallel degree.
    const auto size = m_options.integer(in_model("vocab_size"), "/model/vocabulary");
    const std::int64_t multiple = std::clamp<std::int64_t>(
        m_options.integer("model.make_vocab_size_divisible_by", "/model/vocabulary").value_or(1), 1, 1'000'000);
    const std::int64_t rows = multiple * std::min<std::int64_t>(m_tensor, 100'000);
    if (size && *size >= 1 && *size <= 1'000'000'000)
        shape.vocabulary = (*size + rows - 1) / rows * rows;
    if (shape.kv_heads && *shape.kv_heads >= 1 && *shape.kv_heads < m_tensor)
        m_options.fault(
            kv_names,
            fmt::format("{} KV heads are fewer than the tensor parallel degree {}", *shape.kv_heads, m_tensor));
    read_experts();
}

void NanotronReading::read_experts() {
    ModelShape &shape = m_launch.shape;
    const auto experts = m_options.integer(in_model("moe_config.num_experts") + " " + in_model("moe_num_experts"),
                                           "/model/blocks/0/transform/experts");
    // Expert ranks are outermost in the mesh, but the world size, dp x tp x pp x cp, does not include them.
    const std::string_view expert_name = "parallelism.expert_parallel_size";
    const std::int64_t expert = degree(expert_name, "/parallelism/expert");
    const bool is_mixture = experts && *experts > 0;
    m_launch.set("/parallelism/expert", is_mixture ? expert : 1);
    if (expert > 1)
        m_options.fault(
            expert_name,
            fmt::format("nanotron's world size, dp x tp x pp x cp, does not include {} expert-parallel ranks; "
                        "expected 1",
                        expert));
    if (!is_mixture)
        return;
    shape.experts = experts;
    shape.experts_per_token = m_options
                                  .integer(in_model("moe_config.top_k") + " " + in_model("num_experts_per_tok"),
                                           "/model/blocks/0/transform/experts_per_token")
                                  .value_or(m_options.has(in_model("moe_num_experts")) ? 1 : 2);
    // models_config.py, MoEConfig; in older releases experts are as large as the dense feed-forward network.
    const bool is_older = m_options.has(in_model("moe_num_experts"));
    const auto wide =
        m_options.integer(in_model("moe_config.moe_intermediate_size") + " " + in_model("moe_intermediate_size"),
                          "/model/blocks/0/transform/hidden");
    shape.expert_hidden = wide ? wide : is_older ? shape.feed_forward : std::optional<std::int64_t>(1408);
    const auto shared = m_options.integer(in_model("moe_config.shared_expert_intermediate_size"),
                                          "/model/blocks/0/transform/shared_hidden");
    if (m_options.flag(in_model("moe_config.enable_shared_expert"), "/model/blocks/0/transform/shared_hidden")
            .value_or(false)) {
        shape.shared_hidden = shared.value_or(5632);
        shape.shared_gate = true;
    }
    const std::vector<std::string> listed = m_options.words(in_model("moe_config.layers"), "/model/layers");
    const std::int64_t layers = shape.layers.value_or(0);
    if (!listed.empty() && listed.front() != "-1" && layers >= 1 && layers <= most_layers) { // [-1] means all layers
        shape.has_experts.assign(static_cast<std::size_t>(layers), false);
        for (const std::string &each : listed)
            if (const auto layer = spelled_integer(each); layer && *layer >= 0 && *layer < layers)
                shape.has_experts[static_cast<std::size_t>(*layer)] = true;
    }
    const bool has_dense =
        std::find(shape.has_experts.begin(), shape.has_experts.end(), false) != shape.has_experts.end();
    if (!wide && !is_older)
        m_launch.options.assume(has_dense ? "/model/blocks/1/transform/hidden" : "/model/blocks/0/transform/hidden",
                                1408, "not set; nanotron's default applies");
    if (!has_dense && (wide || !is_older))
        m_options.ignore(in_model("intermediate_size"), "applies only to layers without experts");
}

void NanotronReading::read_batch() {
    const auto length = m_options.integer("tokens.sequence_length", "/batch/sequence_length");
    if (length && *length >= 1)
        m_launch.set("/batch/sequence_length", *length);
    const auto micro = m_options.integer("tokens.micro_batch_size", "/batch/micro_sequences");
    if (micro && *micro >= 1)
        m_launch.set("/batch/micro_sequences", *micro);
    const auto accumulation =
        m_options.integer("tokens.batch_accumulation_per_replica", "/batch/global_sequences").value_or(1);
    m_launch.accumulation = std::max<std::int64_t>(1, accumulation);
}

void NanotronReading::read_precision() {
    const std::string type = m_options.lower_word("model.dtype", "/precision/compute").value_or("bfloat16");
    const std::string half = type == "float32" || type == "float64" ? "fp32" : type == "float16" ? "fp16" : "bf16";
    if (!m_options.has("model.dtype"))
        m_launch.options.assume("/precision/compute", half, "not set; nanotron's default applies");
    // FP32 master weights exist only with FP32 gradients.
    const bool wide =
        m_options.flag("optimizer.accumulate_grad_in_fp32", "/precision/gradients").value_or(false) || half == "fp32";
    m_launch.set("/precision/compute", half);
    m_launch.set("/precision/weights", half);
    m_launch.set("/precision/gradients", wide ? "fp32" : half);
    m_launch.set("/precision/master", wide && half != "fp32" ? "fp32" : "none");
    m_launch.set("/precision/moments", wide ? "fp32" : half);
}

void NanotronReading::read_run() {
    const auto steps = m_options.number("tokens.train_steps", "/run/tokens");
    if (steps && *steps > 0)
        m_launch.steps = steps;
    const std::string name =
        m_options.lower_word("optimizer.optimizer_factory.name optimizer.name", "/optimizer/name").value_or("adamw");
    m_launch.set("/optimizer/name", name == "sgd" ? "sgd" : "adamw");
    m_options.ignore("checkpoints.checkpoint_interval", "counted in steps; a plan's checkpoint interval is in seconds");
    m_launch.stack = "nanotron-2024";
    m_launch.options.assume("/stack", m_launch.stack, "a nanotron file");
}

void NanotronReading::ignore_the_rest() {
    m_launch.options.ignore_rest([&](const LaunchOption &option) {
        if (option.name.starts_with("data_stages.") && option.name.ends_with(".sequence_length"))
            return std::string("a data stage with its own sequence length; a plan has only one length");
        return why_ignored("nanotron", option.name, m_library);
    });
}

} // namespace meshwright
