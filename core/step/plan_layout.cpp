// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/plan_layout.h"

#include "memory/memory_model.h"
#include "pipeline/layout_solver.h"
#include "step/executed_pipeline.h"

#include <algorithm>
#include <limits>

namespace meshwright {

namespace {

/// Solves for the pipeline layout and checks its memory. If the layout does not fit, solves again with a tighter
/// budget.
class LayoutSearch {
public:
    explicit LayoutSearch(const Plan &plan)
        : m_plan(plan)
        , m_assumed(plan.assumptions)
        , m_layers(plan, m_assumed) {
        const auto stages = static_cast<std::size_t>(plan.virtual_stages());
        m_problem.budget_bytes.assign(stages, std::numeric_limits<double>::infinity());
        loads();
    }

    PlannedLayout find() {
        if (!is_layout_searched(m_plan))
            return own();
        PlannedLayout found = make(solve_layout(m_problem)->layers); // without a budget, there is always a solution
        for (int tries = 0; tries < 4 && !found.fits; ++tries) {
            limit_bytes();
            const std::optional<LayoutSolution> smaller = solve_layout(m_problem);
            if (!smaller)
                break;
            found = make(smaller->layers);
        }
        found.present_seconds = slowest(pipeline_costs(m_plan, m_layers));
        return found;
    }

private:
    PlannedLayout own() {
        PlannedLayout found = make(stage_layers(m_plan));
        found.present_seconds = found.slowest_seconds;
        return found;
    }

    void loads() {
        const bool all = m_plan.recompute.mode == RecomputeMode::full;
        for (const LayerRun &run : m_plan.model.layers)
            for (std::int64_t i = 0; i < run.count; ++i) {
                const BlockCost &block = m_layers.of_block(static_cast<std::size_t>(run.block));
                m_costs.push_back(all ? &block.recomputed : &block.stored);
                m_problem.layers.push_back({.seconds = m_costs.back()->seconds()});
                if (m_plan.recompute.mode == RecomputeMode::layers)
                    m_problem.recomputed.push_back({.seconds = block.recomputed.seconds()});
            }
        m_problem.recomputed_layers = m_plan.recompute.layers;
        m_problem.first.seconds = m_layers.embedding().seconds();
        const auto modules = static_cast<double>(m_plan.model.mtp_layers);
        m_problem.last.seconds = (1 + modules) * m_layers.head().seconds()
            + (modules > 0 ? modules * m_layers.prediction_module().seconds() : 0);
    }

    static double slowest(const PipelineCosts &costs) {
        double seconds = 0;
        for (const StageCost &stage : costs.stages)
            seconds = std::max(seconds, stage.cost.seconds());
        return seconds;
    }

    PlannedLayout make(const std::vector<std::int64_t> &layers) {
        Plan changed = m_plan;
        changed.parallelism.layout = layers;
        m_stage_costs = pipeline_costs(changed, m_layers);
        const std::optional<ExecutedOrder> order = executed_order(changed, m_layers, m_stage_costs);
        m_memory = memory_of_ranks(changed, m_layers, m_stage_costs, m_assumed, order ? &*order : nullptr);
        const double capacity = m_plan.cluster.accelerator.memory_bytes;
        return {.layers = layers,
                .text = layout_text(m_plan, layers),
                .slowest_seconds = slowest(m_stage_costs),
                .fits = std::all_of(m_memory.begin(), m_memory.end(),
                                    [capacity](const RankMemory &memory) { return memory.total_bytes() <= capacity; })};
    }

    /// Splits a rank's memory into that of its layers and all other memory, as in the most recently solved layout. The
    /// rank's virtual stages share the remaining capacity.
    void limit_bytes() {
        m_problem.layer_bytes.assign(m_problem.budget_bytes.size(), {});
        for (std::size_t r = 0; r < m_memory.size(); ++r) {
            const RankMemory &memory = m_memory[r];
            const RankCost &rank = m_stage_costs.ranks[r];
            const double states =
                memory.weights_bytes + memory.gradients_bytes + memory.master_bytes + memory.moments_bytes;
            const double of_parameter = states / std::max(1.0, rank.cost.parameters.total());
            const double of_saved = memory.activations_bytes / std::max(1.0, rank.cost.saved_bytes);
            double of_layers = 0;
            for (const std::int64_t s : rank.stages) {
                std::vector<double> &bytes = m_problem.layer_bytes[static_cast<std::size_t>(s)];
                for (const LayerCost *layer : m_costs)
                    bytes.push_back(of_parameter * layer->parameters.total() + of_saved * layer->saved_bytes);
                const StageCost &stage = m_stage_costs.stages[static_cast<std::size_t>(s)];
                for (std::int64_t i = 0; i < stage.layers; ++i)
                    of_layers += bytes[static_cast<std::size_t>(stage.first_layer + i)];
            }
            const double rest = memory.total_bytes() - of_layers;
            const double left = m_plan.cluster.accelerator.memory_bytes - rest;
            for (const std::int64_t s : rank.stages)
                m_problem.budget_bytes[static_cast<std::size_t>(s)] = left / static_cast<double>(rank.stages.size());
        }
        // Recomputation never increases the bytes that a layer saves for backward.
        for (std::size_t i = 0; i < m_problem.recomputed.size(); ++i)
            m_problem.recomputed[i].bytes = m_problem.layer_bytes.front()[i];
    }

    const Plan &m_plan;
    Assumptions m_assumed;
    LayerCosts m_layers;
    std::vector<const LayerCost *> m_costs;
    LayoutProblem m_problem;
    PipelineCosts m_stage_costs; ///< stage costs of the most recently solved layout
    std::vector<RankMemory> m_memory;
};

} // namespace

std::string layout_text(const Plan &plan, const std::vector<std::int64_t> &layers) {
    std::vector<LayoutStage> stages;
    for (const std::int64_t count : layers)
        stages.push_back({.layers = count});
    stages.front().embedding = true;
    stages.back().prediction_modules = plan.model.mtp_layers;
    stages.back().loss = true;
    return write_layout(stages);
}

bool is_layout_searched(const Plan &plan) {
    constexpr std::int64_t max_pairs = 4'000'000;
    return plan.virtual_stages() <= max_pairs / std::max<std::int64_t>(1, plan.model.layer_count());
}

PlannedLayout best_layout(const Plan &plan) {
    return LayoutSearch(plan).find();
}

} // namespace meshwright
