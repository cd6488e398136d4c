// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/torchtitan_reading.h"

#include "catalog/library.h"
#include "catalog/model.h"
#include "launch/hub_names.h"
#include "launch/known_options.h"
#include "launch/torchtitan_flavors.h"
#include "launch/torchtitan_names.h"
#include "plan/valid_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t most_ranks = 10'000'000;

/// Whether a model's name contains that of a family: "llama3_ft" contains "llama3", but not the older "llama".
bool names_family(std::string_view model, std::string_view family) {
    const std::size_t at = model.find(family);
    const std::size_t end = at + family.size();
    return at != std::string_view::npos
        && (end >= model.size() || std::isdigit(static_cast<unsigned char>(model[end])) == 0);
}

} // namespace

TorchtitanReading::TorchtitanReading(LaunchPlan &launch, TorchtitanDialect dialect, const Library &library,
                                     std::vector<TorchtitanFlavor> added)
    : m_launch(launch)
    , m_options(launch.options, {"--", ""})
    , m_dialect(dialect)
    , m_library(library)
    , m_added(std::move(added)) { }

void TorchtitanReading::read() {
    for (const std::string &each : m_options.words("model.converters", "/precision/compute"))
        m_converters += each + " ";
    read_sites();
    read_model();
    read_parallelism();
    read_sharding();
    read_experts();
    read_pipeline();
    if (is_main())
        read_tokens();
    else
        read_sequences();
    read_precision();
    read_recompute();
    read_software();
    read_outer_loop();
    read_run();
    ignore_the_rest();
}

std::int64_t TorchtitanReading::degree(std::string_view names, std::string_view field, std::int64_t otherwise) {
    const std::int64_t value = m_options.integer(names, field).value_or(otherwise);
    if (value >= 1 && value <= most_ranks)
        return value;
    if (value != otherwise)
        m_options.fault(names, fmt::format("{} is not a number of ranks; expected 1 or more", value));
    return otherwise;
}

void TorchtitanReading::read_model() {
    if (is_main()) {
        const auto module = m_options.word("module model_spec.name", "/model");
        const auto config = m_options.word("config model_spec.flavor", "/model");
        if (const auto both = m_options.word("_config", "/model")) { // "llama3 llama3_405b"
            const std::size_t space = both->find(' ');
            take_flavor(both->substr(0, space), both->substr(space == std::string::npos ? 0 : space + 1), true);
        } else if (module) {
            const std::string name =
                module->substr(module->rfind('.') == std::string::npos ? 0 : module->rfind('.') + 1);
            if (!take_flavor(name, config.value_or(""), !m_options.has("model_spec.flavor")))
                read_model_object();
        }
        return;
    }
    const auto name = m_options.word("model.name", "/model");
    const auto flavor = m_options.word("model.flavor", "/model");
    if (const auto hub = m_options.word("hf_transformers.model", "/model"))
        m_launch.model = preset_of_hub_name(*hub, m_library);
    else
        take_flavor(name.value_or("llama3"), flavor.value_or("debugmodel"), false);
    if (!name)
        m_launch.options.assume("/model", "llama3", "not set; torchtitan's default applies");
}

bool TorchtitanReading::take_flavor(const std::string &model, const std::string &flavor, bool is_function) {
    std::vector<TorchtitanFlavor> flavors = torchtitan_flavors(m_library);
    flavors.insert(flavors.end(), m_added.begin(), m_added.end());
    // Variants of a family use its flavors: "llama3_ft", "llama3_simple_fsdp", "simple_fsdp.llama3".
    std::string family;
    for (const TorchtitanFlavor &each : flavors)
        if (names_family(model, each.model) && each.model.size() > family.size())
            family = each.model;
    const TorchtitanFlavor *const found =
        is_function ? flavor_in(flavors, family, flavor) : find_flavor(flavors, family, flavor);
    if (is_function) // "llama3_8b_float8": the function's name states the model converter
        for (const char *converter : {"mxfp8", "nvfp4", "float8"})
            if (m_converters.empty() && flavor.find(converter) != std::string::npos)
                m_converters = converter;
    if (found == nullptr && is_function && !(m_launch.model = preset_of_recipe(flavor, m_library)).empty()) {
        m_layers = m_library.model(m_launch.model)->layer_count();
        return true;
    }
    if (found == nullptr) {
        m_options.ignore("model.flavor config model_spec.flavor _config",
                         fmt::format("unknown flavor {} of the family {}", flavor, model));
        m_launch.model_name = fmt::format("{}-{}", model, flavor);
        return false;
    }
    m_launch.model = found->preset;
    if (found->preset.empty())
        m_launch.shape = found->shape;
    m_layers = found->shape.layers.value_or(0);
    return true;
}

/// The JSON of save_config_file lists every layer of the model; the sizes are read from the first.
void TorchtitanReading::read_model_object() {
    ModelShape &shape = m_launch.shape;
    shape.hidden = m_options.integer("model_spec.model.dim", "/model/hidden");
    shape.vocabulary = m_options.integer("model_spec.model.vocab_size", "/model/vocabulary");
    const std::string first = "model_spec.model.layers.0.";
    shape.heads = m_options.integer(first + "attention.n_heads", "/model/blocks/0/mixer/heads");
    shape.kv_heads = m_options.integer(first + "attention.n_kv_heads", "/model/blocks/0/mixer/kv_heads");
    shape.head_dim = m_options.integer(first + "attention.head_dim", "/model/blocks/0/mixer/head_dim");
    shape.feed_forward = m_options.integer(first + "feed_forward.w1.out_features", "/model/blocks/0/transform/hidden");
    shape.gated = true;
    std::int64_t layers = 0;
    while (layers < most_ranks
           && m_options.has(fmt::format("model_spec.model.layers.{0}.attention.n_heads "
                                        "model_spec.model.layers.{0}.attention.dim",
                                        layers)))
        ++layers;
    if (layers > 0)
        shape.layers = m_layers = layers;
}

void TorchtitanReading::read_parallelism() {
    m_tensor = degree("parallelism.tensor_parallel_degree training.tensor_parallel_degree", "/parallelism/tensor");
    m_context =
        degree("parallelism.context_parallel_degree experimental.context_parallel_degree", "/parallelism/context");
    m_pipeline = degree("parallelism.pipeline_parallel_degree experimental.pipeline_parallel_degree "
                        "training.pipeline_parallel_degree",
                        "/parallelism/pipeline");
    m_launch.set("/parallelism/tensor", m_tensor);
    m_launch.set("/parallelism/context", m_context);
    m_launch.set("/parallelism/pipeline", m_pipeline);
    const auto sequence = is_main()
        ? m_options.flag("parallelism.enable_sequence_parallel", "/parallelism/sequence_parallel")
        : std::nullopt; // v0.2.2 always enables sequence parallelism with tensor parallelism
    m_launch.set("/parallelism/sequence_parallel", sequence.value_or(true) && m_tensor > 1);
    m_launch.set("/parallelism/placement", Json{"tensor", "context", "expert", "data", "pipeline"});
}

void TorchtitanReading::read_sharding() {
    const std::string_view shard_names = "parallelism.data_parallel_shard_degree training.data_parallel_shard_degree "
                                         "training.data_parallel_degree";
    const std::int64_t replicas = degree(
        "parallelism.data_parallel_replicate_degree training.data_parallel_replicate_degree", "/parallelism/data");
    // -1 means all ranks that remain after the other degrees.
    std::int64_t shard = m_options.integer(shard_names, "/parallelism/data").value_or(-1);
    if (shard == 0 || shard < -1 || shard > most_ranks) {
        m_options.fault(shard_names, fmt::format("{} is neither -1 nor a number of ranks", shard));
        shard = -1;
    }
    if (shard > 0)
        m_launch.data = std::min(replicas * shard, most_ranks);
    const auto policy = m_options.lower_word("parallelism.fsdp_reshard_after_forward", "/parallelism/zero_stage");
    // Without sharding, the replicas use DDP.
    const bool sharded = shard != 1 || m_context > 1;
    const bool gathers_again = policy && *policy != "default" ? *policy != "never" : m_pipeline == 1;
    m_launch.set("/parallelism/zero_stage", !sharded ? 0 : gathers_again ? 3 : 2);
    if (replicas > 1 && sharded)
        m_launch.shard_groups = replicas;
    const Json *const family = m_options.value("model.name");
    const bool is_llama = family == nullptr || value_text(*family).starts_with("llama");
    if (!is_main() && is_llama && replicas > 1 && !sharded && m_tensor * m_pipeline > 1) // llama3/infra/parallelize.py
        m_options.fault(shard_names,
                        "torchtitan v0.2.2 refuses DDP with tensor or pipeline parallelism; expected a "
                        "degree of FSDP above 1");
    if (!is_main()) // the main branch applies FSDP in any case, for its number formats
        m_launch.unsharded_alone =
            "torchtitan v0.2.2 applies FSDP only if it shards across several ranks (distributed/parallel_dims.py)";
}

void TorchtitanReading::read_experts() {
    const std::string_view expert_names = "parallelism.expert_parallel_degree experimental.expert_parallel_degree";
    const std::string_view tensor_names = "parallelism.expert_tensor_parallel_degree";
    const std::int64_t expert = degree(expert_names, "/parallelism/expert");
    const std::int64_t stated = degree(tensor_names, "/parallelism/expert_tensor");
    const std::int64_t experts =
        m_launch.model.empty() ? m_launch.shape.experts.value_or(0) : routed_experts(*m_library.model(m_launch.model));
    if (experts == 0) {
        if (expert > 1)
            m_options.fault(expert_names, "the model has no experts");
        return;
    }
    // Without expert parallelism, experts are split like all other layers.
    const std::int64_t expert_tensor = expert == 1 ? m_tensor : stated;
    if (expert > 1 && stated != 1 && stated != m_tensor)
        m_options.fault(tensor_names, fmt::format("expected 1 or the tensor parallel degree {}", m_tensor));
    m_launch.set("/parallelism/expert", expert);
    m_launch.set("/parallelism/expert_tensor", expert_tensor);
    const Json *const family = m_options.value("model.name");
    if (expert > 1 && (family == nullptr || needs_fsdp_for_experts(value_text(*family))))
        m_launch.unsharded_alone.clear();
}

void TorchtitanReading::read_sequences() {
    const std::int64_t length = degree("training.seq_len", "/batch/sequence_length", 2048);
    if (!m_options.has("training.seq_len"))
        m_launch.options.assume("/batch/sequence_length", length, "not set; torchtitan's default applies");
    m_launch.set("/batch/sequence_length", length);
    if (length % (m_tensor * std::min<std::int64_t>(2 * m_context, most_ranks)) != 0)
        m_options.fault("training.seq_len",
                        fmt::format("{} is not a multiple of tensor x 2 x context parallel degree "
                                    "= {}",
                                    length, m_tensor * 2 * m_context));
    const std::string_view local_names = "training.local_batch_size training.batch_size";
    // With a pipeline, each call of the schedule splits the local batch into microbatches.
    const char *const local_field = m_pipeline > 1 ? "/batch/global_sequences" : "/batch/micro_sequences";
    const std::int64_t local = degree(local_names, local_field, 8);
    if (!m_options.has(local_names))
        m_launch.options.assume("/batch/micro_sequences", local, "not set; torchtitan's default applies");
    std::int64_t micro = local;
    const std::string_view size_names = "parallelism.pipeline_parallel_microbatch_size";
    const std::string_view count_names = "parallelism.pipeline_parallel_microbatches "
                                         "experimental.pipeline_parallel_microbatches"; // name before v0.1.0
    if (m_pipeline == 1) {
        m_options.ignore(size_names, "applies only with pipeline parallelism");
        m_options.ignore(count_names, "applies only with pipeline parallelism");
    } else if (m_options.has(count_names)) {
        micro = std::max<std::int64_t>(1, local / degree(count_names, "/batch/micro_sequences", m_pipeline));
    } else {
        micro = degree(size_names, "/batch/micro_sequences");
        if (!m_options.has(size_names))
            m_launch.options.assume("/batch/micro_sequences", micro,
                                    "not set; torchtitan splits the local batch into microbatches of one sequence");
    }
    if (local % micro != 0)
        m_options.fault(local_names, fmt::format("{} is not a multiple of the microbatch size {}", local, micro));
    m_launch.set("/batch/micro_sequences", micro);
    const std::int64_t global =
        of_one_site(m_options.integer("training.global_batch_size", "/batch/global_sequences").value_or(-1));
    if (global > 0)
        m_launch.set("/batch/global_sequences", global);
    else
        m_launch.accumulation = std::max<std::int64_t>(1, local / micro);
    if (global > 0 && m_launch.data && global % (local * *m_launch.data) != 0)
        m_options.fault("training.global_batch_size",
                        fmt::format("{} is not a multiple of local batch {} x {} data-parallel ranks", global, local,
                                    *m_launch.data));
    if (global > 0 && m_pipeline > 1 && m_launch.data && global / (local * *m_launch.data) > 1)
        m_launch.options.assume("/batch/global_sequences", global,
                                fmt::format("gradient accumulation repeats the whole schedule {} times; in a plan, one "
                                            "schedule covers all microbatches of the step",
                                            global / (local * *m_launch.data)));
}

void TorchtitanReading::read_tokens() {
    const std::string_view tokens_name = "training.num_tokens_per_microbatch_per_dp_rank";
    const std::int64_t length = degree("training.max_context_length", "/batch/sequence_length", 2048);
    m_launch.set("/batch/sequence_length", length);
    const std::int64_t tokens = degree(tokens_name, "/batch/micro_sequences", 16384);
    for (const auto &[name, field, value] :
         {std::tuple("training.max_context_length", "/batch/sequence_length", length),
          std::tuple("training.num_tokens_per_microbatch_per_dp_rank", "/batch/micro_sequences", tokens / length)})
        if (!m_options.has(name))
            m_launch.options.assume(field, value, "not set; torchtitan's default applies");
    if (tokens % length != 0)
        m_launch.options.assume(
            "/batch/micro_sequences", std::max<std::int64_t>(1, tokens / length),
            fmt::format("{} tokens per microbatch are not a multiple of the sequence length {}: rounded down", tokens,
                        length));
    m_launch.set("/batch/micro_sequences", std::max<std::int64_t>(1, tokens / length));
    const std::string_view microbatches = "parallelism.num_pp_microbatches";
    if (m_pipeline == 1)
        m_options.ignore(microbatches, "applies only with pipeline parallelism");
    const std::int64_t calls = m_pipeline == 1 ? 1 : degree(microbatches, "/batch/global_sequences");
    const std::string_view step_name = "training.num_tokens_per_train_step";
    const std::int64_t step = m_options.integer(step_name, "/batch/global_sequences").value_or(-1);
    if (step > 0)
        m_launch.set("/batch/global_sequences", of_one_site(std::max<std::int64_t>(1, step / length)));
    else
        m_launch.accumulation = calls;
    if (step > 0 && (step % length != 0 || step % tokens != 0))
        m_options.fault(step_name, fmt::format("{} is not a multiple of {} tokens per microbatch", step, tokens));
}

void TorchtitanReading::read_software() {
    const std::string components = value_text(
        m_options.value("compile.components") != nullptr ? *m_options.value("compile.components") : Json("model loss"));
    const bool compiles = m_options.flag("compile.enable training.compile", "/stack").value_or(false)
        && components.find("model") != std::string::npos;
    m_options.understand("compile.components", "/stack");
    m_launch.stack = torchtitan_stack(compiles);
    m_launch.options.assume("/stack", m_launch.stack,
                            compiles ? "torchtitan with a compiled model" : "torchtitan without a compiled model");
}

void TorchtitanReading::read_run() {
    const auto steps = m_options.number("training.steps", "/run/tokens");
    if (steps && *steps > 0)
        m_launch.steps = steps;
    if (const auto optimizer = m_options.lower_word("optimizer.name", "/optimizer/name")) {
        m_launch.set("/optimizer/name", optimizer->find("muon") != std::string::npos ? "muon" : "adamw");
        if (optimizer->find("adam") == std::string::npos && optimizer->find("muon") == std::string::npos)
            m_launch.options.assume("/optimizer/name", "adamw",
                                    fmt::format("plans do not support the optimizer {}", *optimizer));
    }
    if (m_options.flag("training.enable_cpu_offload", "/offload/optimizer").value_or(false))
        m_launch.set("/offload/optimizer", 1.0);
    const bool checkpoints =
        m_options.flag("checkpoint.enable checkpoint.enable_checkpoint", "/faults/checkpoint_blocking_share")
            .value_or(false);
    if (!checkpoints)
        m_options.ignore("checkpoint.enable checkpoint.enable_checkpoint", "the run writes no checkpoints");
    else if (const auto mode = m_options.lower_word("checkpoint.async_mode", "/faults/checkpoint_blocking_share"))
        m_launch.set("/faults/checkpoint_blocking_share", *mode == "disabled" ? 1 : 0);
    m_options.ignore("checkpoint.interval", "counted in steps; a plan's checkpoint interval is in seconds");
}

void TorchtitanReading::ignore_the_rest() {
    const std::string_view launcher = is_main() ? "torchtitan-main" : "torchtitan-v0.2.2";
    m_launch.options.ignore_rest([&](const LaunchOption &option) {
        std::string name = option.name;
        if (name.starts_with("--")) {
            name.erase(0, 2);
            std::replace(name.begin(), name.end(), '-', '_');
        }
        if (name.starts_with("model_spec."))
            return std::string("set by the flavor");
        if (name.starts_with("fault_tolerance.") && !m_launch.plan.contains("outer"))
            return std::string("applies only with fault_tolerance.enable");
        if (name.starts_with("quantize.") || name.starts_with("float8."))
            return std::string("applies only with the converter in model.converters");
        return why_ignored(launcher, name, m_library);
    });
}

} // namespace meshwright
