// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <muParser.h>

#include <string>

namespace meshwright::testing {

/// A formula's text, parsed by muParser, with its symbols as variables.
class ParsedText {
public:
    ParsedText(const Formula &formula, const FormulaResult &result)
        : m_values(formula.symbols.size(), 0) {
        for (const TextFunction &function : text_functions())
            if (function.of_three != nullptr)
                m_parser.DefineFun(std::string(function.name), function.of_three);
            else
                m_parser.DefineFun(std::string(function.name), function.function);
        for (std::size_t i = 0; i < formula.symbols.size(); ++i)
            m_parser.DefineVar(std::string(formula.symbols[i].name), &m_values[i]);
        m_parser.SetExpr(text_of(result.expression()));
    }
    ParsedText(const ParsedText &) = delete;
    ParsedText &operator=(const ParsedText &) = delete;

    /// @param values  one for each of the formula's symbols, in their order
    double operator()(const std::vector<double> &values) {
        std::copy(values.begin(), values.end(), m_values.begin());
        return m_parser.Eval();
    }
    /// Names of the symbols that the text uses.
    std::vector<std::string> used() {
        std::vector<std::string> names;
        for (const auto &[name, place] : m_parser.GetUsedVar())
            names.push_back(name);
        return names;
    }

private:
    std::vector<double> m_values;
    mu::Parser m_parser;
};

} // namespace meshwright::testing
