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

/// Puts a figure's own making where a figure stands directly for it; what that refers to stays a reference, so that no
/// tree is there more than a few times.
void open_references(std::vector<Derivation> &nodes, const std::vector<Derivation> &figures) {
    for (Derivation &node : nodes) {
        open_references(node.inputs, figures);
        if (node.figure.empty())
            continue;
        const auto own = std::find_if(figures.begin(), figures.end(),
                                      [&](const Derivation &figure) { return figure.name == node.figure; });
        if (own == figures.end())
            continue;
        node.origin = own->origin;
        node.formula = own->formula;
        node.source = own->source;
        node.field = own->field;
        node.inputs = own->inputs;
        node.calculator = own->calculator;
        node.result = own->result;
    }
}

} // namespace

Derivation explain(const Result &result) {
    const ExplainContext context(result);
    std::vector<Derivation> figures;
    for (auto part : {explain_verdict, explain_parameters, explain_flops, explain_memory, explain_step, explain_rates,
                      explain_pipeline, explain_run, explain_cluster, explain_outer}) {
        std::vector<Derivation> more = part(context);
        std::move(more.begin(), more.end(), std::back_inserter(figures));
    }
    const std::vector<Derivation> closed = figures;
    for (Derivation &figure : figures)
        open_references(figure.inputs, closed);
    return derived({"result", "days of the run, with every other figure beside it"}, result.run.days, "run_days",
                   "the plan's figures", std::move(figures));
}

const Derivation *find_figure(const Derivation &tree, std::string_view path) {
    return find_named(tree, identifier(path));
}

} // namespace meshwright
