// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/formula_area.h"
#include "formulas/derivation.h"

#include <QHash>

namespace meshwright {

class FormulaLabel;

/// An input's letter in a formula of the catalog; its name elsewhere.
QString symbolOf(const Derivation &node, const QString &input);

/// The formula of a derivation's node, and below it the formula with the inputs' values.
class NodeFormula : public FormulaArea {
    Q_OBJECT

public:
    explicit NodeFormula(QWidget *parent = nullptr);
    /// Hidden if the node has no formula.
    void showNode(const Derivation &node);
    /// Tints the symbol of an input and its value; none if empty.
    void light(const QString &input);

Q_SIGNALS:
    /// Emitted when the pointer moves to the symbol or value of another input, or away from all of them (empty).
    void inputHovered(const QString &input);

private:
    FormulaLabel *m_formula;
    FormulaLabel *m_numbers;
    QHash<QString, QString> m_symbols; ///< symbols by the inputs' names
};

} // namespace meshwright
