// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/evaluate.h"
#include "evaluate/evidence_of_result.h"
#include "explain/explain.h"
#include "random_plans.h"

#include <functional>

namespace meshwright::testing {

inline void for_each_node(const Derivation &node, const std::function<void(const Derivation &)> &visit) {
    visit(node);
    for (const Derivation &input : node.inputs)
        for_each_node(input, visit);
}

/// A result with its intervals, and its derivations including the executed pipeline.
struct Explained {
    Result result;
    Derivation tree;
};

inline Explained explained(const Plan &plan) {
    Explained all{.result = evaluate(plan, Depth::numbers), .tree = {}};
    add_evidence(all.result);
    all.tree = explain(all.result);
    return all;
}

} // namespace meshwright::testing
