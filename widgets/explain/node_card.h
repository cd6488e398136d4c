// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "formulas/derivation.h"

#include <functional>
#include <vector>

class QPushButton;
class QVBoxLayout;

namespace meshwright {

class FormulaLabel;
class InputRow;
class Pill;
class TextLabel;

/// One node of an explanation in full: value, formula, the same with the plan's numbers, inputs, source.
class NodeCard : public Card {
    Q_OBJECT

public:
    explicit NodeCard(QWidget *parent = nullptr);

    /// @param elsewhere  the tree has the node's derivation, but not under this node
    /// @param fieldTitle  what the way to its field is called; empty for the plan that is shown
    void showNode(const Derivation &node, bool elsewhere, const QString &fieldTitle = {});
    /// As if the button had been pressed, where there is one.
    void goToField();
    /// Says of a JSON pointer whether the plan's panels have a field for it. Without one there is no way to a field.
    void setFieldQuestion(std::function<bool(const QString &)> hasField) { m_hasField = std::move(hasField); }

Q_SIGNALS:
    void inputChosen(const QString &name);
    void fieldWanted(const QString &pointer);
    void derivationWanted();

private:
    void showFormula(const Derivation &node);
    void showInputs(const Derivation &node);

    std::function<bool(const QString &)> m_hasField;
    TextLabel *m_title;
    TextLabel *m_value;
    TextLabel *m_unit;
    Pill *m_origin;
    QWidget *m_formulaArea;
    FormulaLabel *m_formula;
    FormulaLabel *m_numbers;
    QVBoxLayout *m_inputs;
    std::vector<InputRow *> m_rows;
    TextLabel *m_source;
    QPushButton *m_goToField;
    QPushButton *m_derivation;
    QString m_field;
};

} // namespace meshwright
