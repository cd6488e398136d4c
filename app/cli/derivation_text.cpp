// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/derivation_text.h"

#include "formulas/derivation.h"
#include "narrative/paragraph.h"

#include <fmt/format.h>

namespace meshwright {

namespace {

void append(std::string &text, const Derivation &node, std::size_t depth, const std::string &paragraph = {}) {
    const std::string indent(2 * depth, ' ');
    text += fmt::format("{}{}: {} [{}]\n", indent, node.title, text_of(node.value, node.quantity), node.name);
    if (!paragraph.empty())
        text += fmt::format("{}  {}\n", indent, paragraph);
    if (node.formula.empty())
        text += fmt::format("{}  from {}: {}{}\n", indent, name_of(node.origin), node.source,
                            node.field.empty() ? std::string() : ", " + node.field);
    else
        text += fmt::format("{}  = {}\n{}  = {}\n", indent, node.formula, indent, node.substituted());
    for (const Derivation &input : node.inputs)
        append(text, input, depth + 1);
}

} // namespace

std::string derivationText(const Derivation &tree, const Result &result) {
    std::string text = "\nHow the figures are calculated\n";
    for (const Derivation &figure : tree.inputs)
        append(text, figure, 1, paragraph_about(figure, result));
    return text;
}

} // namespace meshwright
