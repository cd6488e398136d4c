// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/quantity_box.h"

namespace meshwright {

/// A QuantityBox for a field that a plan may omit. For an omitted field, it shows a word for the default ("unlimited").
/// Clearing it or typing that word omits the field.
class OptionalQuantityBox : public QuantityBox {
    Q_OBJECT

public:
    /// Value of edited() if the field should be omitted. No quantity of a plan is negative.
    static constexpr double LeftOut = -1;

    /// @param low, high  in SI units, both at least 0
    OptionalQuantityBox(Quantity quantity, const QString &word, double low, double high, QWidget *parent = nullptr);

    void showOptional(const std::optional<double> &value);
    void setWord(const QString &word);
    void stepBy(int steps) override;

protected:
    QString valueText() const override;

private:
    std::optional<double> parseOptional(const QString &text) const;

    QString m_word;
    double m_low;
};

} // namespace meshwright
