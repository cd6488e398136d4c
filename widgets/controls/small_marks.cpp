// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/small_marks.h"

#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>

#include <cmath>

namespace meshwright {

StatusDot::StatusDot(Tone tone, QWidget *parent)
    : QWidget(parent)
    , m_tone(tone) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StatusDot::setTone(Tone tone) {
    m_tone = tone;
    update();
}

void StatusDot::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    QRectF dot(0, 0, 6, 6);
    dot.moveCenter(QRectF(rect()).center());
    surfaces::rounded(painter, dot, 3, Theme::of(this).ink(m_tone));
}

Rule::Rule(QWidget *parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Rule::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::of(this).colour(ColourRole::Line));
}

IconLabel::IconLabel(const QString &name, ColourRole colour, int size, QWidget *parent)
    : QWidget(parent)
    , m_name(name)
    , m_colour(colour)
    , m_size(size) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void IconLabel::setIconName(const QString &name) {
    m_name = name;
    update();
}

void IconLabel::setColour(ColourRole colour) {
    m_colour = colour;
    update();
}

void IconLabel::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    icons::paint(painter, rect(), m_name, Theme::of(this).colour(m_colour));
}

LinkButton::LinkButton(const QString &text, QWidget *parent)
    : QAbstractButton(parent) {
    setText(text);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void LinkButton::setTrailingIcon(const QString &name) {
    m_trailingIcon = name;
    updateGeometry();
    update();
}

QSize LinkButton::sizeHint() const {
    const QFontMetricsF metrics(Theme::of(this).font(TypeRole::Caption));
    return {int(std::ceil(metrics.horizontalAdvance(text()))) + (m_trailingIcon.isEmpty() ? 0 : 16) + 4, 18};
}

void LinkButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    const QColor ink = theme.colour(underMouse() ? ColourRole::Accent : ColourRole::Text3);
    painter.setFont(theme.font(TypeRole::Caption));
    painter.setPen(ink);
    const QRectF area = QRectF(rect()).adjusted(2, 0, -2, 0);
    painter.drawText(area, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text());
    if (!m_trailingIcon.isEmpty())
        icons::paint(painter, QRectF(area.right() - 12, area.center().y() - 6, 12, 12), m_trailingIcon, ink);
    painter.setPen(QPen(mixed(ink, theme.colour(ColourRole::Card), 0.3), 1, Qt::DotLine));
    painter.drawLine(QPointF(area.left(), area.bottom() - 1.5), QPointF(area.right(), area.bottom() - 1.5));
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), 4, theme);
}

LockButton::LockButton(QWidget *parent)
    : QAbstractButton(parent) {
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setAccessibleName(tr("Lock this value in the search"));
    setToolTip(tr("While this value is locked, the search does not change it"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void LockButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    QRectF icon(0, 0, 14, 14);
    icon.moveCenter(QRectF(rect()).center());
    const ColourRole role = isChecked() ? ColourRole::Accent : underMouse() ? ColourRole::Text : ColourRole::Text3;
    icons::paint(painter, icon, isChecked() ? QStringLiteral("lock") : QStringLiteral("unlock"), theme.colour(role));
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), 5, theme);
}

} // namespace meshwright
