// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/mapping_line.h"

#include "controls/choice_box.h"
#include "controls/text_label.h"

#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int titleWidth = 164;
constexpr int needWidth = 72;
constexpr int choiceWidth = 164;
constexpr int valueWidth = 148;
constexpr int longestValue = 200;

QString latin(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

MappingLine::MappingLine(const RunColumn &column, QAbstractItemModel *choices, QWidget *parent)
    : QWidget(parent)
    , m_column(column)
    , m_units(column_units(column.name))
    , m_need(new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this))
    , m_choice(new ChoiceBox(this))
    , m_unit(new ChoiceBox(this))
    , m_value(new QLineEdit(this)) {
    const QString title = latin(column.title);
    setObjectName(QStringLiteral("column.") + latin(column.name));
    setToolTip(latin(column.explanation));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto *name = new TextLabel(title, TypeRole::Body, ColourRole::Text, TextWeight::Regular, this);
    name->setFixedWidth(titleWidth);
    m_need->setFixedWidth(needWidth);
    m_choice->setModel(choices);
    m_choice->setFixedWidth(choiceWidth);
    m_choice->setAccessibleName(title);
    m_unit->setFixedWidth(valueWidth);
    m_unit->setAccessibleName(tr("%1, unit").arg(title));
    for (const ColumnUnit &unit : m_units)
        m_unit->addItem(unit.name.empty() ? tr("as is") : latin(unit.name));
    m_value->setFixedWidth(valueWidth);
    m_value->setMaxLength(longestValue);
    m_value->setAccessibleName(tr("%1, for all rows").arg(title));
    if (!column.example.empty())
        m_value->setPlaceholderText(tr("e.g. %1").arg(latin(column.example)));
    for (QWidget *each : std::initializer_list<QWidget *>{name, m_need, m_choice, m_unit, m_value})
        row->addWidget(each);
    row->addStretch(1);
    connect(m_choice, &QComboBox::activated, this, [this] {
        showChoice();
        Q_EMIT chosen();
        Q_EMIT changed();
    });
    connect(m_unit, &QComboBox::activated, this, &MappingLine::changed);
    connect(m_value, &QLineEdit::textEdited, this, &MappingLine::changed);
    showChoice();
}

int MappingLine::choice() const {
    return std::max(0, m_choice->currentIndex());
}

void MappingLine::setChoice(int choice) {
    m_choice->setCurrentIndex(choice);
    showChoice();
}

void MappingLine::showChoice() {
    m_value->setVisible(choice() == SameForAll);
    m_unit->setVisible(fileColumn() >= 0 && m_units.size() > 1);
}

const ColumnUnit &MappingLine::unit() const {
    return m_units.at(static_cast<std::size_t>(std::max(0, m_unit->currentIndex())));
}

void MappingLine::setUnit(double factor, RateOf rate) {
    const auto found = std::find_if(m_units.begin(), m_units.end(),
                                    [&](const ColumnUnit &unit) { return unit.factor == factor && unit.rate == rate; });
    m_unit->setCurrentIndex(found == m_units.end() ? 0 : static_cast<int>(found - m_units.begin()));
}

void MappingLine::focusField() {
    (choice() == SameForAll ? static_cast<QWidget *>(m_value) : m_choice)->setFocus();
}

QString MappingLine::value() const {
    return choice() == SameForAll ? m_value->text().trimmed() : QString();
}

void MappingLine::setValue(const QString &value) {
    m_value->setText(value);
}

void MappingLine::setProposals(const QStringList &texts) {
    auto *completer = new QCompleter(texts, m_value);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    m_value->setCompleter(completer);
    connect(completer, qOverload<const QString &>(&QCompleter::activated), this, &MappingLine::changed,
            Qt::QueuedConnection); // queued, because the text is not yet in the field
}

void MappingLine::setNeed(const QString &need, bool met) {
    m_need->setText(need);
    m_need->setColour(met ? ColourRole::Text3 : ColourRole::Warn);
}

} // namespace meshwright
