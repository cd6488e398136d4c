// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/value_field.h"

#include <functional>
#include <limits>
#include <optional>

namespace meshwright {

/// A field for a real number with a unit. The number is kept at full precision; only its text is rounded.
class UnitSpinBox : public ValueField {
    Q_OBJECT
    Q_PROPERTY(double value READ value WRITE setValue NOTIFY valueChanged USER true)
    Q_PROPERTY(double minimum READ minimum)
    Q_PROPERTY(double maximum READ maximum)
    Q_PROPERTY(double singleStep READ singleStep WRITE setSingleStep)

public:
    /// From what was typed, unit and all, to the value in the field's unit; nothing if it is not understood.
    using Parser = std::function<std::optional<double>(const QString &)>;
    using Formatter = std::function<QString(double)>;

    explicit UnitSpinBox(QWidget *parent = nullptr);

    double value() const { return m_value; }
    double minimum() const { return m_minimum; }
    double maximum() const { return m_maximum; }
    /// Inclusive. Typed values outside are rejected with a reason; set values are taken as they are.
    void setRange(double minimum, double maximum);
    double singleStep() const { return m_step; }
    void setSingleStep(double step);
    /// At first: figures with or without thousands separators, and the field's own unit behind them if at all.
    void setParser(Parser parser);
    /// Without the unit. At first: up to six significant figures with thousands separators.
    void setFormatter(Formatter formatter);

    void stepBy(int steps) override;

public Q_SLOTS:
    /// Does not emit edited(). While the user types, the text stays; it is replaced when they leave.
    void setValue(double value);

Q_SIGNALS:
    /// Every change, from wherever.
    void valueChanged(double value);
    /// The user has committed another value by Enter, leaving or arrow key.
    void edited(double value);

protected:
    QString take(const QString &text) override;
    QString valueText() const override;

private:
    void assign(double value);

    double m_value = 0;
    double m_minimum = std::numeric_limits<double>::lowest();
    double m_maximum = std::numeric_limits<double>::max();
    double m_step = 1;
    Parser m_parser;
    Formatter m_formatter;
};

} // namespace meshwright
