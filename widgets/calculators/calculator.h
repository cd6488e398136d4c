// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <QString>

#include <map>
#include <optional>
#include <string>

namespace meshwright {

/// Texts of a formula's symbols, by their names, as calculate() reads them.
using ArgumentTexts = std::map<std::string, std::string, std::less<>>;

/// A formula with what stands in its fields and what comes of it.
class Calculator {
public:
    /// What is wrong with the fields in one line, and whose field it is; no name where it is all of them together.
    struct Problem {
        QString text;
        std::string symbol;
    };

    /// Starts with example values.
    explicit Calculator(const Formula &formula);

    const Formula &formula() const { return *m_formula; }
    const ArgumentTexts &texts() const { return m_texts; }
    /// An empty text leaves the argument out.
    void setText(std::string_view symbol, const QString &text);
    /// Those named; the others stay.
    void setTexts(const ArgumentTexts &texts);

    /// Nothing where the fields give no result.
    const std::optional<Calculation> &calculation() const { return m_calculation; }
    const std::optional<Problem> &problem() const { return m_problem; }
    /// Null where the fields do not give this result.
    const Calculation::Value *value(std::string_view result) const;

    /// A value within a symbol's range that people might ask for, as text.
    static std::string exampleOf(const Symbol &symbol);

private:
    void calculate();

    const Formula *m_formula;
    ArgumentTexts m_texts;
    std::optional<Calculation> m_calculation;
    std::optional<Problem> m_problem;
};

} // namespace meshwright
