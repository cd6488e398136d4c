// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/slider_accessible.h"

#include "controls/plain_numbers.h"
#include "controls/stepped_slider.h"

#include <QAccessible>

#include <algorithm>

namespace meshwright {
namespace {

QAccessibleInterface *create(const QString &, QObject *object) {
    auto *slider = qobject_cast<SteppedSlider *>(object);
    return slider ? new SliderAccessible(slider) : nullptr;
}

} // namespace

SliderAccessible::SliderAccessible(SteppedSlider *slider)
    : QAccessibleWidget(slider, QAccessible::Slider) { }

void SliderAccessible::installFactory() {
    static const bool installed = [] {
        QAccessible::installFactory(create);
        return true;
    }();
    Q_UNUSED(installed)
}

SteppedSlider *SliderAccessible::slider() const {
    return static_cast<SteppedSlider *>(object());
}

void *SliderAccessible::interface_cast(QAccessible::InterfaceType type) {
    if (type == QAccessible::ValueInterface)
        return static_cast<QAccessibleValueInterface *>(this);
    return QAccessibleWidget::interface_cast(type);
}

QString SliderAccessible::text(QAccessible::Text type) const {
    return type == QAccessible::Value ? plain_numbers::text(slider()->stop()) : QAccessibleWidget::text(type);
}

QVariant SliderAccessible::currentValue() const {
    return qlonglong(slider()->stop());
}

void SliderAccessible::setCurrentValue(const QVariant &value) {
    const QVector<qint64> &stops = slider()->stops();
    if (stops.isEmpty())
        return;
    const qint64 wanted = value.toLongLong();
    const auto nearest = std::min_element(stops.cbegin(), stops.cend(), [wanted](qint64 first, qint64 second) {
        return std::abs(first - wanted) < std::abs(second - wanted);
    });
    slider()->setValue(int(nearest - stops.cbegin()));
}

QVariant SliderAccessible::maximumValue() const {
    return slider()->stops().isEmpty() ? QVariant() : qlonglong(slider()->stops().back());
}

QVariant SliderAccessible::minimumValue() const {
    return slider()->stops().isEmpty() ? QVariant() : qlonglong(slider()->stops().front());
}

QVariant SliderAccessible::minimumStepSize() const {
    return 1;
}

} // namespace meshwright
