// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/architectures.h"
#include "catalog/constants.h"
#include "catalog/library.h"
#include "catalog/weights.h"
#include "input/field_reader.h"
#include "input/schema_version.h"
#include "plan/aggregation_reading.h"
#include "plan/constraints.h"
#include "plan/layout.h"
#include "plan/outer_reading.h"
#include "plan/plan_json.h"
#include "plan/published_reading.h"
#include "plan/software_rules.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// Reads `key` as a preset's id or as an inline object of the same form. Returns the id, empty for an object.
template <typename Value>
std::string preset_or_object(FieldReader &reader, std::string_view key, Value &value,
                             const std::function<std::shared_ptr<const Value>(const std::string &)> &look_up,
                             const std::function<void(FieldReader &)> &read_object) {
    const Json *found = reader.raw(key);
    if (found == nullptr)
        return {};
    if (!found->is_string()) {
        if (found->is_object())
            reader.object(key, read_object);
        else
            reader.problem(key, "is neither a string nor an object", "expected a preset's id or an inline object");
        return {};
    }
    try {
        const auto id = found->get<std::string>();
        value = *look_up(id);
        return id;
    } catch (const InputError &error) {
        for (Diagnostic diagnostic : error.diagnostics()) {
            diagnostic.fields = {reader.pointer_to(key)};
            reader.problems().push_back(std::move(diagnostic));
        }
    } catch (const FileError &error) {
        reader.problem(key, error.what(), "expected a valid preset");
    }
    return {};
}

void read_cluster(FieldReader &reader, Plan &plan, const Library &library) {
    plan.cluster_id = preset_or_object<Cluster>(
        reader, "cluster", plan.cluster, [&](const std::string &id) { return library.cluster(id); },
        [&](FieldReader &inner) { read_fields(inner, plan.cluster, library); });
}

void read_model(FieldReader &reader, Plan &plan, const Library &library) {
    plan.model_id = preset_or_object<Model>(
        reader, "model", plan.model, [&](const std::string &id) { return library.model(id); },
        [&](FieldReader &inner) { read_fields(inner, plan.model); });
}

/// The default training software is Megatron-Core on GPUs and MaxText on TPUs.
void read_stack(FieldReader &reader, Plan &plan, const Library &library) {
    if (!reader.has("stack")) {
        plan.stack_id = architecture_of(plan.cluster.accelerator.architecture).usual_stack;
        plan.stack = *library.stack(plan.stack_id);
    }
    const std::string id = preset_or_object<Stack>(
        reader, "stack", plan.stack, [&](const std::string &name) { return library.stack(name); },
        [&](FieldReader &inner) { read_fields(inner, plan.stack); });
    if (reader.has("stack"))
        plan.stack_id = id;
    if (const std::string word = unknown_word(plan.stack.can_run); !word.empty())
        reader.problem("stack", fmt::format("can_run contains {}, which plans do not accept", word),
                       "expected schedules, recomputation modes, modules and outer methods, named as in plans");
}

void read_layout_field(FieldReader &reader, Plan &plan) {
    Parallelism &parallelism = plan.parallelism;
    const Json *layout = reader.raw("layout");
    if (layout == nullptr)
        return;
    if (!layout->is_string()) {
        reader.counts("layout", parallelism.layout, 0, 10'000);
        return;
    }
    parallelism.layout_text = layout->get<std::string>();
    try {
        parallelism.layout.clear();
        for (const LayoutStage &stage : read_layout(parallelism.layout_text))
            parallelism.layout.push_back(stage.layers);
    } catch (const InputError &error) {
        reader.problem("layout", error.diagnostics().front().message.text, error.diagnostics().front().expected.text);
    }
}

void read_placement(FieldReader &reader, Parallelism &parallelism) {
    const Json *found = reader.raw("placement");
    if (found == nullptr)
        return;
    std::vector<Dimension> order;
    if (found->is_array())
        for (const Json &item : *found) {
            const auto &names = dimension_names();
            const auto place =
                item.is_string() ? std::find(names.begin(), names.end(), item.get<std::string>()) : names.end();
            const auto dimension = static_cast<Dimension>(place - names.begin());
            if (place == names.end() || std::find(order.begin(), order.end(), dimension) != order.end())
                break;
            order.push_back(dimension);
        }
    if (order.size() != dimension_names().size() || order.size() != found->size())
        reader.problem("placement", "does not list every dimension exactly once",
                       "expected an array of " + listed(dimension_names()) + ", innermost first");
    else
        parallelism.placement = order;
}

void read_parallelism(FieldReader &reader, Plan &plan) {
    Parallelism &parallelism = plan.parallelism;
    bool given_data = false;
    bool given_sequence = false;
    bool given_schedule = false;
    parallelism.zero_stage = plan.stack.default_zero_stage;
    reader.object("parallelism", [&](FieldReader &inner) {
        inner.count("tensor", parallelism.tensor, 1);
        inner.count("context", parallelism.context, 1);
        inner.count("pipeline", parallelism.pipeline, 1, 10'000);
        inner.count("chunks", parallelism.chunks, 1, 10'000);
        inner.count("expert", parallelism.expert, 1);
        inner.count("expert_tensor", parallelism.expert_tensor, 1);
        given_data = inner.count("data", parallelism.data, 1);
        given_sequence = inner.boolean("sequence_parallel", parallelism.sequence_parallel);
        inner.count("zero_stage", parallelism.zero_stage, 0, 3);
        given_schedule = inner.choice("schedule", parallelism.schedule, schedule_names());
        std::int64_t value = 0;
        if (inner.count("group", value, 1))
            parallelism.group = value;
        if (inner.count("shard_group", value, 1))
            parallelism.shard_group = value;
        read_layout_field(inner, plan);
        read_placement(inner, parallelism);
    });
    if (!given_sequence)
        parallelism.sequence_parallel = parallelism.tensor > 1;
    if (!given_schedule)
        parallelism.schedule = parallelism.chunks > 1 ? Schedule::interleaved : Schedule::one_f_one_b;
    if (!given_data) {
        const double others = static_cast<double>(parallelism.tensor) * static_cast<double>(parallelism.context)
            * static_cast<double>(parallelism.pipeline);
        parallelism.data = std::max<std::int64_t>(
            1, static_cast<std::int64_t>(static_cast<double>(plan.site_accelerators()) / others));
    }
}

void read_batch(FieldReader &reader, Plan &plan) {
    Batch &batch = plan.batch;
    bool given_global = false;
    batch.sequence_length =
        plan.model.longest_sequence > 0 ? std::min<std::int64_t>(4096, plan.model.longest_sequence) : 4096;
    reader.object("batch", [&](FieldReader &inner) {
        inner.count("sequence_length", batch.sequence_length, 1, 1'000'000'000);
        inner.count("micro_sequences", batch.micro_sequences, 1, 1'000'000);
        given_global = inner.count("global_sequences", batch.global_sequences, 1);
    });
    // Four microbatches per stage keep the 1F1B bubble below 25%.
    if (!given_global) {
        const double sequences = static_cast<double>(plan.parallelism.data) * static_cast<double>(batch.micro_sequences)
            * static_cast<double>(plan.parallelism.pipeline > 1 ? 4 * plan.parallelism.pipeline : 1);
        batch.global_sequences = static_cast<std::int64_t>(std::min(sequences, static_cast<double>(largest_count)));
    }
}

void read_precision(FieldReader &reader, Plan &plan) {
    Precision &precision = plan.precision;
    const bool has_bf16 = plan.cluster.accelerator.peak_flops_per_second.contains(DataType::bf16);
    precision.compute = has_bf16 ? DataType::bf16 : DataType::fp16;
    bool given_weights = false;
    bool given_master = false;
    precision.gradients = plan.stack.default_gradients;
    precision.moments = plan.stack.default_moments;
    reader.object("precision", [&](FieldReader &inner) {
        inner.choice("compute", precision.compute, data_type_names());
        given_weights = inner.choice("weights", precision.weights, data_type_names());
        inner.choice("gradients", precision.gradients, data_type_names());
        given_master = inner.choice("master", precision.master, data_type_names());
        inner.choice("moments", precision.moments, data_type_names());
        const auto stored = [&](const char *key, DataType type) {
            if (type == DataType::none)
                inner.problem(key, "\"none\" is allowed only for master weights", "expected a number format");
        };
        stored("compute", precision.compute);
        stored("weights", precision.weights);
        stored("gradients", precision.gradients);
        stored("moments", precision.moments);
    });
    if (!given_weights)
        precision.weights = precision.compute == DataType::fp32 || precision.compute == DataType::tf32 ? DataType::fp32
            : precision.compute == DataType::fp16                                                      ? DataType::fp16
                                                                                                       : DataType::bf16;
    if (!given_master)
        precision.master = precision.weights == DataType::fp32 ? DataType::none : plan.stack.default_master;
}

void read_recompute(FieldReader &reader, Plan &plan) {
    reader.object("recompute", [&](FieldReader &inner) {
        inner.choice("mode", plan.recompute.mode, recompute_mode_names());
        inner.count("layers", plan.recompute.layers, 0, 10'000);
        const Json *modules = inner.raw("modules");
        if (modules == nullptr)
            return;
        const auto &known = recompute_module_names();
        const bool good = modules->is_array() && modules->size() <= known.size()
            && std::all_of(modules->begin(), modules->end(), [&](const Json &item) {
                              return item.is_string()
                                  && std::find(known.begin(), known.end(), item.get<std::string>()) != known.end();
                          });
        if (good)
            plan.recompute.modules = modules->get<std::vector<std::string>>();
        else
            inner.problem("modules", "has an unknown module", "expected an array of " + listed(known));
    });
}

void read_optimizer_and_offload(FieldReader &reader, Plan &plan) {
    reader.object("optimizer", [&](FieldReader &inner) {
        inner.choice("name", plan.optimizer.kind, optimizer_names());
        inner.number("momentum", plan.optimizer.momentum, fraction);
        if (plan.optimizer.kind != OptimizerKind::sgd)
            plan.optimizer.momentum = Optimizer{}.momentum;
    });
    reader.object("offload", [&](FieldReader &inner) {
        inner.number("optimizer", plan.offload.optimizer, fraction);
        inner.number("activations", plan.offload.activations, fraction);
        inner.boolean("outer", plan.offload.outer);
    });
}

void read_run(FieldReader &reader, Plan &plan, const Assumptions &assumed) {
    Run &run = plan.run;
    using enum ConstantId;
    const double preset_price = plan.cluster.accelerator.rental_dollars_per_hour;
    run.rental_dollars_per_accelerator_hour = preset_price > 0 ? preset_price : assumed[rental_dollars_per_hour];
    run.energy_dollars_per_kilowatt_hour = assumed[energy_dollars_per_kilowatt_hour];
    run.power_usage_effectiveness = assumed[power_usage_effectiveness];
    run.power_share = assumed[power_share];
    reader.object("run", [&](FieldReader &inner) {
        inner.number("tokens", run.tokens, Range{1, 1e21});
        inner.number("rental_dollars_per_accelerator_hour", run.rental_dollars_per_accelerator_hour, Range{0, 1e6});
        inner.number("energy_dollars_per_kilowatt_hour", run.energy_dollars_per_kilowatt_hour, Range{0, 1e6});
        inner.number("power_usage_effectiveness", run.power_usage_effectiveness, Range{1, 10});
        inner.number("power_share", run.power_share, Range{0.01, 2});
    });
}

void read_faults(FieldReader &reader, Plan &plan, const Assumptions &assumed) {
    Faults &faults = plan.faults;
    using enum ConstantId;
    faults.accelerator_mtbf_seconds = assumed[accelerator_mtbf_seconds];
    faults.recovery_seconds = assumed[recovery_seconds];
    faults.checkpoint_bandwidth_bytes_per_second = assumed[checkpoint_bandwidth];
    reader.object("faults", [&](FieldReader &inner) {
        inner.number("accelerator_mtbf_seconds", faults.accelerator_mtbf_seconds, Range{1, 1e15});
        inner.number("recovery_seconds", faults.recovery_seconds, Range{0, 1e9});
        inner.number("checkpoint_bandwidth_bytes_per_second", faults.checkpoint_bandwidth_bytes_per_second,
                     Range{1, 1e15});
        inner.number("checkpoint_blocking_share", faults.checkpoint_blocking_share, fraction);
        read_site_faults(inner, faults);
        double store = 0;
        if (inner.number("checkpoint_store_bytes_per_second", store, Range{1, 1e18}))
            faults.checkpoint_store_bytes_per_second = store;
        double interval = 0;
        if (inner.number("checkpoint_interval_seconds", interval, Range{1, 1e12}))
            faults.checkpoint_interval_seconds = interval;
    });
}

void read_assumptions(FieldReader &reader, Plan &plan) {
    reader.object("assumptions", [&](FieldReader &inner) {
        for (const Constant &constant : constants()) {
            double value = 0;
            if (inner.number(constant.name, value, Range{constant.low, constant.high}))
                plan.assumptions[std::string(constant.name)] = value;
        }
    });
}

/// Reports accelerator types without a valid preset: the search looks them up by id.
void check_types(std::vector<Diagnostic> &diagnostics, const Constraints &constraints, const Library &library) {
    for (std::size_t i = 0; i < constraints.accelerator_types.size(); ++i) {
        Diagnostic found{.severity = Severity::error,
                         .code = "field",
                         .fields = {fmt::format("/constraints/accelerator_types/{}", i)}};
        try {
            library.accelerator(constraints.accelerator_types[i]);
            continue;
        } catch (const InputError &error) {
            found.message = error.diagnostics().front().message.text;
            found.expected = error.diagnostics().front().expected.text;
        } catch (const FileError &error) {
            found.message = error.what();
            found.expected = "expected a valid preset";
        }
        diagnostics.push_back(std::move(found));
    }
}

void read_kept(FieldReader &reader, PlanReading &reading, const Library &library) {
    const Json *found = reader.raw("constraints");
    if (found == nullptr)
        return;
    // Reads the constraints only to report problems; the search parses `constraints_json` again.
    check_types(reading.diagnostics, read_constraints(reader, "constraints"), library);
    if (found->is_object())
        reading.plan.constraints_json = Json{{"constraints", *found}}.dump();
}

bool model_is_known(const std::vector<Diagnostic> &diagnostics) {
    return std::none_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic &diagnostic) {
        return diagnostic.fields.front().empty() || diagnostic.fields.front().starts_with("/model");
    });
}

/// Default length of the run: Chinchilla's 20 tokens per parameter (arXiv 2203.15556).
void choose_tokens(Plan &plan) {
    if (plan.run.tokens <= 0)
        plan.run.tokens = std::max(1.0, std::round(20 * parameters_of(plan.model).active));
}

/// Whether all sizes that the divisibility checks need could be read. Other fields may have errors.
bool sizes_are_known(const std::vector<Diagnostic> &diagnostics) {
    return std::none_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic &diagnostic) {
        const std::string &field = diagnostic.fields.front();
        return field.empty() || field.starts_with("/cluster") || field.starts_with("/model")
            || field.starts_with("/stack") || field.starts_with("/parallelism") || field.starts_with("/batch");
    });
}

} // namespace

bool PlanReading::valid() const {
    return std::none_of(diagnostics.begin(), diagnostics.end(),
                        [](const Diagnostic &d) { return d.severity == Severity::error; });
}

PlanReading read_plan(const Json &document, const Library &library) {
    PlanReading reading;
    Plan &plan = reading.plan;
    FieldReader reader(document, "", reading.diagnostics);
    std::string schema;
    reader.require("schema", "expected \"meshwright.plan/1\"");
    if (document.is_object() && document.contains("schema") && document["schema"] == "meshwright.card/1") {
        reader.problem("schema",
                       "names a card, not a plan: too little has been published about this run to evaluate it",
                       "expected \"meshwright.plan/1\"");
        return reading;
    }
    if (reader.text("schema", schema) && schema != "meshwright.plan/1")
        reader.problem("schema", schema_fault(schema, "meshwright.plan/1"), "expected \"meshwright.plan/1\"");
    reader.require("cluster", "expected a cluster preset's id, or an object with an accelerator and at least one tier");
    reader.require("model", "expected a model preset's id or a model object");
    reader.text("name", plan.name);
    reader.raw("id"); // only presets have an id
    read_published(reader, plan, document, library);
    reader.raw("snapshots"); // the window's named snapshots; evaluation does not use them
    read_cluster(reader, plan, library);
    read_model(reader, plan, library);
    try {
        read_stack(reader, plan, library);
    } catch (const std::exception &error) {
        reader.problem("stack", error.what(), "expected a training software preset");
    }
    plan.assumptions = measured_constants(plan.cluster);
    read_assumptions(reader, plan);
    const Assumptions assumed(plan.assumptions);
    read_parallelism(reader, plan);
    read_batch(reader, plan);
    read_precision(reader, plan);
    read_recompute(reader, plan);
    read_optimizer_and_offload(reader, plan);
    read_outer(reader, plan);
    read_aggregation(reader, plan);
    read_run(reader, plan, assumed);
    read_faults(reader, plan, assumed);
    read_kept(reader, reading, library);
    reader.finish();
    if (model_is_known(reading.diagnostics))
        choose_tokens(plan);
    if (!sizes_are_known(reading.diagnostics))
        return reading;
    std::vector<Diagnostic> checks = check_plan(plan);
    reading.diagnostics.insert(reading.diagnostics.end(), checks.begin(), checks.end());
    return reading;
}

Plan plan_from_json(const Json &document, const Library &library) {
    PlanReading reading = read_plan(document, library);
    if (!reading.valid())
        throw InputError(std::move(reading.diagnostics));
    return std::move(reading.plan);
}

} // namespace meshwright
