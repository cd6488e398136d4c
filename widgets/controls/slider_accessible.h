// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessibleWidget>

namespace meshwright {

class SteppedSlider;

/// Reports the value itself ("tensor 8") to assistive technology. Qt's own interface would report its index.
class SliderAccessible : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit SliderAccessible(SteppedSlider *slider);

    /// May be called repeatedly.
    static void installFactory();

    void *interface_cast(QAccessible::InterfaceType type) override;
    QString text(QAccessible::Text type) const override;
    QVariant currentValue() const override;
    /// Moves to the nearest valid value.
    void setCurrentValue(const QVariant &value) override;
    QVariant maximumValue() const override;
    QVariant minimumValue() const override;
    QVariant minimumStepSize() const override;

private:
    SteppedSlider *slider() const;
};

} // namespace meshwright
