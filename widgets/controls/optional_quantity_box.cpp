// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/optional_quantity_box.h"

namespace meshwright {

OptionalQuantityBox::OptionalQuantityBox(Quantity quantity, const QString &word, double low, double high,
                                         QWidget *parent)
    : QuantityBox(quantity, parent)
    , m_word(word)
    , m_low(low) {
    setRange(LeftOut, high);
    setParser([this](const QString &text) { return parseOptional(text); });
    showOptional({});
}

void OptionalQuantityBox::showOptional(const std::optional<double> &value) {
    if (value) {
        showQuantity(*value);
        return;
    }
    setUnit({});
    setValue(LeftOut);
}

void OptionalQuantityBox::setWord(const QString &word) {
    m_word = word;
    showValue();
}

void OptionalQuantityBox::stepBy(int steps) {
    if (value() != LeftOut && value() + steps * singleStep() >= m_low)
        QuantityBox::stepBy(steps);
}

QString OptionalQuantityBox::valueText() const {
    return value() == LeftOut ? m_word : QuantityBox::valueText();
}

std::optional<double> OptionalQuantityBox::parseOptional(const QString &text) const {
    const QString typed = text.trimmed();
    if (typed.isEmpty() || typed == m_word)
        return LeftOut;
    const std::optional<double> read = parse(typed);
    return read && *read >= m_low ? read : std::nullopt;
}

} // namespace meshwright
