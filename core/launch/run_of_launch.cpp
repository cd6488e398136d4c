// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/run_of_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace meshwright {

namespace {

using RunJson = nlohmann::ordered_json;

struct FieldColumn {
    std::string_view pointer;
    std::string_view column;
};
constexpr std::array field_columns{FieldColumn{"/model/layers", "layers"},
                                   FieldColumn{"/model/hidden", "hidden"},
                                   FieldColumn{"/model/blocks/0/mixer/heads", "heads"},
                                   FieldColumn{"/model/blocks/0/mixer/kv_heads", "kv_heads"},
                                   FieldColumn{"/model/blocks/0/mixer/head_dim", "head_dim"},
                                   FieldColumn{"/model/blocks/0/transform/hidden", "ffn_hidden"},
                                   FieldColumn{"/model/blocks/0/transform/gated", "gated_mlp"},
                                   FieldColumn{"/model/blocks/0/transform/experts", "experts"},
                                   FieldColumn{"/model/blocks/0/transform/experts_per_token", "experts_per_token"},
                                   FieldColumn{"/model/vocabulary", "vocabulary"},
                                   FieldColumn{"/model/tied_embeddings", "tied_embeddings"},
                                   FieldColumn{"/cluster/accelerator", "accelerator"},
                                   FieldColumn{"/cluster/tiers/1/accelerators", "accelerators"},
                                   FieldColumn{"/cluster/accelerators_per_node", "accelerators_per_node"},
                                   FieldColumn{"/parallelism/tensor", "tensor"},
                                   FieldColumn{"/parallelism/pipeline", "pipeline"},
                                   FieldColumn{"/parallelism/chunks", "chunks"},
                                   FieldColumn{"/parallelism/context", "context"},
                                   FieldColumn{"/parallelism/expert", "expert"},
                                   FieldColumn{"/parallelism/expert_tensor", "expert_tensor"},
                                   FieldColumn{"/parallelism/data", "data"},
                                   FieldColumn{"/parallelism/zero_stage", "zero_stage"},
                                   FieldColumn{"/parallelism/shard_group", "shard_group"},
                                   FieldColumn{"/parallelism/schedule", "schedule"},
                                   FieldColumn{"/parallelism/sequence_parallel", "sequence_parallel"},
                                   FieldColumn{"/batch/micro_sequences", "micro_batch"},
                                   FieldColumn{"/batch/global_sequences", "global_batch"},
                                   FieldColumn{"/batch/sequence_length", "sequence_length"},
                                   FieldColumn{"/precision/compute", "precision"},
                                   FieldColumn{"/precision/gradients", "optimizer"},
                                   FieldColumn{"/optimizer/name", "optimizer"},
                                   FieldColumn{"/recompute/mode", "recompute"},
                                   FieldColumn{"/recompute/layers", "recompute_detail"},
                                   FieldColumn{"/recompute/modules", "recompute_detail"},
                                   FieldColumn{"/offload/activations", "offload"}};

class RunColumns {
public:
    RunColumns(const LaunchPlan &launch, MeasuredDocument &run)
        : m_launch(launch)
        , m_run(run) { }

    void set() {
        set_shape();
        for (const auto &[pointer, column] : field_columns)
            if (pointer.starts_with("/parallelism/") || pointer.starts_with("/batch/")
                || pointer == "/precision/compute")
                add(column, field(pointer));
        set_recompute();
        set_optimizer();
        const LaunchMachines &machines = m_launch.machines;
        add("accelerators", machines.accelerators);
        add("accelerators_per_node", machines.per_node);
        add("data", m_launch.data);
        if (!machines.accelerator.empty())
            add("accelerator", RunJson(machines.accelerator));
    }

private:
    RunJson field(std::string_view pointer) const {
        const RunJson::json_pointer at{std::string(pointer)};
        return m_launch.plan.contains(at) ? m_launch.plan[at] : RunJson();
    }

    void add(std::string_view column, RunJson value) {
        const std::string at = "/" + std::string(column);
        if (value.is_boolean())
            value = value.get<bool>() ? 1 : 0;
        if (!value.is_null() && m_run.find(at) == nullptr)
            m_run.set(at, std::move(value));
    }
    template <typename Number>
    void add(std::string_view column, const std::optional<Number> &value) {
        if (value)
            add(column, RunJson(*value));
    }

    void set_shape() {
        const ModelShape &shape = m_launch.shape;
        if (!shape.layers || !shape.hidden)
            return;
        add("layers", shape.layers);
        add("hidden", shape.hidden);
        add("heads", shape.heads);
        add("kv_heads", shape.kv_heads ? shape.kv_heads : shape.heads);
        add("head_dim", shape.head_dim);
        add("ffn_hidden", shape.feed_forward);
        add("gated_mlp", RunJson(shape.gated));
        add("vocabulary", shape.vocabulary);
        add("tied_embeddings", RunJson(shape.tied_embeddings));
        if (shape.latent.kv_rank)
            add("attention", RunJson("MLA"));
        if (shape.experts.value_or(0) < 1)
            return;
        add("experts", shape.experts);
        add("experts_per_token", RunJson(shape.experts_per_token));
        add("expert_ffn_hidden", shape.expert_hidden ? shape.expert_hidden : shape.feed_forward);
        if (shape.shared_hidden > 0 && shape.expert_hidden && *shape.expert_hidden > 0)
            add("shared_experts", RunJson(shape.shared_hidden / *shape.expert_hidden));
        add("dense_layers", RunJson(std::count(shape.has_experts.begin(), shape.has_experts.end(), false)));
    }

    void set_recompute() {
        const RunJson mode = field("/recompute/mode");
        if (!mode.is_string())
            return;
        const auto word = mode.get<std::string>();
        add("recompute", RunJson(word == "layers" ? "full" : word == "modules" ? "selective" : word));
        if (const RunJson layers = field("/recompute/layers"); !layers.is_null())
            add("recompute_detail", RunJson(fmt::format("{} layers per stage", value_text(layers))));
        if (const RunJson modules = field("/recompute/modules"); modules.is_array() && !modules.empty())
            add("recompute_detail", RunJson(value_text(modules)));
    }

    void set_optimizer() {
        const RunJson gradients = field("/precision/gradients");
        const RunJson name = field("/optimizer/name");
        if (gradients.is_string())
            add("optimizer",
                RunJson(fmt::format("{}, {} gradients", name.is_string() ? name.get<std::string>() : "adamw",
                                    gradients.get<std::string>())));
    }

    const LaunchPlan &m_launch;
    MeasuredDocument &m_run;
};

} // namespace

std::string_view run_column_of_field(std::string_view pointer) {
    const auto found = std::find_if(field_columns.begin(), field_columns.end(),
                                    [&](const FieldColumn &each) { return each.pointer == pointer; });
    return found == field_columns.end() ? std::string_view() : found->column;
}

void set_run_columns(LaunchPlan launch, MeasuredDocument &run, std::string (*spelled)(const std::string &option)) {
    RunColumns(launch, run).set();
    Imported account;
    std::move(launch.options).settle(account);
    std::size_t others = account.ignored.size();
    for (const UnderstoodOption &option : account.understood)
        if (const std::string_view column = run_column_of_field(option.field); !column.empty())
            run.understand(spelled(option.option), option.value, "/" + std::string(column));
        else
            ++others;
    for (const AssumedField &field : account.assumed)
        if (const std::string_view column = run_column_of_field(field.field); !column.empty())
            if (const RunJson *const value = run.find("/" + std::string(column)))
                run.assume("/" + std::string(column), *value, field.why);
    for (const LaunchFault &fault : account.faults)
        run.fault(spelled(fault.option), fault.why);
    if (others > 0)
        run.ignore("other arguments", fmt::format("{} of them", others),
                   "no matching column in measured runs, or no effect on time and memory");
}

} // namespace meshwright
