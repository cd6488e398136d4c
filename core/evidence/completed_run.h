// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/measured_run.h"

#include <string>
#include <vector>

namespace meshwright {

class Library;
class RunRules;

/// Fills the blanks of a row from its other columns, from the catalog's model with its name, or from usual values for
/// its year. Measured figures are never used. For each column the sources are tried in this order:
/// - accelerators, tensor, pipeline, context, data: from their product, if one of them is missing;
/// - year: two years after the accelerator's launch;
/// - columns of the model: the catalog's model of that name, if layers and hidden size agree with it; then from the
///   number of parameters, if it is printed with enough digits; then the usual shapes (see usual_model);
/// - sequence length: 2,048 tokens up to 2022 (GPT-3, arXiv 2005.14165), then 4,096 (Llama 2, arXiv 2307.09288).
/// @param assumed  receives a text for each value that does not follow from the row
MeasuredRun completed_run(MeasuredRun run, const RunRules &rules, const Library &library,
                          std::vector<std::string> &assumed);

/// Usual tokens per step for a model size: 10^6 at 1.3 x 10^9 parameters, proportional to the fourth root of the size.
/// Source: GPT-3, arXiv 2005.14165, table 2.1 (0.5, 1, 2 and 3.2 million at 0.125, 1.3, 13 and 175 x 10^9).
/// @param parameters  > 0
double usual_batch_tokens(double parameters);

} // namespace meshwright
