// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_set.h"

#include "calibration/fit.h"
#include "evidence/source_name.h"
#include "figures/figure_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <chrono>
#include <numeric>

namespace meshwright {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("EvidenceSet", text);
}

/// Finds the largest families in order of size, combines the rest into one, and assigns each row to its family.
void findFamilies(EvidenceSet &set) {
    std::map<std::string, std::size_t> counts;
    for (const MeasuredRun &run : set.table->runs)
        ++counts[short_source(run.source)];
    std::vector<std::pair<std::string, std::size_t>> bySize(counts.begin(), counts.end());
    std::stable_sort(bySize.begin(), bySize.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    std::map<std::string, int> places;
    EvidenceFamily others{.name = tr("others"), .rows = 0};
    for (const auto &[name, count] : bySize) {
        if (set.families.size() < ColouredFamilies) {
            places[name] = static_cast<int>(set.families.size());
            set.families.append({QString::fromStdString(name), count});
        } else {
            others.rows += count;
        }
    }
    const int last = static_cast<int>(set.families.size());
    if (others.rows > 0)
        set.families.append(others);
    for (const MeasuredRun &run : set.table->runs) {
        const auto place = places.find(short_source(run.source));
        set.familyOfRow.push_back(place == places.end() ? last : place->second);
    }
}

void findPoints(EvidenceSet &set) {
    for (std::size_t i = 0; i < set.table->runs.size(); ++i) {
        const MeasuredRun &run = set.table->runs[i];
        const Prediction &predicted = set.predictions[i];
        if (!predicted.skipped.empty())
            continue;
        const int family = set.familyOfRow[i];
        const std::optional<double> seconds = run.measured_seconds();
        if (seconds && predicted.step_seconds > 0 && !is_stalled(run, set.table->plans[i]))
            set.steps.push_back({i, family, *seconds, predicted.step_seconds});
        const double bytes = predicted.memory_bytes(run.memory_kind);
        if (run.peak_memory_bytes && *run.peak_memory_bytes > 0 && bytes > 0)
            set.memories.push_back({i, family, *run.peak_memory_bytes, bytes});
    }
}

void findSources(EvidenceSet &set) {
    for (auto &[name, rows] : rows_by_source(set.table->runs)) {
        EvidenceSource source{.name = QString::fromStdString(name),
                              .family = set.familyOfRow[rows.front()],
                              .rows = rows,
                              .summary = summarise(set.table->runs, set.table->plans, set.predictions, rows)};
        std::vector<double> errors;
        for (const std::size_t row : source.rows) {
            const std::optional<double> seconds = set.table->runs[row].measured_seconds();
            if (seconds && set.predictions[row].skipped.empty()
                && !is_stalled(set.table->runs[row], set.table->plans[row]))
                errors.push_back(set.predictions[row].step_seconds / *seconds - 1);
        }
        std::sort(errors.begin(), errors.end());
        if (!errors.empty()) {
            source.low = errors[(errors.size() - 1) / 10];
            source.high = errors[(errors.size() - 1) * 9 / 10];
        }
        set.sources.push_back(std::move(source));
    }
}

/// Marks the rows to which the constants were fitted. In the table, the program's own rows come before those of the
/// user's files.
void findFitted(EvidenceSet &set) {
    const EvidenceTable &own = *EvidenceTable::standard();
    set.fitted.assign(set.table->runs.size(), false);
    for (const std::size_t row : fit_rows(own.runs, own.plans, FitQuantity::step_time).rows)
        if (row < set.fitted.size() && set.table->runs[row].id == own.runs[row].id)
            set.fitted[row] = true;
}

} // namespace

EvidenceSlice sliceOf(const EvidenceSet &set, std::vector<std::size_t> rows) {
    EvidenceSlice slice{.rows = std::move(rows), .summary = {}, .fitted = 0, .whole = false};
    slice.whole = slice.rows.size() == set.table->runs.size();
    slice.summary = slice.whole ? set.all : summarise(set.table->runs, set.table->plans, set.predictions, slice.rows);
    slice.fitted = static_cast<std::size_t>(
        std::count_if(slice.rows.begin(), slice.rows.end(), [&](std::size_t row) { return set.fitted[row]; }));
    return slice;
}

EvidenceSetPointer evidenceSetOf(std::shared_ptr<const EvidenceTable> table, std::map<std::string, double> overrides) {
    auto set = std::make_shared<EvidenceSet>();
    set->table = std::move(table);
    set->overrides = std::move(overrides);
    const auto begin = std::chrono::steady_clock::now();
    set->predictions = set->table->predict(set->overrides);
    set->milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    set->known = KnownRuns::standard(set->overrides);
    add_intervals(*set->table, *set->known, set->predictions);
    findFamilies(*set);
    findPoints(*set);
    findSources(*set);
    findFitted(*set);
    std::vector<std::size_t> rows(set->table->runs.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    set->all = summarise(set->table->runs, set->table->plans, set->predictions, rows);
    return set;
}

QString runName(const MeasuredRun &run) {
    return QString::fromStdString(run.model_name.empty() ? run.id : run.model_name);
}

QString machinesText(const EvidenceTable &table, std::size_t row) {
    if (!table.plans[row].skipped.empty())
        return QString::fromStdString(table.runs[row].accelerator);
    const Cluster &cluster = table.plans[row].plan.cluster;
    // Omits the vendor and the part in parentheses, because columns are narrow.
    QString name = QString::fromStdString(cluster.accelerator.name).section(QStringLiteral(" ("), 0, 0);
    const QString maker = QString::fromStdString(cluster.accelerator.vendor) + QLatin1Char(' ');
    if (name.startsWith(maker))
        name.remove(0, maker.size());
    return QStringLiteral("%1 × %2").arg(countText(static_cast<double>(cluster.accelerators())), name);
}

QString degreesText(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    QString text =
        QStringLiteral("%1 · %2 · %3").arg(parallelism.tensor).arg(parallelism.pipeline).arg(parallelism.data);
    if (parallelism.context > 1)
        text += tr(", CP %1").arg(parallelism.context);
    if (parallelism.expert > 1)
        text += tr(", EP %1").arg(parallelism.expert);
    return text;
}

} // namespace meshwright
