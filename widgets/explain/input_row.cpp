// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/input_row.h"

#include "explain/derivation_text.h"
#include "theme/surfaces.h"

#include <QPainter>

namespace meshwright {

namespace {
constexpr int padding = 8;
constexpr int gap = 12;
constexpr int rowHeight = 38;
} // namespace

InputRow::InputRow(QWidget *parent)
    : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void InputRow::showInput(const Derivation &input) {
    m_name = QString::fromStdString(input.name);
    m_title = titleOf(input);
    m_value = valueTextOf(input);
    m_origin = originTextOf(input);
    setAccessibleName(tr("%1, %2, %3").arg(m_title, m_value, m_origin));
    setToolTip(m_name + QLatin1Char('\n') + m_title);
    update();
}

QSize InputRow::sizeHint() const {
    return {240, rowHeight};
}

void InputRow::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    if (underMouse() || isDown())
        surfaces::rounded(painter, rect(), Theme::radius(Corner::Field),
                          theme.colour(isDown() ? ColourRole::Raised : ColourRole::Field));
    const QFont strong = theme.font(TypeRole::Body, TextWeight::Medium);
    const QFont quiet = theme.font(TypeRole::Caption);
    const QRect upper(padding, 3, width() - 2 * padding, 17);
    const QRect lower(padding, 19, width() - 2 * padding, 16);
    const auto draw = [&](const QRect &area, const QFont &font, ColourRole role, Qt::Alignment side,
                          const QString &text) {
        painter.setFont(font);
        painter.setPen(theme.colour(role));
        painter.drawText(area, int(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                         QFontMetrics(font).elidedText(text, Qt::ElideRight, area.width()));
    };
    const int valueWidth = QFontMetrics(strong).horizontalAdvance(m_value) + gap;
    const int originWidth = QFontMetrics(quiet).horizontalAdvance(m_origin) + gap;
    draw(upper, strong, ColourRole::Text, Qt::AlignRight, m_value);
    draw(upper.adjusted(0, 0, -valueWidth, 0), theme.font(TypeRole::Body), ColourRole::Text, Qt::AlignLeft, m_title);
    draw(lower, quiet, ColourRole::Text3, Qt::AlignRight, m_origin);
    draw(lower.adjusted(0, 0, -originWidth, 0), quiet, ColourRole::Text3, Qt::AlignLeft,
         QString(m_name).replace(QLatin1Char('_'), QLatin1Char(' ')));
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

} // namespace meshwright
