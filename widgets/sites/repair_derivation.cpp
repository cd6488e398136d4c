// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/repair_derivation.h"

#include "evaluate/curve_sources.h"
#include "figures/figure_ref.h"

namespace meshwright {

namespace {

constexpr const char *data_parallel =
    "McCandlish et al., arXiv 1812.06162, equation 2.11: number of steps times batch size";

Derivation ofChanged(const OuterRepair &repair, const char *figure, Labelled what, double value) {
    return reference_to(referenceTo(FigureRef::ofChanged(QLatin1String(figure), QString::fromStdString(repair.patch))),
                        std::move(what), value);
}

Derivation criticalBatch(const OuterRepair &repair) {
    const Result &changed = repair.result;
    Derivation loss = by_formula(
        {"loss", "predicted loss"}, "predicted-loss", "loss",
        {ofChanged(repair, "parameters.active", {"parameters", "active parameters", Quantity::parameters},
                   changed.parameters.active),
         plan_field({"tokens", "training tokens", Quantity::tokens}, changed.plan.run.tokens, "/run/tokens"),
         published({"law", "scaling law: Besiroglu"}, preferred_law.place, "Besiroglu et al., arXiv 2404.10102")});
    return by_formula({"critical_batch", "critical batch size at the predicted loss", Quantity::tokens},
                      "critical-batch-at-loss", "tokens", {std::move(loss)});
}

Derivation batchOf(const Plan &plan, const char *name, const char *title, std::int64_t sites) {
    return product_of(
        {name, title, Quantity::tokens}, "definition",
        {published({"sites", "number of sites whose batches are combined", Quantity::count}, static_cast<double>(sites),
                   sites == 1 ? "as if the replicas trained independently" : "as in data-parallel training"),
         plan_field({"sequences", "sequences per step", Quantity::count},
                    static_cast<double>(plan.batch.global_sequences), "/batch/global_sequences"),
         plan_field({"sequence_length", "sequence length", Quantity::tokens},
                    static_cast<double>(plan.batch.sequence_length), "/batch/sequence_length")});
}

Derivation tokensOf(const Plan &before, const OuterRepair &repair, bool isMax) {
    const std::int64_t sites = isMax ? repair.result.plan.cluster.sites : 1;
    return derived({isMax ? "tokens_high" : "tokens_low",
                    isMax ? "tokens needed for the same loss, relative to the plan's tokens (upper estimate)"
                          : "tokens needed for the same loss, relative to the plan's tokens (lower estimate)"},
                   isMax ? repair.tokens.high : repair.tokens.low,
                   "(critical_batch + batch) / (critical_batch + batch_before)", data_parallel,
                   {criticalBatch(repair),
                    batchOf(repair.result.plan, "batch", "batch size of the changed plan", sites),
                    batchOf(before, "batch_before", "batch size of the plan before the changes", sites)});
}

} // namespace

std::optional<Derivation> repairDerivation(const QString &figure, const Plan &before, const OuterRepair &repair) {
    if (figure == QLatin1String("repair.tokens_low") || figure == QLatin1String("repair.tokens_high"))
        return tokensOf(before, repair, figure == QLatin1String("repair.tokens_high"));
    if (figure == QLatin1String("repair.critical_batch"))
        return criticalBatch(repair);
    if (figure == QLatin1String("repair.most_days"))
        return derived(
            {"most_days", "run time needed for the same loss (upper estimate)", Quantity::seconds},
            86400 * repair.most_days, "seconds * tokens_high", "run time increases by the same factor as tokens",
            {ofChanged(repair, "run.seconds", {"seconds", "run time", Quantity::seconds}, repair.result.run.seconds),
             tokensOf(before, repair, true)});
    if (figure == QLatin1String("repair.considered"))
        return by_simulation({"considered", "plans tried", Quantity::count}, static_cast<double>(repair.considered),
                             "least_changes",
                             "every combination of settings, fewest changes first, until one meets the deadline", {});
    return std::nullopt;
}

} // namespace meshwright
