// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/pill.h"

#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>

#include <cmath>

namespace meshwright {
namespace {

constexpr qreal Padding = 10;
constexpr qreal IconSide = 12;
constexpr qreal IconGap = 4;

QFont pillFont(const Theme &theme) {
    return theme.font(TypeRole::Caption, TextWeight::Medium);
}

} // namespace

Pill::Pill(const QString &text, Tone tone, QWidget *parent)
    : QWidget(parent)
    , m_tone(tone) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setText(text);
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &Pill::updateGeometry);
}

void Pill::setText(const QString &text) {
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void Pill::setTone(Tone tone) {
    m_tone = tone;
    update();
}

void Pill::setIconName(const QString &name) {
    m_iconName = name;
    updateGeometry();
    update();
}

QSize Pill::sizeHint() const {
    return {int(std::ceil(width(Theme::of(this), m_text, !m_iconName.isEmpty()))), Height};
}

qreal Pill::width(const Theme &theme, const QString &text, bool withIcon) {
    if (text.isEmpty() && withIcon)
        return Height;
    return 2 * Padding + QFontMetricsF(pillFont(theme)).horizontalAdvance(text) + (withIcon ? IconSide + IconGap : 0);
}

void Pill::paint(QPainter &painter, const QRectF &rect, const Theme &theme, const QString &text, Tone tone,
                 const QString &iconName) {
    surfaces::rounded(painter, rect, rect.height() / 2, theme.softFill(tone));
    painter.save();
    painter.setFont(pillFont(theme));
    painter.setPen(theme.ink(tone));
    qreal left = text.isEmpty() ? rect.center().x() - IconSide / 2 : rect.left() + Padding;
    if (!iconName.isEmpty()) {
        icons::paint(painter, QRectF(left, rect.center().y() - IconSide / 2, IconSide, IconSide), iconName,
                     theme.ink(tone));
        left += IconSide + IconGap;
    }
    painter.drawText(QRectF(left, rect.top(), rect.right() - left, rect.height()),
                     Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text);
    painter.restore();
}

void Pill::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    paint(painter, rect(), Theme::of(this), m_text, m_tone, m_iconName);
}

PillButton::PillButton(const QString &text, QWidget *parent)
    : QAbstractButton(parent) {
    setText(text);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize PillButton::sizeHint() const {
    return {int(std::ceil(Pill::width(Theme::of(this), text(), false))), Pill::Height + 2};
}

void PillButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    const QRectF area = QRectF(rect()).adjusted(0, 1, 0, -1);
    Pill::paint(painter, area, theme, text(), isChecked() ? Tone::Accent : Tone::Neutral, {});
    if ((underMouse() || isDown()) && isEnabled())
        surfaces::rounded(painter, area, area.height() / 2, {}, theme.colour(ColourRole::LineStrong));
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), rect().height() / 2.0, theme);
}

} // namespace meshwright
