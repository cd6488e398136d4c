// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/unit_spin_box.h"

#include "controls/plain_numbers.h"
#include "figures/figure_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {

UnitSpinBox::UnitSpinBox(QWidget *parent)
    : ValueField(parent) {
    showValue();
}

void UnitSpinBox::setRange(double minimum, double maximum) {
    m_minimum = minimum;
    m_maximum = maximum;
}

void UnitSpinBox::setSingleStep(double step) {
    m_step = step;
}

void UnitSpinBox::setParser(Parser parser) {
    m_parser = std::move(parser);
}

void UnitSpinBox::setFormatter(Formatter formatter) {
    m_formatter = std::move(formatter);
    showValue();
}

void UnitSpinBox::setValue(double value) {
    if (value != m_value) {
        m_value = value;
        Q_EMIT valueChanged(value);
    }
    showValue();
}

void UnitSpinBox::assign(double value) {
    if (value == m_value)
        return;
    setValue(value);
    Q_EMIT edited(value);
}

void UnitSpinBox::stepBy(int steps) {
    step([this, steps] { assign(std::clamp(m_value + steps * m_step, m_minimum, m_maximum)); });
}

QString UnitSpinBox::take(const QString &text) {
    // Committing unchanged text must not round the value to the displayed digits.
    if (text.trimmed() == valueText())
        return {};
    const std::optional<double> value = m_parser ? m_parser(text) : plain_numbers::parseReal(text, unit());
    if (!value || !std::isfinite(*value))
        return unit().isEmpty() ? tr("Must be a number") : tr("Must be a number in %1").arg(unit());
    const auto show = [this](double bound) { return m_formatter ? m_formatter(bound) : plain_numbers::text(bound); };
    if (*value < m_minimum)
        return tr("Must be at least %1").arg(withUnit(show(m_minimum), unit()));
    if (*value > m_maximum)
        return tr("Must be at most %1").arg(withUnit(show(m_maximum), unit()));
    assign(*value);
    return {};
}

QString UnitSpinBox::valueText() const {
    return m_formatter ? m_formatter(m_value) : plain_numbers::text(m_value);
}

} // namespace meshwright
