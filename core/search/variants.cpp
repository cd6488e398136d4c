// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/variants.h"

#include "catalog/library.h"
#include "input/diagnostic.h"
#include "plan/software_rules.h"
#include "plan/valid_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace meshwright {

namespace {

using Plans = std::vector<Plan>;
using Edit = std::function<void(Plan &)>;

constexpr std::size_t max_variant_bytes = 100u << 20;

/// Approximate memory of a copy of the plan.
std::size_t bytes_of(const Plan &plan) {
    std::size_t bytes = sizeof(Plan) + plan.constraints_json.size() + plan.model.blocks.size() * sizeof(Block)
        + plan.model.layers.size() * sizeof(LayerRun) + plan.cluster.own_runs.size() * sizeof(OwnRun);
    for (const Tier &tier : plan.cluster.tiers)
        bytes += sizeof(Tier) + tier.bus_bandwidth.size() * sizeof(BusBandwidth);
    if (plan.cluster.wan) {
        bytes += plan.cluster.wan->rate_trace.size() * sizeof(RatePoint);
        for (const WanGroup &group : plan.cluster.wan->groups)
            bytes += sizeof(WanGroup) + group.rate_trace.size() * sizeof(RatePoint);
    }
    return bytes;
}

/// The unchanged plans, followed by every combination of a plan and an edit that changes it.
class Variants {
public:
    explicit Variants(const Plan &plan)
        : m_plans{plan}
        , m_most(std::clamp<std::size_t>(max_variant_bytes / bytes_of(plan), 1, max_variants)) { }

    Plan &first() { return m_plans.front(); }
    void multiply(const std::vector<Edit> &edits) {
        const std::size_t count = m_plans.size();
        for (const Edit &edit : edits)
            for (std::size_t i = 0; i < count; ++i) {
                Plan changed = m_plans[i];
                edit(changed);
                if (changed == m_plans[i])
                    continue;
                if (m_plans.size() == m_most) {
                    m_is_whole = false;
                    return;
                }
                m_plans.push_back(std::move(changed));
            }
    }
    SearchVariants take() { return {.plans = std::move(m_plans), .is_whole = m_is_whole}; }

private:
    Plans m_plans;
    std::size_t m_most;
    bool m_is_whole = true;
};

std::vector<std::int64_t> sizes(const Plan &plan, const Constraints &constraints, Objective objective) {
    if (constraints.accelerators)
        return constraints.accelerators->values();
    if (objective != Objective::accelerators || plan.cluster.tiers.empty())
        return {};
    // Smaller numbers of nodes that split evenly: every divisor of the current number.
    const std::int64_t node = std::clamp<std::int64_t>(plan.cluster.accelerators_per_node, 1, plan.site_accelerators());
    if (plan.site_accelerators() % node != 0)
        return {};
    std::vector<std::int64_t> all = divisors(plan.site_accelerators() / node);
    for (std::int64_t &nodes : all)
        nodes *= node;
    return all;
}

void multiply_clusters(Variants &variants, const Constraints &constraints, Objective objective,
                       const Library &library) {
    std::vector<Edit> types;
    for (std::size_t i = 0; i < constraints.accelerator_types.size(); ++i) {
        const std::string &id = constraints.accelerator_types[i];
        std::shared_ptr<const Accelerator> accelerator;
        try {
            accelerator = library.accelerator(id);
        } catch (const std::exception &) {
            throw InputError(fmt::format("/constraints/accelerator_types/{}", i),
                             fmt::format("unknown accelerator \"{}\"", id),
                             "expected the id of an accelerator preset, as listed by `meshwright-cli presets`");
        }
        types.emplace_back([accelerator](Plan &plan) { set_accelerator(plan, *accelerator); });
    }
    variants.multiply(types);
    std::vector<Edit> counts;
    for (const std::int64_t size : sizes(variants.first(), constraints, objective))
        if (takes_size(variants.first(), size))
            counts.emplace_back([size](Plan &plan) { resize_site(plan, size); });
    variants.multiply(counts);
}

void multiply_formats(Variants &variants) {
    std::vector<Edit> edits;
    const auto compute = [&](DataType type) {
        edits.emplace_back([type](Plan &plan) {
            if (plan.cluster.accelerator.supports(type))
                plan.precision.compute = type;
        });
    };
    compute(DataType::bf16);
    compute(DataType::fp8);
    variants.multiply(edits);
    variants.multiply({[](Plan &plan) { plan.precision.gradients = DataType::bf16; }});
    variants.multiply({[](Plan &plan) { plan.precision.moments = DataType::bf16; }});
}

void multiply_placements(Variants &variants) {
    std::vector<Edit> edits;
    std::vector<Dimension> order = Parallelism{}.placement;
    std::sort(order.begin(), order.end());
    do {
        edits.emplace_back([order](Plan &plan) { plan.parallelism.placement = order; });
    } while (std::next_permutation(order.begin(), order.end()));
    variants.multiply(edits);
}

} // namespace

void resize_site(Plan &plan, std::int64_t accelerators) {
    std::vector<Tier> &tiers = plan.cluster.tiers;
    while (tiers.size() > 1 && tiers[tiers.size() - 2].accelerators >= accelerators)
        tiers.pop_back();
    tiers.back().accelerators = accelerators;
    plan.cluster_id.clear();
}

bool takes_size(const Plan &plan, std::int64_t accelerators) {
    return std::all_of(plan.cluster.tiers.begin(), plan.cluster.tiers.end() - 1, [&](const Tier &tier) {
        return tier.accelerators >= accelerators || accelerators % tier.accelerators == 0;
    });
}

void set_accelerator(Plan &plan, const Accelerator &accelerator) {
    plan.cluster.accelerator = accelerator;
    plan.cluster.accelerator_id = accelerator.id;
    plan.cluster_id.clear();
    if (accelerator.link_bandwidth_bytes_per_second > 0 && !plan.cluster.tiers.empty())
        plan.cluster.tiers.front().bandwidth_bytes_per_second = accelerator.link_bandwidth_bytes_per_second;
    if (accelerator.rental_dollars_per_hour > 0)
        plan.run.rental_dollars_per_accelerator_hour = accelerator.rental_dollars_per_hour;
}

const std::vector<std::string> &objective_names() {
    static const std::vector<std::string> names{"time", "cost", "accelerators", "tokens-per-dollar", "energy"};
    return names;
}

SearchVariants search_variants(const Plan &plan, const Constraints &constraints, Objective objective,
                               const Library &library) {
    Variants variants(plan);
    Parallelism &parallelism = variants.first().parallelism;
    parallelism.group.reset();
    parallelism.shard_group.reset();
    parallelism.layout.clear();
    parallelism.layout_text.clear();
    if (!constraints.any_software)
        make_settings_runnable(variants.first());
    multiply_clusters(variants, constraints, objective, library);
    if (constraints.global_sequences) {
        std::vector<Edit> edits;
        for (const std::int64_t sequences : constraints.global_sequences->values())
            edits.emplace_back([sequences](Plan &changed) { changed.batch.global_sequences = sequences; });
        variants.multiply(edits);
    }
    if (constraints.searches(SearchOption::precision))
        multiply_formats(variants);
    if (constraints.searches(SearchOption::offload) && plan.cluster.accelerator.host_memory_bytes > 0)
        variants.multiply({[](Plan &changed) { changed.offload.optimizer = 1; },
                           [](Plan &changed) { changed.offload.activations = 1; }});
    if (constraints.searches(SearchOption::placement))
        multiply_placements(variants);
    SearchVariants all = variants.take();
    if (!constraints.any_software)
        std::erase_if(all.plans, [](const Plan &variant) { return !runs_settings(variant); });
    return all;
}

} // namespace meshwright
