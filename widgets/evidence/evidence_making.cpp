// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_making.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace meshwright {

namespace {

constexpr Quantity share = Quantity::share;

Derivation count(const char *name, const char *title, std::size_t number, const char *source) {
    return by_procedure({name, title, Quantity::count}, static_cast<double>(number), "count", source, {});
}

/// Predicted over measured less one, of one row.
Derivation errorOf(const EvidenceSet &set, const EvidencePoint &point, Quantity quantity, std::string name,
                   bool absolute) {
    const MeasuredRun &run = set.table->runs[point.row];
    Derivation predicted = by_procedure({"predicted", "what the model says of the run's own plan", quantity},
                                        point.predicted, "evaluate", "the plan that the row describes", {});
    Derivation measured = published({"measured", "what was measured", quantity}, point.measured, run.source);
    return derived({std::move(name), "error on " + (run.model_name.empty() ? run.id : run.model_name), share},
                   absolute ? std::abs(point.error()) : point.error(),
                   absolute ? "abs(predicted / measured - 1)" : "predicted / measured - 1", "row " + run.id,
                   {std::move(predicted), std::move(measured)});
}

/// One statistic of the errors of some points.
struct Statistic {
    const char *name;
    const char *title;
    double place; ///< among the errors in order, 0 to 1
    bool absolute;
};

/// A quantile: between the two rows beside its place in the order of their errors.
std::optional<Derivation> quantileOf(const EvidenceSet &set, std::vector<EvidencePoint> points, Quantity quantity,
                                     const Statistic &wanted) {
    if (points.empty())
        return std::nullopt;
    const auto sizeOf = [&](const EvidencePoint &point) {
        return wanted.absolute ? std::abs(point.error()) : point.error();
    };
    std::sort(points.begin(), points.end(),
              [&](const EvidencePoint &a, const EvidencePoint &b) { return sizeOf(a) < sizeOf(b); });
    const double place = wanted.place * static_cast<double>(points.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, points.size() - 1);
    const double part = place - static_cast<double>(below);
    const double value = sizeOf(points[below]) + part * (sizeOf(points[above]) - sizeOf(points[below]));
    return derived({wanted.name, wanted.title, share}, value, "below + part * (above - below)",
                   "linear between the rows beside the place, in the order of their errors",
                   {errorOf(set, points[below], quantity, "below", wanted.absolute),
                    errorOf(set, points[above], quantity, "above", wanted.absolute),
                    derived({"part", "of the way between the two rows"}, part,
                            "place * (rows - 1) - floor(place * (rows - 1))", "definition",
                            {published({"place", "place in the order, 0 the smallest, 1 the largest"}, wanted.place,
                                       "definition of the statistic"),
                             count("rows", "rows with an error", points.size(), "predicted, and not stalled")})});
}

std::vector<EvidencePoint> pointsOf(const std::vector<EvidencePoint> &points, const std::vector<std::size_t> &rows) {
    std::vector<EvidencePoint> chosen;
    for (const EvidencePoint &point : points)
        if (std::binary_search(rows.begin(), rows.end(), point.row))
            chosen.push_back(point);
    return chosen;
}

/// A share of rows, as one count over another.
Derivation shareOf(Labelled what, double value, std::size_t all, const char *some, const char *of) {
    const auto number = static_cast<double>(all);
    return derived(
        std::move(what), value, "some / all", "definition",
        {by_procedure({"some", some, Quantity::count}, std::round(value * number), "count", "row by row", {}),
         count("all", of, all, "row by row")});
}

std::optional<Derivation> summaryMaking(const QString &figure, const EvidenceSet &set, std::vector<std::size_t> rows,
                                        const EvidenceSummary &summary) {
    std::sort(rows.begin(), rows.end());
    const auto steps = [&](const Statistic &wanted) {
        return quantileOf(set, pointsOf(set.steps, rows), Quantity::seconds, wanted);
    };
    if (figure == QLatin1String("rows"))
        return count("rows", "measured runs", rows.size(), "rows of the tables");
    if (figure == QLatin1String("steps"))
        return count("steps", "rows whose step was measured and predicted", summary.step.count,
                     "rows without a plan, and stalled ones, left out");
    if (figure == QLatin1String("memories"))
        return count("memories", "rows whose memory was measured and predicted", summary.memory.count,
                     "rows without a plan left out");
    if (figure == QLatin1String("median"))
        return steps({"median", "median error of the step", 0.5, true});
    if (figure == QLatin1String("p90"))
        return steps({"p90", "error that nine of ten rows stay below", 0.9, true});
    if (figure == QLatin1String("bias"))
        return steps({"bias", "median of the signed errors", 0.5, false});
    if (figure == QLatin1String("memory"))
        return quantileOf(set, pointsOf(set.memories, rows), Quantity::bytes,
                          {"memory", "median error of the peak memory", 0.5, true});
    if (figure == QLatin1String("coverage"))
        return shareOf({"coverage", "share of measured steps inside the 80 % interval", share}, summary.coverage,
                       summary.step.count, "steps inside their interval", "steps measured and predicted");
    if (figure == QLatin1String("fits"))
        return shareOf({"fits", "share of rows that were foretold to fit or not", share}, summary.fits_accuracy,
                       summary.fits_count, "foretold rightly", "ended well or out of memory");
    if (figure == QLatin1String("width"))
        return by_procedure({"width", "width of the 80 % interval", share}, summary.interval_width, "median",
                            "of high over low, less one, over the rows with an interval",
                            {count("steps", "rows with a predicted step", summary.step.count, "row by row")});
    return std::nullopt;
}

std::optional<Derivation> runMaking(const QString &figure, const SimilarRun &run) {
    Derivation measured = published({"measured", "measured step", Quantity::seconds}, run.measured_seconds, run.source);
    Derivation predicted = by_procedure({"predicted", "what the model says of the run's own plan", Quantity::seconds},
                                        run.predicted_seconds, "evaluate", "row " + run.id, {});
    if (figure == QLatin1String("measured"))
        return measured;
    if (figure == QLatin1String("predicted"))
        return predicted;
    if (figure == QLatin1String("error"))
        return derived({"error", "error on this run", share}, run.error(), "predicted / measured - 1", "definition",
                       {std::move(predicted), std::move(measured)});
    if (figure == QLatin1String("distance"))
        return by_procedure(
            {"distance", "how far the run is from this plan"}, run.distance, "distance",
            "a doubling of a size counts 0.15 to 0.5, other software 1, another kind of accelerator 0.8", {});
    return std::nullopt;
}

} // namespace

std::optional<Derivation> evidenceMaking(const QString &figure, const EvidenceSet *set,
                                         const std::vector<SimilarRun> &nearest) {
    const QString part = figure.section(QLatin1Char('.'), 0, 0);
    const auto index = figure.section(QLatin1Char('.'), 1, 1).toUInt();
    const QString rest = figure.section(QLatin1Char('.'), 2);
    if (part == QLatin1String("run"))
        return index < nearest.size() ? runMaking(rest, nearest[index]) : std::nullopt;
    if (set == nullptr)
        return std::nullopt;
    if (part == QLatin1String("source"))
        return index < set->sources.size()
            ? summaryMaking(rest, *set, set->sources[index].rows, set->sources[index].summary)
            : std::nullopt;
    if (part == QLatin1String("family"))
        return index < static_cast<unsigned>(set->families.size())
            ? std::optional(count("family", "measured runs of this family",
                                  set->families[static_cast<qsizetype>(index)].rows, "rows of its sources"))
            : std::nullopt;
    if (figure == QLatin1String("skipped"))
        return count(
            "skipped", "rows that are not predicted",
            static_cast<std::size_t>(std::count_if(set->predictions.begin(), set->predictions.end(),
                                                   [](const Prediction &each) { return !each.skipped.empty(); })),
            "what they do not say is needed, or the model does not know it; each row has its reason");
    std::vector<std::size_t> all(set->table->runs.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return summaryMaking(figure, *set, std::move(all), set->all);
}

} // namespace meshwright
