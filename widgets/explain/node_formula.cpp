// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/node_formula.h"

#include "explain/derivation_text.h"
#include "explain/formula_label.h"

#include <QVBoxLayout>

namespace meshwright {

QString symbolOf(const Derivation &node, const QString &input) {
    const Formula *const formula = find_formula(node.calculator);
    return formula != nullptr ? symbolLetter(input, *formula) : shortName(node, input);
}

NodeFormula::NodeFormula(QWidget *parent)
    : FormulaArea(parent)
    , m_formula(new FormulaLabel(this))
    , m_numbers(new FormulaLabel(this)) {
    auto *formulas = new QVBoxLayout(this);
    formulas->setContentsMargins(12, 12, 12, 12);
    formulas->setSpacing(12);
    for (FormulaLabel *label : {m_formula, m_numbers}) {
        formulas->addWidget(label);
        connect(label, &FormulaLabel::symbolHovered, this,
                [this](const QString &symbol) { Q_EMIT inputHovered(m_symbols.key(symbol)); });
    }
}

void NodeFormula::showNode(const Derivation &node) {
    std::optional<FormulaPart> formula =
        hasFormula(node) ? readFormula(QString::fromStdString(node.formula)) : std::nullopt;
    setVisible(formula.has_value());
    m_symbols.clear();
    if (!formula)
        return;
    // A formula of the catalog is shown with its paper's symbol on the left-hand side. Other formulas are shown without
    // a left-hand side, because the title is above them.
    const Formula *const known = find_formula(node.calculator);
    const FormulaResult *const result = known != nullptr ? known->find_result(node.result) : nullptr;
    const QString left = result != nullptr
        ? QString::fromUtf8(result->letter.data(), static_cast<qsizetype>(result->letter.size()))
        : QString();
    formula = renamed(*std::move(formula), [&](const QString &name) { return symbolOf(node, name); });
    QHash<QString, QString> numbers;
    for (const Derivation &input : node.inputs) {
        const QString name = QString::fromStdString(input.name);
        m_symbols.insert(name, symbolOf(node, name));
        numbers.insert(m_symbols.value(name), valueTextOf(input));
    }
    m_formula->setFormula(left, *formula, tr("%1 = %2").arg(titleOf(node), formulaLineOf(node)));
    m_numbers->setFormula({}, *formula, numbersLineOf(node), numbers);
}

void NodeFormula::light(const QString &input) {
    for (FormulaLabel *label : {m_formula, m_numbers})
        label->light(m_symbols.value(input));
}

} // namespace meshwright
