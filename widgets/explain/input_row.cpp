// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/input_row.h"

#include "explain/derivation_text.h"
#include "explain/formula_syntax.h"
#include "theme/surfaces.h"

#include <QPainter>
#include <QResizeEvent>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int padding = 8;
constexpr int gap = 12;
constexpr int margin = 3; ///< space above the title and below the symbol
constexpr int subscriptDrop = 3;

/// Draws a symbol as in formulas: its letter in italics, then the subscript.
void drawSymbol(QPainter &painter, const QRect &area, const QString &symbol, QFont font) {
    const NameParts parts = namePartsOf(symbol);
    QFont italic = font;
    italic.setItalic(true);
    painter.setFont(italic);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, parts.letter);
    if (parts.subscript.isEmpty())
        return;
    const int width = QFontMetrics(italic).horizontalAdvance(parts.letter) + 2;
    font.setPixelSize(font.pixelSize() - 1);
    painter.setFont(font);
    painter.drawText(area.adjusted(width, subscriptDrop, 0, subscriptDrop),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, parts.subscript);
}

} // namespace

InputRow::InputRow(QWidget *parent)
    : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void InputRow::showInput(const Derivation &input, const QString &symbol) {
    m_name = QString::fromStdString(input.name);
    m_symbol = symbol;
    m_title = titleOf(input);
    m_value = valueTextOf(input);
    m_origin = originTextOf(input);
    setAccessibleName(tr("%1, %2, %3").arg(m_title, m_value, m_origin));
    setToolTip(QString::fromStdString(input.source));
    updateGeometry();
    update();
}

void InputRow::setLit(bool lit) {
    m_lit = lit;
    update();
}

bool InputRow::event(QEvent *event) {
    if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave)
        Q_EMIT hovered(event->type() == QEvent::HoverEnter);
    return QAbstractButton::event(event);
}

QRect InputRow::titleArea(int width) const {
    const Theme &theme = Theme::of(this);
    const int value = QFontMetrics(theme.font(TypeRole::Body, TextWeight::Medium)).horizontalAdvance(m_value) + gap;
    const QRect room(padding, margin, std::max(60, width - 2 * padding - value), QWIDGETSIZE_MAX);
    const QRect text = QFontMetrics(theme.font(TypeRole::Body)).boundingRect(room, Qt::TextWordWrap, m_title);
    return {room.topLeft(), QSize(room.width(), text.height())};
}

int InputRow::heightForWidth(int width) const {
    return titleArea(width).bottom() + 1 + lowerHeight + margin;
}

QSize InputRow::sizeHint() const {
    constexpr int preferredWidth = 240;
    return {preferredWidth, heightForWidth(std::max(width(), minWidth))};
}

void InputRow::resizeEvent(QResizeEvent *event) {
    if (event->oldSize().width() != width())
        updateGeometry(); // the title wraps differently
}

void InputRow::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    if (m_lit || underMouse() || isDown())
        surfaces::rounded(painter, rect(), Theme::radius(Corner::Field),
                          theme.colour(isDown()    ? ColourRole::Raised
                                           : m_lit ? ColourRole::AccentSoft
                                                   : ColourRole::Field));
    const QFont quiet = theme.font(TypeRole::Caption);
    const QRect upper = titleArea(width());
    const QRect lower(padding, upper.bottom() + 1, width() - 2 * padding, lowerHeight);
    painter.setPen(theme.colour(ColourRole::Text));
    painter.setFont(theme.font(TypeRole::Body));
    painter.drawText(upper, Qt::AlignLeft | Qt::TextWordWrap, m_title);
    painter.setFont(theme.font(TypeRole::Body, TextWeight::Medium));
    painter.drawText(QRect(padding, upper.top(), lower.width(), upper.height()), Qt::AlignRight | Qt::TextSingleLine,
                     m_value);
    painter.setPen(theme.colour(ColourRole::Text3));
    painter.setFont(quiet);
    painter.drawText(lower, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, m_origin);
    drawSymbol(painter, lower, m_symbol, quiet);
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

} // namespace meshwright
