// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain.h"

#include "evaluate/explain_context.h"

#include <algorithm>
#include <deque>
#include <iterator>

namespace meshwright {

namespace {

/// The node nearest to the root: figures stand there with their making, further down also as leaves.
const Derivation *find_named(const Derivation &tree, const std::string &name) {
    std::deque<const Derivation *> waiting{&tree};
    while (!waiting.empty()) {
        const Derivation *node = waiting.front();
        waiting.pop_front();
        if (node->name == name)
            return node;
        for (const Derivation &input : node->inputs)
            waiting.push_back(&input);
    }
    return nullptr;
}

} // namespace

Derivation explain(const Result &result) {
    const ExplainContext context(result);
    std::vector<Derivation> figures;
    for (auto part :
         {explain_run, explain_step, explain_memory, explain_flops, explain_pipeline, explain_outer, explain_cluster}) {
        std::vector<Derivation> more = part(context);
        std::move(more.begin(), more.end(), std::back_inserter(figures));
    }
    return derived({"result", "days of the run, with every other figure beside it"}, result.run.days, "run_days",
                   "the plan's figures", std::move(figures));
}

const Derivation *find_figure(const Derivation &tree, std::string_view path) {
    return find_named(tree, identifier(path));
}

} // namespace meshwright
