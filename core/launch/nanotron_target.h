// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/target_plan.h"

namespace meshwright {

class Library;

/// The classes of nanotron's model_config. The checks in its config.py reject the class of Starcoder2.
enum class NanotronModel {
    llama,
    qwen2 ///< also supports experts, sliding windows, biases of query, key and value, and ring attention
};

/// A plan as nanotron (commit 2411b022a75f) runs it.
struct NanotronTarget {
    TargetPlan target;
    NanotronModel model = NanotronModel::llama;
};

/// Implements the rules of src/nanotron/config (config.py, models_config.py) that a stack's capabilities cannot
/// express.
/// @throws InputError like target_plan()
NanotronTarget nanotron_target(const Plan &plan, const Library &library);

} // namespace meshwright
