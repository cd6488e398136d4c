// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/control_states.h"

#include <QPushButton>
#include <QToolButton>
#include <QVariant>
#include <QWidget>

namespace meshwright {
namespace {

constexpr char ButtonRoleProperty[] = "meshwrightButtonRole";
constexpr char FieldStateProperty[] = "meshwrightFieldState";

} // namespace

void setButtonRole(QWidget *button, ButtonRole role) {
    button->setProperty(ButtonRoleProperty, static_cast<int>(role));
    button->update();
}

ButtonRole buttonRole(const QWidget *button) {
    if (!button)
        return ButtonRole::Default;
    if (const QVariant role = button->property(ButtonRoleProperty); role.isValid())
        return static_cast<ButtonRole>(role.toInt());
    if (const auto *push = qobject_cast<const QPushButton *>(button))
        return push->isFlat() ? ButtonRole::Flat : push->isDefault() ? ButtonRole::Primary : ButtonRole::Default;
    if (qobject_cast<const QToolButton *>(button))
        return ButtonRole::Flat;
    return ButtonRole::Default;
}

void setFieldState(QWidget *field, FieldState state) {
    if (fieldState(field) == state)
        return;
    field->setProperty(FieldStateProperty, static_cast<int>(state));
    field->update();
}

FieldState fieldState(const QWidget *field) {
    return field ? static_cast<FieldState>(field->property(FieldStateProperty).toInt()) : FieldState::Normal;
}

bool showsFocusRing(const QWidget *widget) {
    return widget->hasFocus() && widget->window()->testAttribute(Qt::WA_KeyboardFocusChange);
}

} // namespace meshwright
