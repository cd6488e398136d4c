// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/field_mark.h"

#include <QVariant>
#include <QWidget>

namespace meshwright {

namespace {
constexpr const char *fieldProperty = "planField";
} // namespace

void markAsField(QWidget *widget, const QString &pointer) {
    widget->setProperty(fieldProperty, pointer.isEmpty() ? QVariant() : QVariant(pointer));
}

QWidget *markedField(QWidget *widget) {
    while (widget != nullptr && fieldOf(widget).isEmpty())
        widget = widget->parentWidget();
    return widget;
}

QString fieldOf(const QWidget *widget) {
    return widget->property(fieldProperty).toString();
}

} // namespace meshwright
