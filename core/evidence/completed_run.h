// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/measured_run.h"

#include <string>
#include <vector>

namespace meshwright {

class Library;
class RunRules;

/// A row with blanks filled that its other columns imply, that the model of its name has, or that runs of its year
/// usually have; never from what was measured. The order of these, for each column, is that of the functions below.
/// - accelerators, tensor, pipeline, context, data: their product, where one of them is missing;
/// - year: two years after the accelerator came to market;
/// - columns of the model: the catalogue's model of that name, if layers and width agree with it; then what the number
///   of parameters leaves, if it is printed finely enough; then the usual shapes (see usual_model);
/// - sequence length: 2,048 tokens up to 2022 (GPT-3, arXiv 2005.14165), then 4,096 (Llama 2, arXiv 2307.09288).
/// @param assumed  what was filled in without the row implying it, in words
MeasuredRun completed_run(MeasuredRun run, const RunRules &rules, const Library &library,
                          std::vector<std::string> &assumed);

/// Tokens of one step that models of this size are usually trained with: 10^6 at 1.3 x 10^9 parameters, growing with
/// their fourth root. Source: GPT-3, arXiv 2005.14165, table 2.1 (0.5, 1, 2 and 3.2 million at 0.125, 1.3, 13 and 175 x
/// 10^9). @param parameters  > 0
double usual_batch_tokens(double parameters);

} // namespace meshwright
