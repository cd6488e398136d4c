// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/explain.h"

#include "explain/context.h"
#include "input/stop_scope.h"

#include <cmath>
#include <deque>
#include <iterator>
#include <unordered_map>

namespace meshwright {

namespace {

/// Breadth-first: a figure's derivation is near the root, but the figure may also be a leaf deeper in the tree.
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

std::size_t nodes_of(const Derivation &tree) {
    std::size_t nodes = 1;
    for (const Derivation &input : tree.inputs)
        nodes += nodes_of(input);
    return nodes;
}

/// Maximum number of nodes of a derivation that is inserted in place of a reference to it.
constexpr std::size_t most_nodes_opened = 150;

/// Replaces each direct reference to a figure by that figure's derivation; references inside it stay references, so
/// that no subtree is repeated more than a few times. Inputs that several nodes share stay shared.
class OpenedReferences {
public:
    explicit OpenedReferences(const std::vector<Derivation> &figures) {
        for (const Derivation &figure : figures)
            if (nodes_of(figure) <= most_nodes_opened)
                m_figures.try_emplace(figure.name, figure);
    }

    SharedInputs of(const SharedInputs &inputs) {
        if (inputs.empty())
            return inputs;
        if (const auto known = m_opened.find(inputs.identity()); known != m_opened.end())
            return known->second.after;
        SharedInputs after = inputs;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Derivation &node = inputs[i];
            const auto figure = node.figure.empty() ? m_figures.end() : m_figures.find(node.figure);
            if (figure != m_figures.end())
                open(after.own()[i], figure->second);
            else if (SharedInputs below = of(node.inputs); below.identity() != node.inputs.identity())
                after.own()[i].inputs = std::move(below);
        }
        m_opened.emplace(inputs.identity(), Opened{inputs, after});
        return after;
    }

private:
    struct Opened {
        SharedInputs before; ///< held, so that no other inputs get the same identity
        SharedInputs after;
    };

    static void open(Derivation &node, const Derivation &figure) {
        node.origin = figure.origin;
        node.formula = figure.formula;
        node.source = figure.source;
        node.field = figure.field;
        node.inputs = figure.inputs;
        node.calculator = figure.calculator;
        node.result = figure.result;
    }

    std::unordered_map<std::string, Derivation> m_figures;
    std::unordered_map<const void *, Opened> m_opened;
};

std::string changed_name(std::string_view prefix, const std::string &figure) {
    return std::string(prefix) + figure;
}

void refer_to_changed(SharedInputs &inputs, std::string_view prefix) {
    for (Derivation &node : inputs.own()) {
        if (!node.figure.empty())
            node.figure = changed_name(prefix, node.figure);
        refer_to_changed(node.inputs, prefix);
    }
}

} // namespace

Derivation explain(const Result &result) {
    const ExplainContext context(result);
    std::vector<Derivation> figures;
    for (auto part : {explain_verdict, explain_parameters, explain_flops, explain_memory, explain_step, explain_rates,
                      explain_pipeline, explain_passes, explain_run, explain_cluster, explain_outer, explain_sites,
                      explain_curves, explain_advice, explain_intervals, explain_published}) {
        end_if_stopped();
        std::vector<Derivation> more = part(context);
        std::move(more.begin(), more.end(), std::back_inserter(figures));
    }
    OpenedReferences opened(figures);
    for (Derivation &figure : figures) {
        end_if_stopped();
        figure.inputs = opened.of(figure.inputs);
    }
    return derived({"result", "run time in days, and all other figures of the plan"}, result.run.days, "run_days",
                   "the plan's figures", std::move(figures));
}

Derivation explain(const Result &result, const PlanPipeline &pipeline) {
    Derivation tree = explain(result);
    for (Derivation &figure : explain_schedule(ExplainContext(result), pipeline))
        tree.inputs.push_back(std::move(figure));
    return tree;
}

Derivation explain(const Result &result, const OuterRuns &runs) {
    Derivation tree = explain(result);
    for (Derivation &figure : explain_spread(ExplainContext(result), runs))
        tree.inputs.push_back(std::move(figure));
    return tree;
}

Derivation explain_both(Derivation before, Derivation after, std::string_view prefix) {
    for (Derivation &node : after.inputs.own()) {
        node.name = changed_name(prefix, node.name);
        refer_to_changed(node.inputs, prefix);
        before.inputs.push_back(std::move(node));
    }
    return before;
}

std::vector<Derivation> explain_gains(const Derivation &both, std::string_view figure, const std::string &with,
                                      std::string_view prefix) {
    std::vector<Derivation> gains;
    const Derivation *const from = find_figure(both, figure);
    const Derivation *const to = find_named(both, changed_name(prefix, identifier(figure)));
    if (from == nullptr || to == nullptr)
        return gains;
    const auto values = [&] { return std::vector<Derivation>{named("after", *to), named("before", *from)}; };
    const char *const source = "full evaluations of both plans";
    const std::string title = "change in " + from->title + (with.empty() ? "" : " " + with);
    gains.push_back(derived({"gain_" + from->name, title, from->quantity}, to->value - from->value, "after - before",
                            source, values()));
    if (from->value != 0)
        gains.push_back(derived({"gain_share_" + from->name, title, Quantity::share},
                                (to->value - from->value) / std::abs(from->value), "(after - before) / abs(before)",
                                source, values()));
    return gains;
}

Derivation explain_difference(Derivation before, Derivation after, const std::string &figure, const std::string &with,
                              std::string_view prefix) {
    Derivation both = explain_both(std::move(before), std::move(after), prefix);
    for (Derivation &gain : explain_gains(both, figure, with, prefix))
        both.inputs.push_back(std::move(gain));
    return both;
}

Derivation explain_change(const Result &before, const Result &after, std::string_view figure) {
    return explain_difference(explain(before), explain(after), std::string(figure), {});
}

const Derivation *find_figure(const Derivation &tree, std::string_view path) {
    return find_named(tree, identifier(path));
}

} // namespace meshwright
