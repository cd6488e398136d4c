// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/evidence_table.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// Spearman's rank correlation: 1 for the same order, -1 for the reverse, 0 if either list is constant or has fewer
/// than two values. Ties get their mean rank. Both lists must have the same length. Source: Spearman 1904.
double spearman_correlation(const std::vector<double> &a, const std::vector<double> &b);

/// Kendall's tau-b, which corrects for ties. Source: Kendall 1945, The Treatment of Ties in Ranking Problems.
double kendall_correlation(const std::vector<double> &a, const std::vector<double> &b);

struct OrderAgreement {
    std::size_t count = 0;
    double spearman = 0;
    double kendall = 0;
    /// Measured time of the configuration with the fastest prediction, relative to the fastest measured time, minus 1.
    double choice_loss = 0;
};
/// @pre both lists have the same length, at least one value, and only positive values
OrderAgreement order_agreement(const std::vector<double> &predicted, const std::vector<double> &measured);

/// Measured runs that differ only in their configuration: they have the same source, software, model, cluster, batch
/// size and number format.
struct ComparableRuns {
    std::vector<std::size_t> rows; ///< rows of the group in the table, at least `fewest_comparable`
    double parameters = 0;
    std::string accelerator_id;
    std::int64_t accelerators = 0;
    std::int64_t sequence_length = 0;
    double global_sequences = 0;
    /// MFU of a measured row; causal attention counts half of the attention FLOPs.
    double mfu(const EvidenceTable &table, std::size_t row) const;
};
inline constexpr std::size_t fewest_comparable = 5;
std::vector<ComparableRuns> comparable_runs(const EvidenceTable &table);

/// Medians over all groups of comparable runs.
struct OrderSummary {
    std::size_t groups = 0;
    std::size_t runs = 0;
    double spearman = 0;
    double kendall = 0;
    double choice_loss = 0;
};
OrderSummary order_summary(const std::vector<OrderAgreement> &groups);
OrderSummary order_summary(const EvidenceTable &table, const std::vector<Prediction> &predictions);

} // namespace meshwright
