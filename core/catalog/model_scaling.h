// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"

namespace meshwright {

/// A model of the same shape with about `parameters` weights: layers and hidden size grow together in the proportion of
/// the model, head size stays, widths stay multiples of 128. The published size is dropped.
Model scaled_to(const Model &model, double parameters);

} // namespace meshwright
