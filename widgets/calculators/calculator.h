// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <QString>

#include <map>
#include <optional>
#include <string>

namespace meshwright {

/// Field texts by symbol name, in the form that calculate() reads.
using ArgumentTexts = std::map<std::string, std::string, std::less<>>;

class Calculator {
public:
    /// The problem with the fields, in one line. `symbol` is empty if the problem does not concern a single field.
    struct Problem {
        QString text;
        std::string symbol;
    };

    /// Begins with example values in all fields.
    explicit Calculator(const Formula &formula);

    const Formula &formula() const { return *m_formula; }
    const ArgumentTexts &texts() const { return m_texts; }
    /// An empty text omits the argument.
    void setText(std::string_view symbol, const QString &text);
    void setTexts(const ArgumentTexts &texts);

    /// The current calculation; null if the fields give no result.
    const std::optional<Calculation> &calculation() const { return m_calculation; }
    const std::optional<Problem> &problem() const { return m_problem; }
    /// Null if the fields do not determine this result.
    const Calculation::Value *value(std::string_view result) const;

    static std::string exampleOf(const Symbol &symbol);

private:
    void calculate();

    const Formula *m_formula;
    ArgumentTexts m_texts;
    std::optional<Calculation> m_calculation;
    std::optional<Problem> m_problem;
};

} // namespace meshwright
