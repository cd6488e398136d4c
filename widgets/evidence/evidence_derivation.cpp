// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_derivation.h"

#include "evidence/prediction_derivation.h"
#include "figures/figure_ref.h"

namespace meshwright {

namespace {

Derivation predictedOf(const EvidenceTable &table, std::size_t row, double seconds) {
    const RunPlan &run = table.plans[row];
    return predictedStep({&run.plan, run.batch_share, FigureView::evidence, QStringLiteral("row.%1").arg(row)},
                         seconds);
}

} // namespace

std::optional<Derivation> nearestRunDerivation(const QString &figure, const std::vector<SimilarRun> &nearest,
                                               const EvidenceTable &table) {
    const auto index = figure.section(QLatin1Char('.'), 1, 1).toUInt();
    if (!figure.startsWith(QLatin1String("run.")) || index >= nearest.size())
        return std::nullopt;
    const SimilarRun &run = nearest[index];
    const QString part = figure.section(QLatin1Char('.'), 2);
    Derivation measured =
        published({"measured", "measured step time", Quantity::seconds}, run.measured_seconds, run.source);
    Derivation predicted = run.row == SimilarRun::of_no_table
        ? by_simulation({"predicted", "predicted step time", Quantity::seconds}, run.predicted_seconds, "fit_machine",
                        "held-out prediction from the preset, with constants fitted to the machine's other runs", {})
        : predictedOf(table, run.row, run.predicted_seconds);
    if (part == QLatin1String("measured"))
        return measured;
    if (part == QLatin1String("predicted"))
        return predicted;
    if (part == QLatin1String("error"))
        return derived({"error", "relative error of the prediction for this run", Quantity::share}, run.error(),
                       "predicted / measured - 1", "definition", {std::move(predicted), std::move(measured)});
    return std::nullopt;
}

} // namespace meshwright
