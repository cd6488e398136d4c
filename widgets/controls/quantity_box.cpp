// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/quantity_box.h"

#include <cmath>

namespace meshwright {

namespace {

/// Number and unit, "100" and "Mb/s". The number is exact, so that committing the unchanged text does not round.
ValueText exactParts(double value, Quantity quantity) {
    return std::isfinite(value) ? exact_parts(value, quantity) : ValueText{};
}

} // namespace

QuantityBox::QuantityBox(Quantity quantity, QWidget *parent)
    : UnitSpinBox(parent)
    , m_quantity(quantity) {
    setParser([this](const QString &text) { return parse(text); });
    setFormatter([this](double value) { return QString::fromStdString(exactParts(value, m_quantity).number); });
}

void QuantityBox::showQuantity(double value) {
    const QString unit = QString::fromStdString(exactParts(value, m_quantity).unit);
    if (unit != this->unit()) {
        setUnit(unit);
        // An arrow key changes the value by 1 in the shown unit.
        const auto one = quantity_from("1 " + unit.toStdString(), m_quantity);
        setSingleStep(one.value_or(1));
    }
    setValue(value);
}

std::optional<double> QuantityBox::parse(const QString &text) const {
    const QString typed = text.trimmed();
    bool plain = false;
    QString digits = typed;
    digits.remove(QLatin1Char(',')).toDouble(&plain);
    if (plain && !unit().isEmpty())
        return quantity_from(typed.toStdString() + ' ' + unit().toStdString(), m_quantity);
    return quantity_from(typed.toStdString(), m_quantity);
}

} // namespace meshwright
