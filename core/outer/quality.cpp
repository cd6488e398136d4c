// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/quality.h"

#include "catalog/constants.h"
#include "formulas/outer_loop.h"
#include "formulas/scaling_laws.h"
#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace meshwright {

namespace {

bool is_diloco(const Plan &plan) {
    return plan.outer.method == OuterMethod::diloco || plan.outer.method == OuterMethod::streaming_diloco;
}

/// Lists the limits of published runs that the plan exceeds: replicas, parameters, inner steps, overlap, sparsity and
/// number of bits.
std::vector<Sentence> outside_evidence(const Plan &plan, double parameters) {
    const Outer &outer = plan.outer;
    std::vector<Sentence> outside;
    constexpr double fitted_parameters = 10e9;
    if (plan.cluster.sites > 8)
        outside.push_back(fmt::format("{} replicas; loss laws were fitted with up to 8 (arXiv 2503.09799), and runs "
                                      "with up to 20 were reported (arXiv 2603.08163)",
                                      plan.cluster.sites));
    if (parameters > fitted_parameters)
        outside.push_back(
            fmt::format("{:.3g} parameters; loss laws were checked up to 1e10 (arXiv 2503.09799)", parameters));
    if (outer.inner_steps > 500)
        outside.push_back(fmt::format("{} inner steps; up to 500 are common, and 1,000 raise perplexity by 2.9% at "
                                      "150M parameters (arXiv 2311.08105)",
                                      outer.inner_steps));
    if (outer.overlap_steps > 10)
        outside.push_back(fmt::format("an overlap of {} steps; overlaps of up to 10 steps raise the loss by less than "
                                      "0.2% at 500M parameters (arXiv 2501.18512)",
                                      outer.overlap_steps));
    if (outer.up.density < 1 && outer.up.bits > 2)
        outside.push_back(filled(
            "sparse updates with {} bits per value at a density of {}; published runs used 2 bits with sparse updates "
            "(arXiv 2508.15706) and 4 bits with dense updates (arXiv 2501.18512)",
            fmt::format("{:g}", outer.up.bits),
            Sentence{exact_text(outer.up.density, Quantity::share), FieldPointer("/outer/up/density")}));
    if (outer.up.density >= 1 && outer.up.bits < 4)
        outside.push_back(fmt::format("dense updates with {:g} bits per value; published runs used 4 with AdamW (arXiv "
                                      "2501.18512) and 2 with Muon (arXiv 2505.23725)",
                                      outer.up.bits));
    if (outer.down.bits < 4)
        outside.push_back(
            fmt::format("averaged updates sent back with {:g} bits per value; published runs used 4 (arXiv 2501.18512)",
                        outer.down.bits));
    if (outer.down.density < 1)
        outside.emplace_back("the average is sparsified before it is sent back");
    return outside;
}

std::vector<std::string> warnings(const Plan &plan) {
    const Outer &outer = plan.outer;
    std::vector<std::string> found;
    if (outer.up.density < 1 && !outer.error_feedback)
        found.emplace_back(
            "sparse updates performed significantly worse without error feedback (arXiv 2501.18512, figure 11)");
    if (outer.up.bits < 4 && !outer.error_feedback)
        found.emplace_back("updates with fewer than four bits need error feedback (arXiv 2505.23725, 2604.21428)");
    return found;
}

/// Optimal outer learning rates for 1, 2, 4 and 8 replicas, for models of at least 335M parameters (arXiv 2503.09799,
/// table 4); 0.4 for Streaming DiLoCo (arXiv 2501.18512, section 3); 0.7 for DiLoCo (arXiv 2311.08105).
Suggestion learning_rate(const Plan &plan) {
    constexpr std::array<std::pair<std::int64_t, double>, 4> best{{{1, 0.4}, {2, 0.6}, {4, 0.6}, {8, 0.8}}};
    const std::int64_t replicas = plan.cluster.sites;
    auto row = std::find_if(best.rbegin(), best.rend(), [&](const auto &known) { return known.first <= replicas; });
    Suggestion rate{.value = row == best.rend() ? best.front().second : row->second,
                    .low = 0.4,
                    .high = 1,
                    .source = "optimal rates in arXiv 2503.09799: 0.4, 0.6, 0.6 and 0.8 for 1, 2, 4 and 8 replicas, "
                              "higher with more inner steps; other papers use 0.7 (arXiv 2311.08105), 0.4 (arXiv "
                              "2501.18512), and 1, later 0.65 (arXiv 2603.08163)"};
    if (plan.outer.method == OuterMethod::streaming_diloco && replicas <= 2)
        rate.value = 0.4;
    return rate;
}

} // namespace

LossPenalty loss_penalty(const Plan &plan, double parameters) {
    if (!is_diloco(plan) || plan.cluster.sites < 2)
        return {};
    const Assumptions assumed(plan.assumptions);
    using enum ConstantId;
    const auto growth = [&](ConstantId step_slope) {
        return formula::loss_penalty(parameters, static_cast<double>(plan.cluster.sites),
                                     static_cast<double>(plan.outer.inner_steps), assumed[replica_loss_slope],
                                     assumed[replica_loss_exponent], assumed[replica_loss_offset], assumed[step_slope]);
    };
    return {.low = growth(inner_steps_loss_low), .high = growth(inner_steps_loss_high)};
}

OuterQuality outer_quality(const Plan &plan, double parameters, double flops) {
    OuterQuality quality;
    if (!is_diloco(plan))
        return quality;
    quality.penalty = loss_penalty(plan, parameters);
    quality.penalty_source =
        "effect of replicas: fit to arXiv 2503.09799 (35M to 2.4B parameters, up to 8 replicas, 30 inner steps); "
        "effect of inner steps: fit to arXiv 2501.18512, table 6 (no effect with few steps); compression is not "
        "included";
    quality.outside_evidence = outside_evidence(plan, parameters);
    quality.warnings = warnings(plan);
    quality.outer_learning_rate = learning_rate(plan);
    const auto sites = static_cast<double>(plan.cluster.sites);
    quality.batch_tokens = formula::diloco_batch_tokens(parameters, sites) / sites;
    constexpr double exponent = 0.0477;
    constexpr double besiroglu = 1; // index into loss_laws
    const auto power = [&](double growth) { return 1 / formula::compute_for_loss(growth, exponent); };
    const auto parametric = [&](double growth) {
        return 1 / formula::compute_for_optimal_loss(flops, growth, besiroglu, 6);
    };
    quality.effective_by_power_law = {.low = power(quality.penalty.high), .high = power(quality.penalty.low)};
    quality.effective_by_parametric_law = {.low = parametric(quality.penalty.high),
                                           .high = parametric(quality.penalty.low)};
    return quality;
}

} // namespace meshwright
