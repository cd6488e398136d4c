// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

class Library;
struct LaunchPlan;

/// Whether a launch trains an encoder-decoder, according to presets/launchers/other-work.csv.
bool is_encoder_decoder(const LaunchPlan &launch, const Library &library);

/// Reports a launch that a plan cannot describe: it does something other than train a model, or its model is not a
/// decoder-only language model. Both are recognized by the program or by options in
/// presets/launchers/other-work.csv.
void report_other_work(LaunchPlan &launch, const Library &library);

} // namespace meshwright
