// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_making.h"

#include "evidence/prediction_making.h"
#include "figures/figure_ref.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace meshwright {

namespace {

constexpr Quantity share = Quantity::share;

Derivation count(const char *name, const char *title, std::size_t number, const char *source) {
    return by_procedure({name, title, Quantity::count}, static_cast<double>(number), "count", source, {});
}

/// What is predicted of a row of a table.
Derivation predictedOf(const EvidenceTable &table, std::size_t row, Quantity quantity, double value,
                       const QString &plans) {
    const RunPlan &run = table.plans[row];
    const PredictedRun predicted{&run.plan, run.batch_share, FigureView::evidence,
                                 plans + QStringLiteral("row.%1").arg(row)};
    return quantity == Quantity::seconds ? predictedStep(predicted, value)
                                         : predictedMemory(predicted, table.runs[row].memory_kind, value);
}

/// A set of predictions with what its plans' names begin with.
struct NamedSet {
    const EvidenceSet &set;
    const QString &plans;
};

/// Predicted over measured less one, of one row.
Derivation errorOf(const NamedSet &of, const EvidencePoint &point, Quantity quantity, std::string name, bool absolute) {
    const EvidenceSet &set = of.set;
    const MeasuredRun &run = set.table->runs[point.row];
    Derivation predicted = predictedOf(*set.table, point.row, quantity, point.predicted, of.plans);
    Derivation measured = published({"measured", "what was measured", quantity}, point.measured, run.source);
    return derived({std::move(name), "error on " + (run.model_name.empty() ? run.id : run.model_name), share},
                   absolute ? std::abs(point.error()) : point.error(),
                   absolute ? "abs(predicted / measured - 1)" : "predicted / measured - 1", "row " + run.id,
                   {std::move(predicted), std::move(measured)});
}

/// One statistic of some rows: the value at a place in their order.
struct Statistic {
    const char *name;
    const char *title;
    double place; ///< 0 the smallest, 1 the largest
    const char *rows; ///< what is put in order
};

/// A quantile: between the two rows beside its place in the order.
/// @param values  of each row; not empty
/// @param making  of one row's value, by its index and under a name
Derivation quantileOf(const Statistic &wanted, const std::vector<double> &values,
                      const std::function<Derivation(std::size_t, const char *)> &making) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    const double place = wanted.place * static_cast<double>(order.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, order.size() - 1);
    const double part = place - static_cast<double>(below);
    const double low = values[order[below]];
    return derived({wanted.name, wanted.title, share}, low + part * (values[order[above]] - low),
                   "below + part * (above - below)", "linear between the rows beside the place, in their order",
                   {making(order[below], "below"), making(order[above], "above"),
                    derived({"part", "of the way between the two rows"}, part,
                            "place * (rows - 1) - floor(place * (rows - 1))", "definition",
                            {published({"place", "place in the order, 0 the smallest, 1 the largest"}, wanted.place,
                                       "definition of the statistic"),
                             count("rows", wanted.rows, order.size(), "row by row")})});
}

std::optional<Derivation> quantileOfErrors(const NamedSet &of, const std::vector<EvidencePoint> &points,
                                           Quantity quantity, const Statistic &wanted, bool absolute) {
    if (points.empty())
        return std::nullopt;
    std::vector<double> errors;
    for (const EvidencePoint &point : points)
        errors.push_back(absolute ? std::abs(point.error()) : point.error());
    return quantileOf(wanted, errors, [&](std::size_t index, const char *name) {
        return errorOf(of, points[index], quantity, name, absolute);
    });
}

/// How wide the interval of a row's step is.
Derivation widthOf(const NamedSet &of, std::size_t row, const char *name) {
    const Prediction &prediction = of.set.predictions[row];
    const MeasuredRun &run = of.set.table->runs[row];
    const auto end = [&](const char *which, const char *title, double value) {
        return by_procedure({which, title, Quantity::seconds}, value, "nearest_runs",
                            "the runs of other sources nearest to it: weighted conformal prediction, Tibshirani and "
                            "others 2019, arXiv 1904.06019",
                            {predictedOf(*of.set.table, row, Quantity::seconds, prediction.step_seconds, of.plans)});
    };
    return derived({name, "width of the interval of " + run.id, share},
                   prediction.high_seconds / prediction.low_seconds - 1, "high / low - 1", "row " + run.id,
                   {end("high", "upper end of its 80 % interval", prediction.high_seconds),
                    end("low", "lower end of its 80 % interval", prediction.low_seconds)});
}

std::optional<Derivation> medianWidth(const NamedSet &of, const std::vector<std::size_t> &rows) {
    std::vector<std::size_t> with;
    std::vector<double> widths;
    for (const EvidencePoint &point : of.set.steps)
        if (const Prediction &each = of.set.predictions[point.row];
            std::binary_search(rows.begin(), rows.end(), point.row) && each.low_seconds > 0) {
            with.push_back(point.row);
            widths.push_back(each.high_seconds / each.low_seconds - 1);
        }
    if (widths.empty())
        return std::nullopt;
    return quantileOf({"width", "width of the 80 % interval", 0.5, "rows with an interval"}, widths,
                      [&](std::size_t index, const char *name) { return widthOf(of, with[index], name); });
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

std::optional<Derivation> summaryMaking(const QString &figure, const NamedSet &of, std::vector<std::size_t> rows,
                                        const EvidenceSummary &summary) {
    std::sort(rows.begin(), rows.end());
    const EvidenceSet &set = of.set;
    constexpr const char *predicted = "rows that are predicted, and not stalled";
    const auto steps = [&](const char *name, const char *title, double place, bool absolute) {
        return quantileOfErrors(of, pointsOf(set.steps, rows), Quantity::seconds, {name, title, place, predicted},
                                absolute);
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
        return steps("median", "median error of the step", 0.5, true);
    if (figure == QLatin1String("p90"))
        return steps("p90", "error that nine of ten rows stay below", 0.9, true);
    if (figure == QLatin1String("bias"))
        return steps("bias", "median of the signed errors", 0.5, false);
    if (figure == QLatin1String("memory"))
        return quantileOfErrors(of, pointsOf(set.memories, rows), Quantity::bytes,
                                {"memory", "median error of the peak memory", 0.5, predicted}, true);
    if (figure == QLatin1String("coverage"))
        return shareOf({"coverage", "share of measured steps inside the 80 % interval", share}, summary.coverage,
                       summary.step.count, "steps inside their interval", "steps measured and predicted");
    if (figure == QLatin1String("fits"))
        return shareOf({"fits", "share of rows that were foretold to fit or not", share}, summary.fits_accuracy,
                       summary.fits_count, "foretold rightly", "ended well or out of memory");
    if (figure == QLatin1String("width"))
        return medianWidth(of, rows);
    return std::nullopt;
}

std::optional<Derivation> runMaking(const QString &figure, const SimilarRun &run, const EvidenceTable &table) {
    Derivation measured = published({"measured", "measured step", Quantity::seconds}, run.measured_seconds, run.source);
    Derivation predicted = run.row == SimilarRun::of_no_table
        ? by_procedure({"predicted", "predicted step", Quantity::seconds}, run.predicted_seconds, "fit_machine",
                       "constants fitted to the machine's other runs, as its preset says", {})
        : predictedOf(table, run.row, Quantity::seconds, run.predicted_seconds, {});
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

constexpr QLatin1String shownRows("shown.");

/// Of the rows that a filter leaves.
std::optional<Derivation> sliceMaking(const QString &figure, const NamedSet &of, const EvidenceSlice &slice) {
    const auto counted = [&](auto &&holds) {
        return static_cast<std::size_t>(std::count_if(slice.rows.begin(), slice.rows.end(), holds));
    };
    if (figure == QLatin1String("fitted"))
        return count("fitted_rows", "of these rows, those that the constants were fitted to", slice.fitted,
                     "the program's own rows with a step that is worth fitting to");
    if (figure == QLatin1String("skipped"))
        return count("skipped", "of these rows, those that are not predicted",
                     counted([&](std::size_t row) { return !of.set.predictions[row].skipped.empty(); }),
                     "each row has its reason");
    if (figure.startsWith(QLatin1String("family."))) {
        const int family = figure.section(QLatin1Char('.'), 1).toInt();
        return count("family", "rows of this family that the filter leaves",
                     counted([&](std::size_t row) { return of.set.familyOfRow[row] == family; }), "row by row");
    }
    return summaryMaking(figure, of, slice.rows, slice.summary);
}

} // namespace

std::optional<Derivation> evidenceMaking(const QString &figure, const EvidenceSet *set,
                                         const std::vector<SimilarRun> &nearest, const QString &plans,
                                         const EvidenceSlice *slice) {
    if (figure.startsWith(shownRows) && set != nullptr && slice != nullptr)
        return sliceMaking(figure.mid(shownRows.size()), {*set, plans}, *slice);
    const QString part = figure.section(QLatin1Char('.'), 0, 0);
    const auto index = figure.section(QLatin1Char('.'), 1, 1).toUInt();
    const QString rest = figure.section(QLatin1Char('.'), 2);
    if (part == QLatin1String("run"))
        return index < nearest.size()
            ? runMaking(rest, nearest[index], set != nullptr ? *set->table : *EvidenceTable::standard())
            : std::nullopt;
    if (set == nullptr)
        return std::nullopt;
    if (part == QLatin1String("source"))
        return index < set->sources.size()
            ? summaryMaking(rest, {*set, plans}, set->sources[index].rows, set->sources[index].summary)
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
    return summaryMaking(figure, {*set, plans}, std::move(all), set->all);
}

} // namespace meshwright
