// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "formulas/formula.h"

#include <muParser.h>

#include <cmath>
#include <string>
#include <vector>

namespace meshwright::testing {

/// The value of a node's formula over its inputs: its text evaluated by muParser, or the catalog's function for a
/// simulation.
inline double recomputed(const Derivation &node) {
    if (!node.calculator.empty()) {
        const FormulaResult &result = *find_formula(node.calculator)->find_result(node.result);
        if (result.expression().has_opaque_part()) {
            std::vector<double> arguments;
            for (const std::string_view name : result.arguments)
                arguments.push_back(node.find(name)->value);
            return result.function(arguments);
        }
    }
    mu::Parser parser;
    for (const TextFunction &function : text_functions())
        if (function.of_three != nullptr)
            parser.DefineFun(std::string(function.name), function.of_three);
        else
            parser.DefineFun(std::string(function.name), function.function);
    parser.DefineFun(
        "ceil", +[](double x) { return std::ceil(x); });
    parser.DefineFun(
        "floor", +[](double x) { return std::floor(x); });
    for (const Derivation &input : node.inputs)
        parser.DefineConst(input.name, input.value);
    parser.SetExpr(node.formula);
    return parser.Eval();
}

} // namespace meshwright::testing
