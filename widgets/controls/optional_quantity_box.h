// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/quantity_box.h"

namespace meshwright {

/// A QuantityBox for a field that a plan may leave out: it then shows what holds instead ("unlimited"). Emptying it, or
/// typing that word, leaves the field out again.
class OptionalQuantityBox : public QuantityBox {
    Q_OBJECT

public:
    /// What edited() says when the field is to be left out. No quantity of a plan is below 0.
    static constexpr double LeftOut = -1;

    /// @param low, high  in SI, both at least 0
    OptionalQuantityBox(Quantity quantity, const QString &word, double low, double high, QWidget *parent = nullptr);

    void showOptional(const std::optional<double> &value);
    /// What holds where the field is left out.
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
