// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/launch_plan.h"

#include "catalog/accelerator.h"
#include "catalog/library.h"
#include "launch/assumed_model.h"
#include "launch/hub_names.h"
#include "launch/other_work.h"
#include "plan/plan_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t most_accelerators = 10'000'000;
constexpr std::int64_t usual_length = 4096;
constexpr const char *usual_accelerator = "h100-sxm-80gb";

/// Product of two counts from a file, limited to what a plan accepts.
std::int64_t count_product(std::int64_t a, std::int64_t b) {
    constexpr std::int64_t most = 1'000'000'000'000'000;
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? most : std::min(result, most);
}

/// Completes a plan with defaults for everything that the launch configuration does not state.
class Finisher {
public:
    Finisher(LaunchPlan &launch, const Library &library)
        : m_launch(launch)
        , m_options(launch.options)
        , m_library(library)
        , m_accelerator(library.accelerator(launch.machines.accelerator.empty() ? usual_accelerator
                                                                                : launch.machines.accelerator)) { }

    Json document() {
        Json document{{"schema", "meshwright.plan/1"}};
        if (!m_launch.name.empty())
            document["name"] = m_launch.name;
        settle_model();
        settle_length();
        settle_machines();
        m_launch.set("/parallelism/data", m_data);
        settle_batch();
        settle_shard_groups();
        if (m_launch.adapt_unsharded && m_launch.value("/parallelism/zero_stage", 0) == 0)
            m_launch.adapt_unsharded(m_launch);
        document["cluster"] = cluster();
        document["model"] = m_model;
        if (!m_launch.stack.empty())
            document["stack"] = m_launch.stack;
        settle_run();
        for (const char *part : {"parallelism", "batch", "precision", "recompute", "optimizer", "offload", "outer",
                                 "aggregation", "run", "faults"})
            if (m_launch.plan.contains(part))
                document[part] = m_launch.plan[part];
        if (m_model.is_null()) {
            const AssumedModel assumed = assumed_model(document, name_with_size(), m_library);
            document["model"] = assumed.id;
            m_options.assume("/model", assumed.id, assumed.why);
        }
        if (document["model"].is_string()) // of a preset
            m_options.ignore_fields_below("/model/",
                                          "the plan has a model preset, because the file does not state "
                                          "the model's whole shape");
        return document;
    }

    bool assumes_model() const { return m_model.is_null(); }

private:
    std::int64_t degree(const char *name) const {
        return std::clamp<std::int64_t>(m_launch.value(fmt::format("/parallelism/{}", name), 1), 1, most_accelerators);
    }
    std::int64_t batch(const char *name) const { return m_launch.value(fmt::format("/batch/{}", name), 0); }
    void assume(const char *field, const Json &value, std::string why) {
        m_launch.set(field, value);
        m_options.assume(field, value, std::move(why));
    }

    void settle_model() {
        const std::string name = m_launch.name.empty() ? "imported model" : m_launch.name;
        const auto model = m_launch.hybrid ? hybrid_model_of(*m_launch.hybrid, m_launch.shape, name, m_options)
                                           : model_of(m_launch.shape, name, m_options);
        if (model) {
            m_model = to_json(*model);
            return;
        }
        if (!m_launch.model.empty()) {
            m_model = m_launch.model;
        } else if (is_path(m_launch.model_name)) {
            if (std::string id = preset_of_recipe(m_launch.name, m_library); !id.empty()) {
                m_model = id;
                m_options.assume("/model", std::move(id), "from the file name");
            }
        }
    }

    /// Whether a model's name is empty, a path or a variable, which says nothing about the model: "./checkpoint".
    static bool is_path(const std::string &name) {
        return name.empty() || name.front() == '.' || name.front() == '/' || name.front() == '$';
    }

    /// The name that the file gives the model. If it states no size but the file name does, as in "13b_lora.sh", both.
    std::string name_with_size() const {
        const std::string &stated = m_launch.model_name;
        if (named_parameters(stated) > 0 || named_parameters(m_launch.name) == 0)
            return stated;
        return stated.empty() ? m_launch.name : fmt::format("{}/{}", stated, m_launch.name);
    }

    std::int64_t usual_node() const { return m_accelerator->accelerators_per_node; }

    void settle_length() {
        if (batch("sequence_length") < 1)
            assume("/batch/sequence_length", usual_length, "the file does not state it");
    }

    /// Sets the numbers of accelerators and replicas that the launch configuration states, or else those that the
    /// degrees and the batch require.
    void settle_machines() {
        LaunchMachines &machines = m_launch.machines;
        const auto usable = [](std::optional<std::int64_t> &count) {
            if (count && (*count < 1 || *count > most_accelerators))
                count.reset();
        };
        for (auto *const count : {&machines.accelerators, &machines.nodes, &machines.per_node, &machines.sites,
                                  &m_launch.data, &m_launch.shard_groups, &m_launch.accumulation})
            usable(*count);
        if (machines.nodes && !machines.per_node && !machines.accelerators) {
            machines.per_node = usual_node();
            m_options.assume("/cluster/accelerators_per_node", usual_node(), "the file does not state it");
        }
        const std::int64_t others =
            std::min(count_product(std::min(count_product(degree("tensor"), degree("pipeline")), most_accelerators),
                                   degree("context")),
                     most_accelerators);
        if (machines.one_node && !machines.nodes && !machines.accelerators && machines.per_node)
            settle_one_node(others);
        if (!machines.accelerators && machines.nodes && machines.per_node)
            machines.accelerators = std::min(count_product(*machines.nodes, *machines.per_node), most_accelerators);
        m_counted = machines.accelerators || m_launch.data;
        if (machines.accelerators) {
            m_total = *machines.accelerators;
            m_data = std::max<std::int64_t>(1, m_total / others);
            if (m_total % others == 0 && m_launch.data && *m_launch.data != m_data)
                m_options.fault(
                    "accelerators",
                    fmt::format("{} data-parallel replicas with {} ranks each (tensor x pipeline x context) "
                                "need {} accelerators, but the launch has {}",
                                *m_launch.data, others, count_product(*m_launch.data, others), m_total));
            return; // the planner reports degrees that do not divide the accelerators
        }
        m_data = m_launch.data ? *m_launch.data : chosen_replicas(others);
        m_total = count_product(others, m_data);
        if (m_total > most_accelerators) {
            m_total = others;
            m_data = 1;
        }
        m_options.assume("/cluster/tiers/1/accelerators", m_total,
                         m_launch.data ? "the product of the parallel degrees"
                                       : "the file does not state the number of accelerators; one node, or the minimum "
                                         "that the degrees require, is assumed");
    }

    /// Applies torchrun's default of one node, unless the degrees need more than its processes.
    void settle_one_node(std::int64_t others) {
        LaunchMachines &machines = m_launch.machines;
        if (*machines.per_node % others == 0) {
            machines.nodes = 1;
            m_options.assume("/cluster/tiers/1/accelerators", *machines.per_node,
                             "--nnodes is not set; torchrun's default of one node applies");
            return;
        }
        m_options.fault("--nnodes",
                        fmt::format("not set; torchrun's default of one node has {} ranks, but tensor x pipeline x "
                                    "context = {}",
                                    *machines.per_node, others));
    }

    /// The number of replicas that fills a node and divides the batch, or else the minimum that expert parallelism and
    /// sharding groups need. Expert parallelism spans the ranks of tensor, context and data parallelism.
    std::int64_t chosen_replicas(std::int64_t others) const {
        const std::int64_t experts =
            std::min(count_product(degree("expert"), degree("expert_tensor")), most_accelerators);
        const std::int64_t ranks = std::min(count_product(degree("tensor"), degree("context")), most_accelerators);
        const std::int64_t sharding =
            std::clamp<std::int64_t>(m_launch.value("/parallelism/shard_group", 1), 1, 1'000'000);
        const std::int64_t fewest =
            std::min(std::lcm(std::lcm(experts / std::gcd(experts, ranks), m_launch.shard_groups.value_or(1)),
                              sharding / std::gcd(sharding, degree("context"))),
                     most_accelerators);
        const std::int64_t at_once =
            count_product(std::max<std::int64_t>(1, batch("micro_sequences")), m_launch.accumulation.value_or(1));
        const std::int64_t global = batch("global_sequences");
        const std::int64_t node = m_launch.machines.per_node.value_or(usual_node());
        for (std::int64_t data = node / others; data > fewest; --data)
            if (data % fewest == 0 && node % (others * data) == 0
                && (global < 1 || global % count_product(at_once, data) == 0))
                return data;
        return fewest;
    }

    void settle_batch() {
        const std::int64_t accumulation = m_launch.accumulation.value_or(0);
        const std::int64_t global = batch("global_sequences");
        if (batch("micro_sequences") < 1) {
            const std::int64_t calls = count_product(std::max<std::int64_t>(1, accumulation), m_data);
            const bool divides = accumulation > 0 && global > 0 && global % calls == 0;
            assume("/batch/micro_sequences", divides ? global / calls : 1,
                   divides ? "global batch / (gradient accumulation x data-parallel ranks)"
                           : "the file does not state it");
        }
        const std::int64_t stated = count_product(count_product(batch("micro_sequences"), accumulation), m_data);
        if (global < 1 && accumulation > 0)
            assume("/batch/global_sequences", stated, "micro batch x gradient accumulation x data-parallel ranks");
        else if (global < 1)
            assume("/batch/global_sequences",
                   count_product(count_product(batch("micro_sequences"), m_data), degree("pipeline")),
                   "the file does not state it; one microbatch per pipeline stage and replica is assumed");
        else if (accumulation > 0 && stated != global)
            m_options.fault("/batch/global_sequences",
                            fmt::format("{} is not micro batch {} x gradient accumulation {} x {} data-parallel ranks",
                                        global, batch("micro_sequences"), accumulation, m_data));
    }

    /// Sharding spans the ranks of data and context parallelism.
    void settle_shard_groups() {
        const std::int64_t ranks = count_product(m_data, degree("context"));
        const std::int64_t node = m_launch.machines.per_node.value_or(usual_node());
        if (m_launch.shards_inside_node && m_total % node == 0 && m_total > node)
            m_launch.shard_groups = std::gcd(ranks, m_total / node);
        const std::int64_t groups = m_launch.shard_groups.value_or(1);
        if (!m_launch.unsharded_alone.empty() && m_counted && ranks == groups
            && m_launch.value("/parallelism/zero_stage", 0) > 0) {
            assume("/parallelism/zero_stage", 0, m_launch.unsharded_alone);
            return;
        }
        if (groups <= 1)
            return;
        if (ranks % groups == 0)
            m_launch.set("/parallelism/shard_group", ranks / groups);
        else
            m_options.fault("/parallelism/shard_group",
                            fmt::format("{} sharding groups do not divide data x context = {}", groups, ranks));
    }

    /// Number of accelerators in one NVLink domain, which is a node or, in a rack-scale system, several nodes of a
    /// rack: the maximum number of nodes that divides the site evenly.
    std::int64_t scale_up_domain(std::int64_t node) const {
        if (m_accelerator->link_domain_accelerators <= usual_node())
            return node;
        for (std::int64_t domain = m_accelerator->link_domain_accelerators / node * node; domain > node; domain -= node)
            if (m_total % domain == 0)
                return domain;
        return node;
    }

    Json cluster() {
        const LaunchMachines &machines = m_launch.machines;
        if (machines.accelerator.empty())
            m_options.assume("/cluster/accelerator", m_accelerator->id, "the file does not name the accelerator");
        std::int64_t node = machines.per_node.value_or(std::min(usual_node(), m_total));
        if (!machines.per_node)
            m_options.assume("/cluster/accelerators_per_node", node, "the file does not state it");
        if (m_total % node != 0)
            node = m_total < node ? m_total : std::gcd(m_total, node);
        m_options.assume("/cluster/tiers",
                         scale_up_domain(node) > node ? "NVLink inside a rack, InfiniBand between racks"
                                                      : "NVLink inside a node, InfiniBand between nodes",
                         "launch configurations do not describe the network");
        Json tiers = Json::array();
        const std::int64_t domain = scale_up_domain(node);
        tiers.push_back({{"name", "nvlink"},
                         {"accelerators", domain},
                         {"bandwidth_bytes_per_second", m_accelerator->link_bandwidth_bytes_per_second},
                         {"latency_seconds", 3e-6}});
        if (m_total > domain)
            tiers.push_back({{"name", "infiniband"},
                             {"accelerators", m_total},
                             {"bandwidth_bytes_per_second", m_accelerator->nic_bandwidth_bytes_per_second},
                             {"latency_seconds", 5e-6}});
        Json cluster{{"accelerator", m_accelerator->id}, {"accelerators_per_node", node}, {"tiers", std::move(tiers)}};
        if (machines.sites) {
            cluster["sites"] = *machines.sites;
            cluster["wan"] = {{"uplink_bits_per_second", 10e9},
                              {"downlink_bits_per_second", 10e9},
                              {"full_duplex", true},
                              {"round_trip_seconds", 0.02}};
            m_options.assume("/cluster/wan", "10 Gbit/s each way, a round trip of 20 ms",
                             "launch configurations do not describe the links between sites");
        }
        return cluster;
    }

    void settle_run() {
        if (m_launch.plan.contains("/run/tokens"_json_pointer))
            return;
        const auto length = static_cast<double>(batch("sequence_length"));
        const auto sites = static_cast<double>(m_launch.machines.sites.value_or(1));
        const auto global = static_cast<double>(batch("global_sequences")) * sites;
        if (m_launch.sequences)
            m_launch.set("/run/tokens", *m_launch.sequences * length);
        else if (m_launch.steps)
            m_launch.set("/run/tokens", *m_launch.steps * global * length);
    }

    LaunchPlan &m_launch;
    OptionList &m_options;
    const Library &m_library;
    std::shared_ptr<const Accelerator> m_accelerator;
    Json m_model; ///< null: not known
    std::int64_t m_total = 1; ///< accelerators of a site
    std::int64_t m_data = 1; ///< data-parallel ranks of a site
    bool m_counted = false; ///< whether the launch states the number of accelerators or of data-parallel ranks
};

} // namespace

void LaunchPlan::set(std::string_view field, Json value) {
    plan[Json::json_pointer(std::string(field))] = std::move(value);
}

bool LaunchPlan::integer(std::string_view option, std::string_view field) {
    const auto read = options.integer(option, field);
    if (read)
        set(field, *read);
    return read.has_value();
}

bool LaunchPlan::flag(std::string_view option, std::string_view field) {
    const auto read = options.flag(option, field);
    if (read)
        set(field, *read);
    return read.has_value();
}

std::int64_t LaunchPlan::value(std::string_view field, std::int64_t otherwise) const {
    const Json::json_pointer pointer{std::string(field)};
    return plan.contains(pointer) && plan[pointer].is_number_integer() ? plan[pointer].get<std::int64_t>() : otherwise;
}

Imported finish(LaunchPlan launch, std::string kind, const Library &library) {
    Imported imported;
    imported.kind = std::move(kind);
    imported.what = "plan";
    report_other_work(launch, library);
    Finisher finisher(launch, library);
    imported.document = finisher.document();
    const bool assumes_model = finisher.assumes_model();
    const auto read = read_plan(imported.document, library);
    bool is_rejected = false;
    for (const Diagnostic &error : assumes_model ? errors_of_any_model(imported.document, library) : read.diagnostics) {
        if (error.severity != Severity::error)
            continue;
        is_rejected = true;
        launch.options.fault(error.fields.empty() ? "plan" : error.fields.front(),
                             error.message.text + (error.expected.text.empty() ? "" : "; " + error.expected.text));
    }
    // Errors caused only by the assumed model are not the file's fault, but the plan still needs another model.
    if (!is_rejected && !read.valid())
        launch.options.fault("/model",
                             "the file does not state the model's shape, and no preset matches what it states");
    std::move(launch.options).settle(imported);
    return imported;
}

} // namespace meshwright
