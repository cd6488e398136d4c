// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/toggle_switch.h"

#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>
#include <QVariantAnimation>

namespace meshwright {

ToggleSwitch::ToggleSwitch(const QString &name, QWidget *parent)
    : QAbstractButton(parent)
    , m_slide(new QVariantAnimation(this)) {
    setText(name);
    setAccessibleName(name);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_slide, &QVariantAnimation::valueChanged, this, [this](const QVariant &value) {
        m_position = value.toReal();
        update();
    });
    connect(this, &QAbstractButton::toggled, this, [this](bool on) {
        m_slide->stop();
        const qreal target = on ? 1 : 0;
        const int duration = Theme::duration(Motion::Hover);
        if (duration == 0 || !isVisible()) {
            m_position = target;
            update();
            return;
        }
        m_slide->setDuration(duration);
        m_slide->setStartValue(m_position);
        m_slide->setEndValue(target);
        m_slide->start();
    });
}

void ToggleSwitch::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    QRectF rail(0, 0, 28, 16);
    rail.moveCenter(QRectF(rect()).center());
    QColor fill = mixed(theme.colour(ColourRole::LineStrong), theme.colour(ColourRole::AccentFill), m_position);
    if (!isEnabled())
        fill = mixed(fill, theme.colour(ColourRole::Card), 0.6);
    else if (underMouse())
        fill = mixed(fill, theme.colour(ColourRole::Text), 0.08);
    surfaces::rounded(painter, rail, 8, fill);
    QRectF knob(0, 0, 12, 12);
    knob.moveCenter({rail.left() + 8 + 12 * m_position, rail.center().y()});
    surfaces::rounded(painter, knob, 6, theme.colour(ColourRole::OnAccent));
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rail.adjusted(-2, -2, 2, 2), 10, theme);
}

} // namespace meshwright
