// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/unit_spin_box.h"
#include "quantities/text.h"

namespace meshwright {

/// A field for an SI value, shown in a unit that suits its size: 1e8 bits/s as "100 Mb/s". A number typed without a
/// unit is in the shown unit; any other unit of the quantity may be typed as well.
class QuantityBox : public UnitSpinBox {
    Q_OBJECT

public:
    explicit QuantityBox(Quantity quantity, QWidget *parent = nullptr);

    /// Shows a value in SI units. Does not emit edited().
    void showQuantity(double value);

protected:
    std::optional<double> parse(const QString &text) const;

private:
    Quantity m_quantity;
};

} // namespace meshwright
