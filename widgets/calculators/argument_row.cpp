// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/argument_row.h"

#include "calculators/formula_curve.h"
#include "controls/scrolling_wheel.h"
#include "controls/text_label.h"
#include "explain/formula_syntax.h"
#include "figures/figure_event.h"
#include "theme/control_states.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <cmath>

namespace meshwright {

namespace {

constexpr int letterWidth = 34;
constexpr int fieldWidth = 124;
constexpr int rowHeight = 28;

QString qt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Tool tip of a field: meaning and name, then unit and range such as "bytes, in B, from 0 to 1e+24".
QString hintOn(const Symbol &symbol) {
    const QString name = capitalised(symbol.meaning) + QLatin1Char('\n') + qt(symbol.name);
    if (!symbol.choices.empty())
        return name;
    const QString unit = QString::fromStdString(unit_name(symbol));
    const QString range = ArgumentRow::tr("from %1 to %2").arg(symbol.low).arg(symbol.high);
    return unit == QLatin1String("1") ? ArgumentRow::tr("%1, %2").arg(name, range)
                                      : ArgumentRow::tr("%1, in %2, %3").arg(name, unit, range);
}

/// Shortens "1484.677734375 min" to "1484.678 min" so that it fits the field; integers keep all their digits.
QString rounded(const QString &text) {
    static const QRegularExpression number(QStringLiteral("^[-+]?\\d+(\\.\\d*)?([eE][-+]?\\d+)?"));
    constexpr int digits = 7;
    const QRegularExpressionMatch found = number.match(text);
    if (!found.hasMatch() || found.capturedLength() <= digits + 1)
        return text;
    const double value = found.captured().toDouble();
    if (value == std::floor(value) && !found.captured().contains(QLatin1Char('e')) && std::abs(value) < 1e12)
        return text;
    return QString::number(value, 'g', digits) + text.mid(found.capturedLength());
}

} // namespace

ArgumentRow::ArgumentRow(const Symbol &symbol, QWidget *parent)
    : QWidget(parent)
    , m_symbol(symbol)
    , m_problem(new TextLabel({}, TypeRole::Caption, ColourRole::Bad, TextWeight::Regular, this)) {
    setToolTip(hintOn(symbol));
    setAttribute(Qt::WA_Hover);
    auto *meaning =
        new TextLabel(capitalised(symbol.meaning), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
    meaning->setTextFormat(Qt::PlainText);
    meaning->setElided(true);
    addField();
    field()->setObjectName(qt(symbol.name));
    field()->setAccessibleName(capitalised(symbol.meaning));
    field()->setFixedWidth(fieldWidth);
    showsNoFigures(meaning, NotFigures::name);
    showsNoFigures(m_problem, NotFigures::setting); // the numbers in an error message are not figures of the plan
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->hide();
    auto *row = new QHBoxLayout;
    row->setContentsMargins(letterWidth, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(meaning, 1);
    row->addWidget(field());
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 2);
    column->setSpacing(2);
    column->addLayout(row);
    column->addWidget(m_problem);
}

void ArgumentRow::addField() {
    if (m_symbol.choices.empty()) {
        m_edit = new QLineEdit(this);
        m_edit->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        connect(m_edit, &QLineEdit::textEdited, this, &ArgumentRow::edited);
        return;
    }
    m_choice = new QComboBox(this);
    leaveWheelToScrolling(m_choice);
    for (const std::string_view word : m_symbol.choices)
        m_choice->addItem(qt(word));
    connect(m_choice, &QComboBox::textActivated, this, &ArgumentRow::edited);
}

QWidget *ArgumentRow::field() const {
    return m_edit != nullptr ? static_cast<QWidget *>(m_edit) : m_choice;
}

QString ArgumentRow::text() const {
    if (m_choice != nullptr)
        return m_choice->currentText();
    return m_edit->text() == m_shown ? m_exact : m_edit->text();
}

void ArgumentRow::setText(const QString &text) {
    if (m_choice != nullptr)
        m_choice->setCurrentText(text);
    else if (this->text().trimmed() != text) {
        m_exact = text;
        m_shown = m_symbol.is_list ? text : rounded(text);
        m_edit->setText(m_shown);
        m_edit->setCursorPosition(0);
        m_edit->setToolTip(m_shown == m_exact ? QString() : tr("%1\nExact value: %2").arg(toolTip(), m_exact));
    }
}

void ArgumentRow::setProblem(const QString &problem) {
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    setFieldState(field(), problem.isEmpty() ? FieldState::Normal : FieldState::Rejected);
    field()->setAccessibleDescription(problem);
}

void ArgumentRow::setLit(bool lit) {
    m_lit = lit;
    update();
}

bool ArgumentRow::event(QEvent *event) {
    if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave)
        Q_EMIT hovered(event->type() == QEvent::HoverEnter);
    return QWidget::event(event);
}

void ArgumentRow::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    if (m_lit)
        surfaces::rounded(painter, rect(), Theme::radius(Corner::Field), theme.colour(ColourRole::AccentSoft));
    const NameParts parts = namePartsOf(qt(m_symbol.letter));
    QFont italic = theme.font(TypeRole::Emphasis);
    italic.setItalic(true);
    const QFont small = theme.font(TypeRole::Caption);
    const QFontMetricsF metrics(italic);
    const qreal baseline = 2 + (rowHeight - metrics.height()) / 2 + metrics.ascent();
    painter.setPen(theme.colour(ColourRole::Text));
    painter.setFont(italic);
    painter.drawText(QPointF(0, baseline), parts.letter);
    painter.setFont(small);
    painter.drawText(QPointF(metrics.horizontalAdvance(parts.letter) + 1, baseline + 4), parts.subscript);
}

} // namespace meshwright
