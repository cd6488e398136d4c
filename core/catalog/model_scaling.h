// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"

namespace meshwright {

/// Scales a model to about `parameters` parameters: layers and hidden size grow by the same factor, the head dimension
/// is constant, and all widths are multiples of 128. The scaled model has no published parameter count.
Model scaled_to(const Model &model, double parameters);

} // namespace meshwright
