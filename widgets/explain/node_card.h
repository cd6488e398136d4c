// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "formulas/derivation.h"
#include "pictures/formula_picture.h"

#include <functional>
#include <optional>
#include <vector>

class QPushButton;
class QVBoxLayout;

namespace meshwright {

class InputRow;
class NodeFormula;
class Pill;
class TextLabel;

/// One node of a derivation in full: value, formula, formula with the plan's numbers, inputs, source. Where the pointer
/// is on a symbol, its value or its input, all three are tinted.
class NodeCard : public Card {
    Q_OBJECT

public:
    explicit NodeCard(QWidget *parent = nullptr);

    /// @param elsewhere  whether the node's derivation is elsewhere in the tree rather than below this node
    /// @param fieldTitle  label of the button to the field; empty for the default label, used for the current plan
    void showNode(const Derivation &node, bool elsewhere, const QString &fieldTitle = {});
    /// Shows a paragraph in plain words above the formula; empty for none.
    void setParagraph(const QString &paragraph);
    /// Shows a button that opens an animation of the node; without an animation, hides it.
    void setPicture(std::optional<PictureOfFormula> picture);
    /// Goes to the field, as if its button had been clicked; does nothing if the button is not shown.
    void goToField();
    /// @param hasField  whether the plan's panels have a field for a JSON pointer; without it the button to the field
    /// is hidden
    void setFieldQuestion(std::function<bool(const QString &)> hasField) { m_hasField = std::move(hasField); }

Q_SIGNALS:
    void inputChosen(const QString &name);
    /// Emitted when the symbol of another input is tinted, or none (empty).
    void inputLit(const QString &name);
    void fieldWanted(const QString &pointer);
    void derivationWanted();

private:
    void light(const QString &input);
    void openPicture();
    void showInputs(const Derivation &node);

    std::function<bool(const QString &)> m_hasField;
    TextLabel *m_title;
    TextLabel *m_value;
    TextLabel *m_unit;
    TextLabel *m_paragraph;
    Pill *m_origin;
    NodeFormula *m_formula;
    QVBoxLayout *m_inputs;
    std::vector<InputRow *> m_rows;
    TextLabel *m_source;
    QPushButton *m_showPicture;
    QPushButton *m_goToField;
    QPushButton *m_derivation;
    Derivation m_node;
    QString m_field;
    std::optional<PictureOfFormula> m_picture;
};

} // namespace meshwright
