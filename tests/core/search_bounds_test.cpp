// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/bounds.h"

#include "brute_force.h"
#include "search/pieces.h"
#include "search/rank_memory_bound.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace meshwright {
namespace {

/// Checks that each bound used for pruning holds for all configurations that the bound covers.
class Claims {
public:
    explicit Claims(const Plan &plan)
        : m_plan(plan)
        , m_constraints(constraints_of(plan))
        , m_space(plan, m_constraints, {plan}, {})
        , m_values(m_space.values())
        , m_variant{.plan = &m_plan,
                    .assumed = Assumptions(plan.assumptions),
                    .scorer = Scorer(plan, Objective::time, m_constraints),
                    .kernels = std::make_shared<KernelTable>(plan, m_variant.assumed)} { }

    void hold() {
        for (const ShapeFamily &family : m_space.families()) {
            Plan scratch = m_plan;
            m_of_family = min_step_seconds(family, m_space, m_values, m_variant, scratch);
            for (const Piece &piece : m_space.pieces_of(family))
                of_piece(piece);
        }
    }

private:
    void of_piece(const Piece &piece) {
        const KernelShape &kernel_shape = piece.kernel_shape;
        Plan scratch = m_plan;
        m_of_shape = ShapeSearch(m_space, m_values, m_variant, kernel_shape, scratch).min_step_seconds();
        for (const PipelineUnit *unit : piece.units)
            for (const RecomputeMode recompute : m_space.recomputes())
                of_unit(kernel_shape, *unit, recompute);
    }

    void of_unit(const KernelShape &kernel_shape, const PipelineUnit &unit, RecomputeMode recompute) {
        Plan plan = m_plan;
        apply(configuration_of(kernel_shape, unit.pipeline, unit.data, {}, {0, 0},
                               recompute == RecomputeMode::layers ? RecomputeMode::none : recompute),
              plan);
        const LayerCosts layers(plan, m_variant.assumed);
        const RankCosts ranks(plan, layers, recompute == RecomputeMode::full);
        const double hop = stage_hop_seconds(plan, layers);
        RankMemoryBound lean(plan, layers, ranks.all(), recompute);
        const ActivationBound held = activation_bound(plan, *unit.schedules);
        for (const ScheduleChoice &choice : *unit.schedules)
            for (std::size_t i = 0; i < unit.shardings->size(); ++i) {
                apply(configuration_of(kernel_shape, unit.pipeline, unit.data, choice, (*unit.shardings)[i], recompute),
                      plan);
                const StageRuns &runs = *choice.runs;
                lean.forget_ends();
                const LongestRank longest(plan, ranks, runs, hop, straggler());
                const double pipeline = longest.pipeline_seconds(plan);
                const double apart =
                    longest.unoverlapped_seconds(plan, layers, data_rings(plan, layers), m_variant.assumed);
                const std::int64_t most = recompute == RecomputeMode::layers ? runs.most - 1 : 0;
                for (std::int64_t recomputed = most > 0 ? 1 : 0; recomputed <= most; ++recomputed) {
                    plan.recompute.layers = recomputed;
                    const Found true_one = found(plan);
                    RC_ASSERT(just_below * m_of_family <= true_one.step_seconds);
                    RC_ASSERT(just_below * m_of_shape <= true_one.step_seconds);
                    RC_ASSERT(just_below * (pipeline + apart) <= true_one.step_seconds);
                    of_memory(plan, layers, lean, choice, held, runs, true_one);
                    if (recompute == RecomputeMode::layers)
                        RC_ASSERT(
                            just_below
                                * (pipeline + recompute_seconds(plan, lean, runs, runs.fullest[longest.kind()].stages))
                            <= true_one.step_seconds);
                }
            }
    }

    double straggler() const { return straggler_of<double>(m_plan, m_variant.assumed); }

    double recompute_seconds(const Plan &plan, const RankMemoryBound &lean, const StageRuns &runs,
                             const std::vector<StagePlace> &stages) const {
        return static_cast<double>(plan.microbatches()) * straggler()
            * lean.recompute_seconds(runs, stages, plan.recompute.layers);
    }

    void of_memory(const Plan &plan, const LayerCosts &layers, RankMemoryBound &lean, const ScheduleChoice &choice,
                   const ActivationBound &held, const StageRuns &runs, const Found &true_one) const {
        const Assumptions &assumed = m_variant.assumed;
        RC_ASSERT(just_below * lean.mean_rank_bytes(plan, layers, choice, assumed) <= true_one.peak_bytes);
        for (const RankMemoryBound::End end : {RankMemoryBound::End::first, RankMemoryBound::End::last}) {
            const double bytes =
                just_below * lean.end_rank_bytes(plan, layers, runs, end, plan.recompute.layers, assumed);
            RC_ASSERT(bytes <= true_one.peak_bytes);
        }
        Plan any_schedule = plan;
        any_schedule.parallelism.schedule = Schedule::one_f_one_b;
        any_schedule.parallelism.chunks = 1;
        any_schedule.parallelism.layout.clear();
        RC_ASSERT(just_below * lean.min_first_rank_bytes(any_schedule, layers, held, assumed) <= true_one.peak_bytes);
        RC_ASSERT(just_below * lean.min_mean_rank_bytes(any_schedule, layers, held, assumed) <= true_one.peak_bytes);
    }

    const Plan &m_plan;
    Constraints m_constraints;
    ConfigurationSpace m_space;
    FieldValues m_values;
    ShapeSearch::Variant m_variant;
    double m_of_family = 0; ///< lower bound of the step time in seconds
    double m_of_shape = 0;
};

RC_GTEST_PROP(Bounds, NeverExceedWhatTheyBound, ()) {
    const std::optional<Plan> plan = small_space(*rc::gen::element<std::int64_t>(24, 72));
    RC_PRE(plan.has_value());
    Claims(*plan).hold();
}

} // namespace
} // namespace meshwright
