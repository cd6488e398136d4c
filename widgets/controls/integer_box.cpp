// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/integer_box.h"

#include "controls/plain_numbers.h"

#include <algorithm>
#include <utility>

namespace meshwright {

IntegerBox::IntegerBox(QWidget *parent)
    : ValueField(parent) {
    showValue();
}

void IntegerBox::setRange(qint64 minimum, qint64 maximum) {
    m_minimum = minimum;
    m_maximum = maximum;
}

void IntegerBox::setStepper(Stepper stepper) {
    m_stepper = std::move(stepper);
}

void IntegerBox::setParser(Parser parser) {
    m_parser = std::move(parser);
}

void IntegerBox::setFormatter(Formatter formatter) {
    m_formatter = std::move(formatter);
    showValue();
}

void IntegerBox::setValue(qint64 value) {
    if (value != m_value) {
        m_value = value;
        Q_EMIT valueChanged(value);
    }
    showValue();
}

void IntegerBox::assign(qint64 value) {
    if (value == m_value)
        return;
    setValue(value);
    Q_EMIT edited(value);
}

void IntegerBox::stepBy(int steps) {
    qint64 next = m_value;
    if (m_stepper)
        next = m_stepper(m_value, steps);
    else if (__builtin_add_overflow(m_value, qint64(steps), &next))
        return;
    step([this, next] { assign(std::clamp(next, m_minimum, m_maximum)); });
}

QString IntegerBox::take(const QString &text) {
    const std::optional<qint64> value = m_parser ? m_parser(text) : plain_numbers::parseInteger(text, unit());
    if (!value)
        return tr("Must be an integer");
    if (*value < m_minimum)
        return tr("Must be at least %1").arg(plain_numbers::text(m_minimum));
    if (*value > m_maximum)
        return tr("Must be at most %1").arg(plain_numbers::text(m_maximum));
    assign(*value);
    return {};
}

QString IntegerBox::valueText() const {
    return m_formatter ? m_formatter(m_value) : plain_numbers::text(m_value);
}

} // namespace meshwright
