// SPDX-License-Identifier: GPL-3.0-or-later
// Reads Megatron's parallel degrees, and how its pipelines distribute layers over virtual stages.
#include "input/diagnostic.h"
#include "launch/deepspeed_stages.h"
#include "launch/megatron_names.h"
#include "launch/megatron_reading.h"
#include "plan/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t most_virtual_stages = 10'000;
constexpr std::int64_t most_pipeline_layers = 1'000'000;

} // namespace

void MegatronReading::read_parallelism() {
    m_launch.set("/parallelism/tensor", m_tensor);
    m_launch.set("/parallelism/pipeline", m_pipeline);
    if (const auto ulysses = integer("--ds-sequence-parallel-size"); ulysses && m_context == 1)
        m_context = std::max<std::int64_t>(1, *ulysses);
    m_launch.set("/parallelism/context", m_context);
    read_expert_parallelism();
    bool sequence = flag("--sequence-parallel");
    if (misses(has("--sequence-parallel")) && m_tensor > 1) {
        sequence = true;
        m_launch.options.assume(
            "/parallelism/sequence_parallel", true,
            fmt::format("{} is not given; sequence parallelism is usually on with tensor parallelism", m_missing));
    }
    if (m_tensor > 1 && !has("--sequence-parallel"))
        leave_to_recipe("/parallelism/sequence_parallel", false);
    m_launch.set("/parallelism/sequence_parallel", sequence && m_tensor > 1);
    if (sequence && m_tensor == 1 && m_dialect == MegatronDialect::megatron_bridge)
        m_launch.options.fault(own("--sequence-parallel"), "sequence parallelism needs tensor parallelism");
    const bool pipeline_inside = flag("--use-tp-pp-dp-mapping");
    m_launch.set("/parallelism/placement",
                 pipeline_inside ? Json{"tensor", "context", "expert", "pipeline", "data"}
                                 : Json{"tensor", "context", "expert", "data", "pipeline"});
    read_virtual_stages();
}

void MegatronReading::read_expert_parallelism() {
    m_launch.set("/parallelism/expert", 1);
    m_launch.set("/parallelism/expert_tensor", 1);
    // The parallel degrees of a model of unknown shape determine which model is assumed.
    const bool is_unknown =
        !m_launch.shape.experts && !m_launch.shape.layers && !m_launch.hybrid && m_launch.model.empty();
    if (!m_launch.shape.experts && m_named_experts < 1 && !is_unknown) {
        const char *const why = has_recipe() && m_launch.model.empty()
            ? "applies only with experts, and the file does not state those of the recipe"
            : "applies only with experts";
        for (const char *option :
             {"--expert-model-parallel-size", "--moe-expert-parallel-size", "--expert-tensor-parallel-size"})
            m_launch.options.ignore(own(option), why);
        return;
    }
    std::int64_t expert = std::max<std::int64_t>(1, integer("--expert-model-parallel-size").value_or(1));
    if (const auto older = integer("--moe-expert-parallel-size"); older && *older > 1)
        expert = *older;
    m_launch.set("/parallelism/expert", expert);
    if (!is_unknown && !has("--expert-model-parallel-size"))
        leave_to_recipe("/parallelism/expert", expert);
    // The default of expert tensor parallelism is the tensor-parallel degree, not 1.
    const auto stated = integer("--expert-tensor-parallel-size");
    if (is_unknown && expert == 1 && !stated)
        return;
    const bool only_named = !m_launch.shape.experts; // if so, the named model's definition sets the degree
    const std::int64_t inherited = only_named || m_dialect == MegatronDialect::megatron_deepspeed ? 1 : m_tensor;
    const std::int64_t expert_tensor = stated.value_or(inherited);
    m_launch.set("/parallelism/expert_tensor", expert_tensor);
    if (!stated && inherited > 1)
        m_launch.options.assume("/parallelism/expert_tensor", inherited,
                                "not set: Megatron uses the tensor-parallel size");
    if (!stated && only_named && m_tensor > 1)
        m_launch.options.assume("/parallelism/expert_tensor", 1,
                                "set in the model definition; 1 is common with many experts");
    if (!only_named && m_launch.shape.linear_bias && expert_tensor > 1)
        m_launch.options.fault(stated ? own("--expert-tensor-parallel-size") : "--disable-bias-linear",
                               "expert layers with biases cannot be tensor parallel; expected --disable-bias-linear or "
                               "an expert tensor-parallel size of 1");
}

/// Reads a layout string, or a pattern of hybrid layers that includes the stages. Returns whether the file has either.
bool MegatronReading::read_stages() {
    std::vector<LayoutStage> stages;
    for (const std::int64_t layers : m_hybrid_stages)
        stages.push_back({.layers = layers});
    std::string option = m_layers_option;
    if (m_launch.hybrid && stages.size() > 1) {
        std::vector<std::int64_t> layers;
        for (const LayoutStage &stage : stages)
            layers.push_back(stage.layers);
        if (std::adjacent_find(layers.begin(), layers.end(), std::not_equal_to<>()) != layers.end())
            m_launch.set("/parallelism/layout", layers);
    } else if (auto layout = word("--pipeline-model-parallel-layout")) {
        option = own("--pipeline-model-parallel-layout");
        std::erase_if(*layout, [](char c) { return c == '"' || c == '\''; });
        try {
            stages = read_layout(*layout);
        } catch (const InputError &error) {
            m_launch.options.fault(option, error.diagnostics().front().message.text);
            return false;
        }
        m_launch.set("/parallelism/layout", *layout);
    } else {
        return false;
    }
    const auto count = static_cast<std::int64_t>(stages.size());
    if (count % m_pipeline == 0) {
        m_chunks = count / m_pipeline;
        return true;
    }
    m_launch.options.fault(option, fmt::format("{} stages are not a multiple of {} pipeline ranks", count, m_pipeline));
    m_launch.plan["parallelism"].erase("layout");
    return false;
}

void MegatronReading::read_chunks(std::int64_t counted) {
    if (const auto each = integer("--num-layers-per-virtual-pipeline-stage"); each && *each > 0) {
        const std::int64_t per_rank = counted / m_pipeline;
        if (counted % m_pipeline == 0 && per_rank % *each == 0)
            m_chunks = std::max<std::int64_t>(1, per_rank / *each);
        else
            m_launch.options.fault(
                own("--num-layers-per-virtual-pipeline-stage"),
                fmt::format("{} layers over {} pipeline ranks are not a multiple of {}", counted, m_pipeline, *each));
    }
    if (const auto chunks = integer("--num-virtual-stages-per-pipeline-rank"); chunks && *chunks > 0)
        m_chunks = std::min(*chunks, most_virtual_stages);
    if (m_chunks > 1 && m_pipeline == 1) {
        m_launch.options.fault(own(has("--num-virtual-stages-per-pipeline-rank")
                                       ? "--num-virtual-stages-per-pipeline-rank"
                                       : "--num-layers-per-virtual-pipeline-stage"),
                               "interleaving needs a pipeline of at least 2 stages");
        m_chunks = 1;
    }
}

/// Layers of each virtual stage if the options ask for an uneven split; empty if the split is even or impossible.
std::vector<std::int64_t> MegatronReading::uneven_layers(const UnevenSplit &split, std::int64_t layers) const {
    const std::int64_t stages = m_pipeline * m_chunks;
    const std::int64_t counted = layers + (split.embedding ? 1 : 0) + (split.loss ? 1 : 0);
    std::vector<std::int64_t> each(static_cast<std::size_t>(stages), counted / stages);
    if (!split.first && !split.last) {
        each.front() -= split.embedding ? 1 : 0;
        each.back() -= split.loss ? 1 : 0;
        return each;
    }
    // The numbers of layers given for the first and the last rank are for all chunks of that rank together. The other
    // ranks share the remaining layers.
    const std::int64_t others = m_pipeline - (split.first ? 1 : 0) - (split.last ? 1 : 0);
    const std::int64_t rest = layers - split.first.value_or(0) - split.last.value_or(0);
    for (std::int64_t stage = 0; stage < stages; ++stage) {
        const std::int64_t rank = stage % m_pipeline;
        const std::int64_t of_rank = split.first && rank == 0 ? *split.first
            : split.last && rank == m_pipeline - 1            ? *split.last
            : others > 0                                      ? rest / others
                                                              : 0;
        each[static_cast<std::size_t>(stage)] = of_rank / m_chunks;
    }
    return each;
}

/// Megatron-DeepSpeed's pipeline engine balances the stages. In bigscience's fork, --pp-partition-method states which
/// modules it counts.
void MegatronReading::read_deepspeed_stages(std::int64_t layers) {
    const std::string method = lower_word("--pp-partition-method", "type:transformer");
    const bool counts_layers = method.starts_with("type:") && method.find("transformer") != std::string::npos;
    if (!counts_layers)
        m_launch.options.assume("/parallelism/layout", "stages balanced by transformer layers",
                                fmt::format("the importer cannot balance stages by {}", method));
    const bool counts_embeddings = counts_layers && method.find("embedding") != std::string::npos;
    const DeepSpeedStages stages = deepspeed_stages(
        layers, m_pipeline, counts_embeddings ? CountedModules::layers_and_embeddings : CountedModules::layers);
    const std::vector<std::int64_t> &each = stages.layers;
    if (std::adjacent_find(each.begin(), each.end(), std::not_equal_to<>()) != each.end())
        m_launch.set("/parallelism/layout", each);
    if (stages.has_empty_stage)
        m_launch.options.fault(
            own("--pipeline-model-parallel-size"),
            fmt::format("{} stages for {} layers leave a stage without weights", m_pipeline, layers));
}

void MegatronReading::read_virtual_stages() {
    const std::int64_t layers =
        std::clamp<std::int64_t>(m_launch.shape.layers.value_or(m_named_layers), 0, most_pipeline_layers);
    const bool has_stages = read_stages() || m_hybrid_stages.size() > 1;
    UnevenSplit split{.embedding = flag("--account-for-embedding-in-pipeline-split"),
                      .loss = flag("--account-for-loss-in-pipeline-split"),
                      .first = integer("--decoder-first-pipeline-num-layers"),
                      .last = integer("--decoder-last-pipeline-num-layers")};
    const std::int64_t counted = layers + (split.embedding ? 1 : 0) + (split.loss ? 1 : 0);
    if (!m_launch.hybrid)
        read_chunks(counted);
    check_stages_of_pattern(split);
    const std::int64_t stages = m_pipeline * m_chunks;
    const bool is_uneven = split.embedding || split.loss || split.first || split.last;
    const bool sets_layout = !has_stages && m_pipeline > 1 && layers > 0;
    if (m_dialect == MegatronDialect::megatron_deepspeed) {
        read_deepspeed_stages(sets_layout && m_chunks == 1 ? layers : 0);
    } else if (sets_layout && stages <= most_virtual_stages && is_uneven) {
        const std::vector<std::int64_t> each = uneven_layers(split, layers);
        if (std::accumulate(each.begin(), each.end(), std::int64_t{0}) == layers)
            m_launch.set("/parallelism/layout", each);
        else
            m_launch.options.fault(
                split.first ? own("--decoder-first-pipeline-num-layers") : m_layers_option,
                fmt::format("{} layers cannot be divided over {} stages as the options require", layers, stages));
    } else if (sets_layout && m_launch.shape.layers && layers % stages != 0) {
        m_launch.options.fault(m_layers_option,
                               fmt::format("{} layers are not a multiple of {} pipeline stages", layers, stages));
    }
    m_launch.set("/parallelism/chunks", m_chunks);
    m_launch.set("/parallelism/schedule", m_chunks > 1 ? "interleaved" : "1f1b");
    if (const auto group = integer("--microbatch-group-size-per-virtual-pipeline-stage"); group && m_chunks > 1)
        m_launch.set("/parallelism/group", *group);
    read_zero_bubble();
}

/// ZB-H1 of Megatron-DeepSpeed (megatron/core/pipeline_parallel/deepspeed_zbh1_schedule.py) and what its
/// megatron/arguments.py requires.
void MegatronReading::read_zero_bubble() {
    const char *const option = "--enable-zbh1-pipeline";
    const bool exact = flag("--enable-zbh1-exact-semantics");
    if (!flag(option)) {
        if (exact)
            m_launch.options.fault(own("--enable-zbh1-exact-semantics"), fmt::format("requires {}", option));
        return;
    }
    if (m_dialect != MegatronDialect::megatron_deepspeed || !m_launch.options.has("--deepspeed"))
        m_launch.options.fault(own(option), "requires --deepspeed");
    if (flag("--sequence-parallel"))
        m_launch.options.fault(own(option), "excludes --sequence-parallel");
    if (m_pipeline == 1 || m_chunks > 1)
        return;
    m_launch.set("/parallelism/schedule", "zb-h1");
    if (!exact)
        m_launch.options.assume(
            "/parallelism/schedule", "zb-h1",
            "Megatron-DeepSpeed splits backward passes only where necessary; the plan's schedule splits all");
}

} // namespace meshwright
