// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/fact_button.h"

#include "theme/surfaces.h"

#include <QKeyEvent>
#include <QPainter>

namespace meshwright {

namespace {
constexpr int gap = 8;
constexpr int radius = 4;
} // namespace

FactButton::FactButton(QWidget *parent)
    : QAbstractButton(parent) {
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FactButton::setFact(const Fact &fact) {
    m_fact = fact;
    setText(fact.name);
    setAccessibleName(tr("%1: %2").arg(fact.name, fact.value));
    setAccessibleDescription(tr("Shows how this number is calculated"));
    setToolTip(fact.toolTip);
    update();
}

void FactButton::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

QSize FactButton::sizeHint() const {
    const QFontMetrics name(Theme::of(this).font(TypeRole::Body));
    const QFontMetrics value(Theme::of(this).font(TypeRole::Body, TextWeight::Medium));
    return {name.horizontalAdvance(m_fact.name) + gap + value.horizontalAdvance(m_fact.value), name.height()};
}

QSize FactButton::minimumSizeHint() const {
    const QFontMetrics value(Theme::of(this).font(TypeRole::Body, TextWeight::Medium));
    return {value.horizontalAdvance(m_fact.value) + 4 * gap, sizeHint().height()};
}

void FactButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    const bool pointedAt = (underMouse() || isDown()) && isEnabled();
    if (pointedAt)
        surfaces::rounded(painter, rect(), radius, theme.colour(ColourRole::Raised));
    // The focus ring is painted before the text, because it would cover the text.
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), radius, theme);
    const auto ink = [&](ColourRole role) {
        const QColor colour = theme.colour(role);
        return isEnabled() ? colour : mixed(colour, theme.colour(ColourRole::Panel), 0.45);
    };
    const QFont strong = theme.font(TypeRole::Body, TextWeight::Medium);
    const QFont plain = theme.font(TypeRole::Body);
    const int valueWidth = QFontMetrics(strong).horizontalAdvance(m_fact.value);
    painter.setFont(strong);
    painter.setPen(ink(pointedAt ? ColourRole::Accent : m_fact.colour));
    painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, m_fact.value);
    const QRect name = rect().adjusted(0, 0, -valueWidth - gap, 0);
    painter.setFont(plain);
    painter.setPen(ink(ColourRole::Text2));
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetrics(plain).elidedText(m_fact.name, Qt::ElideRight, name.width()));
}

} // namespace meshwright
