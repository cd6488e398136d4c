// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/node_card.h"

#include "controls/pill.h"
#include "controls/text_label.h"
#include "explain/derivation_text.h"
#include "explain/formula_area.h"
#include "explain/formula_label.h"
#include "explain/input_row.h"
#include "explain/node_picture.h"
#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "theme/icon.h"

#include <QDialog>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace meshwright {

namespace {

/// Margin below the unit that aligns it with the baseline of the figure.
constexpr int unitRise = 5;

/// An input's letter in a formula of the catalog; its name elsewhere.
QString symbolOf(const Derivation &node, const QString &input) {
    const Formula *const formula = find_formula(node.calculator);
    return formula != nullptr ? symbolLetter(input, *formula) : shortName(node, input);
}

} // namespace

NodeCard::NodeCard(QWidget *parent)
    : Card(parent)
    , m_title(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this))
    , m_value(new TextLabel({}, TypeRole::Figure, ColourRole::Text, TextWeight::SemiBold, this))
    , m_unit(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text3, TextWeight::Regular, this))
    , m_paragraph(new TextLabel({}, TypeRole::Body, ColourRole::Text, TextWeight::Regular, this))
    , m_origin(new Pill({}, Tone::Neutral, this))
    , m_formulaArea(new FormulaArea(this))
    , m_formula(new FormulaLabel(m_formulaArea))
    , m_numbers(new FormulaLabel(m_formulaArea))
    , m_inputs(new QVBoxLayout)
    , m_source(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_showPicture(new QPushButton(icons::icon(QStringLiteral("play")), tr("Show as an animation"), this))
    , m_goToField(new QPushButton(icons::icon(QStringLiteral("arrow")), tr("Go to the field"), this))
    , m_derivation(new QPushButton(icons::icon(QStringLiteral("explain")), tr("How this is calculated"), this)) {
    setObjectName(QStringLiteral("nodeCard"));
    m_title->setObjectName(QStringLiteral("nodeTitle"));
    m_title->setWordWrap(true);
    m_value->setObjectName(QStringLiteral("nodeValue"));
    m_value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_paragraph->setObjectName(QStringLiteral("nodeParagraph"));
    m_paragraph->setWordWrap(true);
    m_paragraph->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_source->setObjectName(QStringLiteral("nodeSource"));
    m_source->setWordWrap(true);
    m_source->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (TextLabel *label : {m_title, m_value, m_unit, m_paragraph, m_source})
        label->setTextFormat(Qt::PlainText);
    // A click on the large value or its formula opens nothing, because the card already shows their derivation. The
    // rows below open the inputs.
    for (QWidget *derivation : {static_cast<QWidget *>(m_value), static_cast<QWidget *>(m_unit),
                                static_cast<QWidget *>(m_paragraph), m_formulaArea})
        showsNoFigures(derivation, NotFigures::derivation);
    for (QWidget *words : {m_title, m_source})
        showsNoFigures(words, NotFigures::name);
    m_goToField->setObjectName(QStringLiteral("goToField"));
    connect(m_goToField, &QPushButton::clicked, this, &NodeCard::goToField);

    m_showPicture->setObjectName(QStringLiteral("showPicture"));
    m_showPicture->setToolTip(tr("Opens an animation with the values of this node"));
    m_showPicture->hide();
    connect(m_showPicture, &QPushButton::clicked, this, &NodeCard::openPicture);

    m_derivation->setObjectName(QStringLiteral("openMaking"));
    connect(m_derivation, &QPushButton::clicked, this, &NodeCard::derivationWanted);

    m_unit->setContentsMargins(0, 0, 0, unitRise);
    auto *figure = new QHBoxLayout;
    figure->setSpacing(6);
    figure->addWidget(m_value, 0, Qt::AlignBottom);
    figure->addWidget(m_unit, 0, Qt::AlignBottom);
    figure->addStretch(1);
    figure->addWidget(m_origin, 0, Qt::AlignVCenter);
    auto *formulas = new QVBoxLayout(m_formulaArea);
    formulas->setContentsMargins(12, 12, 12, 12);
    formulas->setSpacing(12);
    formulas->addWidget(m_formula);
    formulas->addWidget(m_numbers);
    m_inputs->setSpacing(0);
    m_inputs->setContentsMargins(-8, 0, -8, 0);
    contentLayout()->addWidget(m_title);
    contentLayout()->addLayout(figure);
    contentLayout()->addWidget(m_paragraph);
    contentLayout()->addWidget(m_formulaArea);
    contentLayout()->addLayout(m_inputs);
    contentLayout()->addWidget(m_showPicture, 0, Qt::AlignLeft);
    contentLayout()->addWidget(m_source);
    contentLayout()->addWidget(m_derivation, 0, Qt::AlignLeft);
    contentLayout()->addWidget(m_goToField, 0, Qt::AlignLeft);
}

void NodeCard::showNode(const Derivation &node, bool elsewhere, const QString &fieldTitle) {
    const FigureParts parts = partsOf(valueTextOf(node));
    m_title->setText(titleOf(node));
    m_value->setText(parts.figure);
    m_unit->setText(parts.unit);
    m_origin->setText(originTextOf(node));
    m_origin->setTone(originToneOf(node));
    m_source->setText(tr("Source: %1").arg(QString::fromStdString(node.source)));
    setAccessibleName(tr("%1, %2").arg(titleOf(node), valueTextOf(node)));
    showFormula(node);
    showInputs(node);
    m_field = QString::fromStdString(node.field);
    m_derivation->setVisible(elsewhere);
    m_goToField->setVisible(!elsewhere && !m_field.isEmpty() && m_hasField && m_hasField(m_field));
    m_goToField->setText(fieldTitle.isEmpty() ? tr("Go to the field") : fieldTitle);
    m_goToField->setAccessibleDescription(m_field);
}

void NodeCard::setParagraph(const QString &paragraph) {
    m_paragraph->setText(paragraph);
    m_paragraph->setVisible(!paragraph.isEmpty());
}

void NodeCard::setPicture(std::optional<PictureOfFormula> picture) {
    m_picture = std::move(picture);
    m_showPicture->setVisible(m_picture.has_value());
}

void NodeCard::openPicture() {
    if (m_picture)
        newPictureDialog(m_title->text(), *m_picture, window())->open();
}

void NodeCard::goToField() {
    if (!m_goToField->isHidden())
        Q_EMIT fieldWanted(m_field);
}

void NodeCard::showFormula(const Derivation &node) {
    std::optional<FormulaPart> formula =
        hasFormula(node) ? readFormula(QString::fromStdString(node.formula)) : std::nullopt;
    m_formulaArea->setVisible(formula.has_value());
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
    for (const Derivation &input : node.inputs)
        numbers.insert(symbolOf(node, QString::fromStdString(input.name)), valueTextOf(input));
    m_formula->setFormula(left, *formula, tr("%1 = %2").arg(titleOf(node), formulaLineOf(node)));
    m_numbers->setFormula({}, *formula, numbersLineOf(node), numbers);
}

void NodeCard::showInputs(const Derivation &node) {
    const bool hasSymbols = hasFormula(node);
    while (m_rows.size() < node.inputs.size()) {
        auto *row = new InputRow(this);
        row->setObjectName(QStringLiteral("input%1").arg(m_rows.size()));
        connect(row, &InputRow::clicked, this, [this, row] { Q_EMIT inputChosen(row->name()); });
        m_inputs->addWidget(row);
        m_rows.push_back(row);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        m_rows[i]->setVisible(i < node.inputs.size());
        if (i < node.inputs.size())
            m_rows[i]->showInput(node.inputs[i],
                                 hasSymbols ? symbolOf(node, QString::fromStdString(node.inputs[i].name)) : QString());
    }
}

} // namespace meshwright
