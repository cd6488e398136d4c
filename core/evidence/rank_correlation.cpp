// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/rank_correlation.h"

#include "catalog/weights.h"
#include "evidence/error_statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace meshwright {

namespace {

/// Ranks from 1; equal values share their mean rank.
std::vector<double> ranks_of(const std::vector<double> &values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;
        while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]])
            ++last;
        const double shared = 1 + static_cast<double>(first + last) / 2;
        for (; first <= last; ++first)
            ranks[order[first]] = shared;
    }
    return ranks;
}

double correlation(const std::vector<double> &a, const std::vector<double> &b) {
    const auto count = static_cast<double>(a.size());
    const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / count;
    const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / count;
    double both = 0;
    double square_a = 0;
    double square_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        both += (a[i] - mean_a) * (b[i] - mean_b);
        square_a += (a[i] - mean_a) * (a[i] - mean_a);
        square_b += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return square_a > 0 && square_b > 0 ? both / std::sqrt(square_a * square_b) : 0;
}

int sign(double value) {
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

double median(std::vector<double> values) {
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Properties that runs must share to have comparable configurations.
using Circumstances = std::tuple<std::string, std::string, std::string, std::string, std::int64_t, std::int64_t,
                                 std::int64_t, double, int, double, std::string>;

Circumstances circumstances(const MeasuredRun &run, const RunPlan &plan, double parameters) {
    const Plan &p = plan.plan;
    const double sequences = static_cast<double>(p.batch.global_sequences) * plan.batch_share;
    return {run.source,
            run.framework,
            run.model_name,
            p.cluster.accelerator_id,
            p.site_accelerators(),
            p.model.layer_count(),
            p.batch.sequence_length,
            std::round(sequences * 16) / 16,
            static_cast<int>(p.precision.compute),
            parameters,
            run.optimizer};
}

} // namespace

double spearman_correlation(const std::vector<double> &a, const std::vector<double> &b) {
    return a.size() < 2 ? 0 : correlation(ranks_of(a), ranks_of(b));
}

double kendall_correlation(const std::vector<double> &a, const std::vector<double> &b) {
    double agreeing = 0;
    double pairs_a = 0;
    double pairs_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = i + 1; j < a.size(); ++j) {
            const int by_a = sign(a[i] - a[j]);
            const int by_b = sign(b[i] - b[j]);
            agreeing += by_a * by_b;
            pairs_a += std::abs(by_a);
            pairs_b += std::abs(by_b);
        }
    return pairs_a > 0 && pairs_b > 0 ? agreeing / std::sqrt(pairs_a * pairs_b) : 0;
}

OrderAgreement order_agreement(const std::vector<double> &predicted, const std::vector<double> &measured) {
    const auto chosen = std::min_element(predicted.begin(), predicted.end()) - predicted.begin();
    const double fastest = *std::min_element(measured.begin(), measured.end());
    return {.count = measured.size(),
            .spearman = spearman_correlation(predicted, measured),
            .kendall = kendall_correlation(predicted, measured),
            .choice_loss = measured[static_cast<std::size_t>(chosen)] / fastest - 1};
}

double ComparableRuns::mfu(const EvidenceTable &table, std::size_t row) const {
    const RunPlan &plan = table.plans[row];
    return share_of_peak(plan, *table.runs[row].measured_seconds(), plan.plan.precision.compute);
}

std::vector<ComparableRuns> comparable_runs(const EvidenceTable &table) {
    std::map<Circumstances, std::vector<std::size_t>> groups;
    for (std::size_t row = 0; row < table.runs.size(); ++row)
        if (table.plans[row].skipped.empty() && table.runs[row].measured_seconds()
            && !is_stalled(table.runs[row], table.plans[row])) {
            const double parameters = parameters_of(table.plans[row].plan.model).total;
            groups[circumstances(table.runs[row], table.plans[row], parameters)].push_back(row);
        }
    std::vector<ComparableRuns> found;
    for (auto &[key, rows] : groups) {
        if (rows.size() < fewest_comparable)
            continue;
        const RunPlan &plan = table.plans[rows.front()];
        found.push_back({.rows = std::move(rows),
                         .parameters = parameters_of(plan.plan.model).total,
                         .accelerator_id = plan.plan.cluster.accelerator_id,
                         .accelerators = plan.plan.site_accelerators(),
                         .sequence_length = plan.plan.batch.sequence_length,
                         .global_sequences = static_cast<double>(plan.plan.batch.global_sequences) * plan.batch_share});
    }
    return found;
}

OrderSummary order_summary(const std::vector<OrderAgreement> &groups) {
    OrderSummary summary{.groups = groups.size()};
    std::vector<double> spearman;
    std::vector<double> kendall;
    std::vector<double> losses;
    for (const OrderAgreement &agreement : groups) {
        summary.runs += agreement.count;
        spearman.push_back(agreement.spearman);
        kendall.push_back(agreement.kendall);
        losses.push_back(agreement.choice_loss);
    }
    summary.spearman = median(std::move(spearman));
    summary.kendall = median(std::move(kendall));
    summary.choice_loss = median(std::move(losses));
    return summary;
}

OrderSummary order_summary(const EvidenceTable &table, const std::vector<Prediction> &predictions) {
    std::vector<OrderAgreement> groups;
    for (const ComparableRuns &group : comparable_runs(table)) {
        std::vector<double> predicted;
        std::vector<double> measured;
        for (const std::size_t row : group.rows)
            if (predictions[row].skipped.empty()) {
                predicted.push_back(predictions[row].step_seconds);
                measured.push_back(*table.runs[row].measured_seconds());
            }
        if (predicted.size() >= fewest_comparable)
            groups.push_back(order_agreement(predicted, measured));
    }
    return order_summary(groups);
}

} // namespace meshwright
