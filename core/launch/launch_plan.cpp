// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/launch_plan.h"

#include "catalog/accelerator.h"
#include "catalog/library.h"
#include "plan/plan_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t most_accelerators = 10'000'000;
constexpr std::int64_t usual_node = 8;
constexpr const char *usual_accelerator = "h100-sxm-80gb";
constexpr const char *usual_model = "llama-3.1-8b";

/// Links of a node and between nodes where a file names no network: NVLink and InfiniBand of the accelerator's
/// generation.
struct UsualLinks {
    double node_bytes_per_second;
    double network_bytes_per_second;
};
UsualLinks usual_links(const Accelerator &accelerator) {
    const std::string &architecture = accelerator.architecture;
    if (architecture.starts_with("blackwell"))
        return {900e9, 100e9};
    if (architecture == "ampere")
        return {300e9, 25e9};
    if (architecture == "volta")
        return {150e9, 12.5e9};
    return {450e9, 50e9};
}

/// Fills what a launch leaves open.
class Finisher {
public:
    Finisher(LaunchPlan &launch, const Library &library)
        : m_launch(launch)
        , m_options(launch.options)
        , m_library(library) { }

    Json document() {
        Json document{{"schema", "meshwright.plan/1"}};
        if (!m_launch.name.empty())
            document["name"] = m_launch.name;
        settle_model();
        settle_batch();
        document["cluster"] = cluster();
        document["model"] = m_model;
        if (!m_launch.stack.empty())
            document["stack"] = m_launch.stack;
        settle_run();
        for (const char *part :
             {"parallelism", "batch", "precision", "recompute", "optimizer", "offload", "outer", "run", "faults"})
            if (m_launch.plan.contains(part))
                document[part] = m_launch.plan[part];
        return document;
    }

private:
    std::int64_t degree(const char *name) const {
        return std::clamp<std::int64_t>(m_launch.value(fmt::format("/parallelism/{}", name), 1), 1, most_accelerators);
    }

    void settle_model() {
        if (const auto model =
                model_of(m_launch.shape, m_launch.name.empty() ? "imported model" : m_launch.name, m_options)) {
            m_model = to_json(*model);
            return;
        }
        if (m_launch.model.empty()) {
            m_launch.model = usual_model;
            m_options.assume("/model", usual_model, "the file does not state the model's shape");
        }
        m_model = m_launch.model;
    }

    /// Accelerators: as stated, else what the degrees take.
    std::int64_t accelerators() {
        LaunchMachines &machines = m_launch.machines;
        const std::int64_t others =
            std::min(degree("tensor") * degree("pipeline"), most_accelerators) * degree("context");
        if (!machines.accelerators && machines.nodes && machines.per_node)
            machines.accelerators = *machines.nodes * *machines.per_node;
        if (machines.accelerators && *machines.accelerators >= 1 && *machines.accelerators <= most_accelerators) {
            if (*machines.accelerators % others == 0)
                return *machines.accelerators;
            m_options.fault("accelerators",
                            fmt::format("{} accelerators are not a multiple of tensor x pipeline x context = {}",
                                        *machines.accelerators, others));
        }
        std::int64_t data = std::max<std::int64_t>(1, m_launch.data.value_or(1));
        if (!m_launch.data) {
            // Expert parallelism lies over the ranks of tensor, context and data parallelism.
            const std::int64_t experts = degree("expert") * degree("expert_tensor");
            const std::int64_t ranks = degree("tensor") * degree("context");
            data = std::max<std::int64_t>(1, (experts + ranks - 1) / ranks);
            const std::int64_t node = machines.per_node.value_or(usual_node);
            if (others * data < node && node % others == 0)
                data = node / others;
        }
        const std::int64_t total = std::min(others * data, most_accelerators);
        m_options.assume("/cluster/tiers/1/accelerators", total,
                         m_launch.data
                             ? "the product of the parallel degrees"
                             : "the file does not state the number of accelerators: the fewest that it runs on, "
                               "a whole node at least");
        return total;
    }

    Json cluster() {
        const std::int64_t total = accelerators();
        std::string accelerator = m_launch.machines.accelerator;
        if (accelerator.empty()) {
            accelerator = usual_accelerator;
            m_options.assume("/cluster/accelerator", accelerator, "the file does not name the accelerator");
        }
        std::int64_t node = std::max<std::int64_t>(1, m_launch.machines.per_node.value_or(std::min(usual_node, total)));
        if (!m_launch.machines.per_node)
            m_options.assume("/cluster/accelerators_per_node", node, "the file does not state it");
        if (total % node != 0 || node > total)
            node = total < node ? total : std::max<std::int64_t>(1, std::gcd(total, node));
        const UsualLinks links = usual_links(*m_library.accelerator(accelerator));
        m_options.assume("/cluster/tiers", "NVLink inside a node, InfiniBand between nodes",
                         "launch configurations do not describe the network");
        Json tiers = Json::array();
        tiers.push_back({{"name", "nvlink"},
                         {"accelerators", node},
                         {"bandwidth_bytes_per_second", links.node_bytes_per_second},
                         {"latency_seconds", 3e-6}});
        if (total > node)
            tiers.push_back({{"name", "infiniband"},
                             {"accelerators", total},
                             {"bandwidth_bytes_per_second", links.network_bytes_per_second},
                             {"latency_seconds", 5e-6}});
        const std::int64_t data =
            total / std::max<std::int64_t>(1, degree("tensor") * degree("pipeline") * degree("context"));
        m_data = std::max<std::int64_t>(1, data);
        settle_global_batch();
        return {{"accelerator", accelerator}, {"accelerators_per_node", node}, {"tiers", std::move(tiers)}};
    }

    void settle_batch() {
        if (m_launch.value("/batch/sequence_length", 0) < 1) {
            constexpr std::int64_t usual_length = 4096;
            m_launch.set("/batch/sequence_length", usual_length);
            m_options.assume("/batch/sequence_length", usual_length, "the file does not state it");
        }
        if (m_launch.value("/batch/micro_sequences", 0) < 1) {
            m_launch.set("/batch/micro_sequences", 1);
            m_options.assume("/batch/micro_sequences", 1, "the file does not state it");
        }
    }

    /// Once the number of replicas is known.
    void settle_global_batch() {
        if (m_launch.value("/batch/global_sequences", 0) >= 1)
            return;
        const std::int64_t sequences = m_data * m_launch.value("/batch/micro_sequences", 1) * degree("pipeline");
        m_launch.set("/batch/global_sequences", sequences);
        m_options.assume("/batch/global_sequences", sequences,
                         "the file does not state it: one microbatch per pipeline stage and replica");
    }

    void settle_run() {
        if (m_launch.plan.contains("/run/tokens"_json_pointer))
            return;
        const auto length = static_cast<double>(m_launch.value("/batch/sequence_length", 1));
        const auto batch = static_cast<double>(m_launch.value("/batch/global_sequences", 1));
        if (m_launch.sequences)
            m_launch.set("/run/tokens", *m_launch.sequences * length);
        else if (m_launch.steps)
            m_launch.set("/run/tokens", *m_launch.steps * batch * length);
    }

    LaunchPlan &m_launch;
    OptionList &m_options;
    const Library &m_library;
    Json m_model;
    std::int64_t m_data = 1;
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
    imported.document = Finisher(launch, library).document();
    for (const Diagnostic &problem : read_plan(imported.document, library).diagnostics)
        if (problem.severity == Severity::error)
            launch.options.fault(problem.fields.empty() ? "plan" : problem.fields.front(),
                                 problem.message.text
                                     + (problem.expected.text.empty() ? "" : "; " + problem.expected.text));
    std::move(launch.options).settle(imported);
    return imported;
}

} // namespace meshwright
