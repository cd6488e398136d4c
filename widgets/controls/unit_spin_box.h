// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/value_field.h"

#include <functional>
#include <limits>
#include <optional>

namespace meshwright {

/// A field for a real number with a unit. The value has full precision; only its text is rounded.
class UnitSpinBox : public ValueField {
    Q_OBJECT
    Q_PROPERTY(double value READ value WRITE setValue NOTIFY valueChanged USER true)
    Q_PROPERTY(double minimum READ minimum)
    Q_PROPERTY(double maximum READ maximum)
    Q_PROPERTY(double singleStep READ singleStep WRITE setSingleStep)

public:
    /// Parses typed text, unit included, to a value in the field's unit; empty if it cannot be parsed.
    using Parser = std::function<std::optional<double>(const QString &)>;
    using Formatter = std::function<QString(double)>;

    explicit UnitSpinBox(QWidget *parent = nullptr);

    double value() const { return m_value; }
    double minimum() const { return m_minimum; }
    double maximum() const { return m_maximum; }
    /// Inclusive range. Typed values outside it are rejected with a reason; setValue() does not check it.
    void setRange(double minimum, double maximum);
    double singleStep() const { return m_step; }
    void setSingleStep(double step);
    /// Default: accepts a number with or without thousands separators, optionally followed by the field's unit.
    void setParser(Parser parser);
    /// Formats the value without its unit. Default: up to six significant digits with thousands separators.
    void setFormatter(Formatter formatter);

    void stepBy(int steps) override;

public Q_SLOTS:
    /// Does not emit edited(). Text that the user is typing stays until the field loses focus, and is then replaced.
    void setValue(double value);

Q_SIGNALS:
    /// The value has changed, by the user or by the program.
    void valueChanged(double value);
    /// The user has committed another value with Enter, by leaving the field, or with an arrow key.
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
