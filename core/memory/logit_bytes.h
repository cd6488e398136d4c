// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/layer_cost.h"

namespace meshwright {

/// Memory of the logits on the rank that holds the LM head, per microbatch (or slice).
template <Number N>
class BasicLogitBytes {
public:
    BasicLogitBytes(const Plan &plan, const BasicLayerCosts<N> &layers);

    /// Bytes while the loss runs, including those of MTP modules.
    N loss_bytes() const;
    /// Bytes that stay allocated until the backward pass, of all `microbatches` but the one whose loss runs.
    N waiting_bytes(const N &microbatches) const;

private:
    N m_elements = 0;
    N m_parts = 1; ///< slices per microbatch
    N m_each = 0; ///< bytes per logit during the loss
    N m_activation_bytes = 0;
    N m_prediction_modules = 0;
};
using LogitBytes = BasicLogitBytes<double>;

} // namespace meshwright
