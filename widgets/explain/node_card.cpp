// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/node_card.h"

#include "controls/pill.h"
#include "controls/text_label.h"
#include "explain/derivation_text.h"
#include "explain/input_row.h"
#include "explain/node_formula.h"
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

} // namespace

NodeCard::NodeCard(QWidget *parent)
    : Card(parent)
    , m_title(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this))
    , m_value(new TextLabel({}, TypeRole::Figure, ColourRole::Text, TextWeight::SemiBold, this))
    , m_unit(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text3, TextWeight::Regular, this))
    , m_paragraph(new TextLabel({}, TypeRole::Body, ColourRole::Text, TextWeight::Regular, this))
    , m_origin(new Pill({}, Tone::Neutral, this))
    , m_formula(new NodeFormula(this))
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
                                static_cast<QWidget *>(m_paragraph), static_cast<QWidget *>(m_formula)})
        showsNoFigures(derivation, NotFigures::derivation);
    for (QWidget *words : {m_title, m_source})
        showsNoFigures(words, NotFigures::name);
    connect(m_formula, &NodeFormula::inputHovered, this, &NodeCard::light);
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
    m_inputs->setSpacing(0);
    m_inputs->setContentsMargins(-8, 0, -8, 0);
    contentLayout()->addWidget(m_title);
    contentLayout()->addLayout(figure);
    contentLayout()->addWidget(m_paragraph);
    contentLayout()->addWidget(m_formula);
    contentLayout()->addLayout(m_inputs);
    contentLayout()->addWidget(m_showPicture, 0, Qt::AlignLeft);
    contentLayout()->addWidget(m_source);
    contentLayout()->addWidget(m_derivation, 0, Qt::AlignLeft);
    contentLayout()->addWidget(m_goToField, 0, Qt::AlignLeft);
}

void NodeCard::showNode(const Derivation &node, bool elsewhere, const QString &fieldTitle) {
    m_node = node;
    const FigureParts parts = partsOf(valueTextOf(node));
    m_title->setText(titleOf(node));
    m_value->setText(parts.figure);
    m_unit->setText(parts.unit);
    m_origin->setText(originTextOf(node));
    m_origin->setTone(originToneOf(node));
    m_source->setText(tr("Source: %1").arg(QString::fromStdString(node.source)));
    setAccessibleName(tr("%1, %2").arg(titleOf(node), valueTextOf(node)));
    m_formula->showNode(node);
    showInputs(node);
    light({});
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

void NodeCard::light(const QString &input) {
    m_formula->light(input);
    for (InputRow *row : m_rows)
        row->setLit(!input.isEmpty() && row->name() == input);
    Q_EMIT inputLit(input);
}

void NodeCard::openPicture() {
    if (m_picture)
        newPictureDialog(m_node, *m_picture, window())->open();
}

void NodeCard::goToField() {
    if (!m_goToField->isHidden())
        Q_EMIT fieldWanted(m_field);
}

void NodeCard::showInputs(const Derivation &node) {
    const bool hasSymbols = hasFormula(node);
    while (m_rows.size() < node.inputs.size()) {
        auto *row = new InputRow(this);
        row->setObjectName(QStringLiteral("input%1").arg(m_rows.size()));
        connect(row, &InputRow::clicked, this, [this, row] { Q_EMIT inputChosen(row->name()); });
        connect(row, &InputRow::hovered, this, [this, row](bool is) { light(is ? row->name() : QString()); });
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
