// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fix_button.h"

#include "figures/figure_event.h"
#include "theme/surfaces.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>

#include <cmath>
#include <utility>

namespace meshwright {

namespace {
constexpr int buttonHeight = 24;
constexpr int inset = 10;
} // namespace

FixButton::FixButton(QWidget *parent)
    : QPushButton(parent) {
    showsNoFigures(this, NotFigures::setting);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
}

void FixButton::setFix(const Fix &fix, Changes changes) {
    m_changes = std::move(changes);
    if (fix == m_fix)
        return;
    m_fix = fix;
    QString title = QString::fromStdString(fix.title);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    QString plain = title;
    setText(plain.replace(QLatin1Char('&'), QStringLiteral("&&")));
    setAccessibleName(fix.gain.empty() ? tr("Fix: %1").arg(title)
                                       : tr("Fix: %1, gains %2").arg(title, gainTextOf(fix)));
    updateGeometry();
    update();
}

bool FixButton::event(QEvent *event) {
    switch (event->type()) {
    case QEvent::Enter:
    case QEvent::FocusIn:
        if (m_changes) {
            setToolTip(m_changes(m_fix));
            setAccessibleDescription(toolTip());
        }
        Q_EMIT looked(true);
        break;
    case QEvent::Leave:
    case QEvent::FocusOut:
    case QEvent::Hide:
        Q_EMIT looked(false);
        break;
    default:
        break;
    }
    return QPushButton::event(event);
}

QString gainTextOf(const Fix &fix) {
    QString gain = QString::fromStdString(fix.gain);
    if (gain.startsWith(QLatin1Char('-')))
        gain.replace(0, 1, QChar(0x2212));
    return gain;
}

QSize FixButton::sizeHint() const {
    const Theme &theme = Theme::of(this);
    const QFontMetricsF title(theme.font(TypeRole::Body, TextWeight::Medium));
    const qreal width = 2 * inset + title.horizontalAdvance(text().replace(QStringLiteral("&&"), QStringLiteral("&")));
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
    const QRectF line = area.adjusted(inset, 0, -inset, 0);
    painter.setFont(theme.font(TypeRole::Body, TextWeight::Medium));
    painter.setPen(surfaces::buttonInk(theme, ButtonRole::Default, interaction));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
}

} // namespace meshwright
