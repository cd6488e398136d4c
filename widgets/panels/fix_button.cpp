// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/fix_button.h"

#include "theme/surfaces.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace meshwright {

namespace {
constexpr int buttonHeight = 24;
constexpr int inset = 10;
constexpr int between = 6;
} // namespace

FixButton::FixButton(QWidget *parent)
    : QPushButton(parent) {
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
}

void FixButton::setFix(const Fix &fix) {
    if (fix == m_fix)
        return;
    m_fix = fix;
    QString title = QString::fromStdString(fix.title);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    QString plain = title;
    setText(plain.replace(QLatin1Char('&'), QStringLiteral("&&")));
    setAccessibleName(gainText().isEmpty() ? tr("Fix: %1").arg(title) : tr("Fix: %1, gains %2").arg(title, gainText()));
    updateGeometry();
    update();
}

QString FixButton::gainText() const {
    QString gain = QString::fromStdString(m_fix.gain);
    if (gain.startsWith(QLatin1Char('-')))
        gain.replace(0, 1, QChar(0x2212));
    return gain;
}

QSize FixButton::sizeHint() const {
    const Theme &theme = Theme::of(this);
    const QFontMetricsF title(theme.font(TypeRole::Body, TextWeight::Medium));
    qreal width = 2 * inset + title.horizontalAdvance(text().replace(QStringLiteral("&&"), QStringLiteral("&")));
    if (!m_fix.gain.empty())
        width +=
            between + QFontMetricsF(theme.font(TypeRole::Body, TextWeight::SemiBold)).horizontalAdvance(gainText());
    return {static_cast<int>(std::ceil(width)) + 1, buttonHeight};
}

void FixButton::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const surfaces::Interaction interaction{.enabled = isEnabled(),
                                            .hovered = underMouse(),
                                            .pressed = isDown(),
                                            .checked = false,
                                            .focused = showsFocusRing(this)};
    const QRectF area = rect();
    surfaces::button(painter, area, theme, ButtonRole::Default, interaction);
    QString title = text();
    title.replace(QStringLiteral("&&"), QStringLiteral("&"));
    QRectF line = area.adjusted(inset, 0, -inset, 0);
    painter.setFont(theme.font(TypeRole::Body, TextWeight::Medium));
    painter.setPen(surfaces::buttonInk(theme, ButtonRole::Default, interaction));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
    if (m_fix.gain.empty())
        return;
    line.setLeft(line.left() + painter.fontMetrics().horizontalAdvance(title) + between);
    painter.setFont(theme.font(TypeRole::Body, TextWeight::SemiBold));
    painter.setPen(theme.colour(isEnabled() ? ColourRole::Good : ColourRole::Text3));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, gainText());
}

} // namespace meshwright
