// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/threshold.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

std::vector<Formula> threshold_formulas() {
    const Symbol accelerators = whole("accelerators", "n", "accelerators that count as one cluster");
    const Symbol peak = amount(flops_per_second, "peak", "Q", "dense FP16 peak per accelerator");
    const Symbol equivalent =
        otherwise(amount(flops_per_second, "equivalent_peak", "Q_H", "dense FP16 rate of one H100-equivalent"), 990e12);
    const Symbol threshold =
        otherwise(real("threshold", "T", "H100-equivalents above which the treaty covers a cluster", 1e-9, 1e12), 16);
    return {{.id = "h100-equivalents",
             .title = "H100-equivalents",
             .topic = topic::hardware_thresholds,
             .symbols = {accelerators, peak, equivalent, threshold},
             .results = {result({"equivalents", "H", "H100-equivalents", Quantity::number},
                                {"accelerators", "peak", "equivalent_peak"}, h100_equivalents),
                         result({"share_of_threshold", "f", "fraction of the threshold", share},
                                {"accelerators", "peak", "equivalent_peak", "threshold"}, share_of_threshold)},
             .source = "arXiv 2511.10783, Article II: one H100-equivalent is 990 TFLOP/s of dense FP16; a cluster with "
                       "more than 16 is covered",
             .notes = "Accelerators belong to one cluster if they are co-located, joined by more than 25 Gb/s, or "
                      "networked to perform workloads together. By the last criterion, sites that train one model form "
                      "one cluster. At exactly 16.00 equivalents (16 accelerators of 990 TFLOP/s), the articles of the "
                      "source disagree on whether a cluster is covered."},
            {.id = "processing-performance",
             .title = "Total processing performance",
             .topic = topic::hardware_thresholds,
             .symbols = {accelerators, peak, otherwise(real("operand_bits", "b", "bits per operand", 1, 128), 16)},
             .results = {in("TPP",
                            result({"performance", "TPP", "total processing performance", flops_per_second},
                                   {"accelerators", "peak", "operand_bits"}, total_processing_performance))},
             .source = "15 CFR 774, supplement 1, ECCN 3A090, technical note 2: 2 x MacTOPS x bit length",
             .notes = "FLOP/s count a multiply-add as two operations, so the peak already includes the factor of 2."}};
}

} // namespace meshwright::catalogue
