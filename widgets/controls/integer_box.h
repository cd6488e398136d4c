// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/value_field.h"

#include <functional>
#include <limits>
#include <optional>

namespace meshwright {

/// A field for a whole number of up to 64 bits (token counts do not fit an int).
class IntegerBox : public ValueField {
    Q_OBJECT
    Q_PROPERTY(qint64 value READ value WRITE setValue NOTIFY valueChanged USER true)
    Q_PROPERTY(qint64 minimum READ minimum)
    Q_PROPERTY(qint64 maximum READ maximum)

public:
    using Parser = std::function<std::optional<qint64>(const QString &)>;
    using Formatter = std::function<QString(qint64)>;
    /// The value that an arrow key leads to; `steps` is negative for down and ±10 for Page Up and Down.
    using Stepper = std::function<qint64(qint64 value, int steps)>;

    explicit IntegerBox(QWidget *parent = nullptr);

    qint64 value() const { return m_value; }
    qint64 minimum() const { return m_minimum; }
    qint64 maximum() const { return m_maximum; }
    /// Inclusive. Typed values outside are rejected with a reason; set values are taken as they are.
    void setRange(qint64 minimum, qint64 maximum);
    /// At first value + steps. A stepper may go to the next value that divides.
    void setStepper(Stepper stepper);
    void setParser(Parser parser);
    void setFormatter(Formatter formatter);

    void stepBy(int steps) override;

public Q_SLOTS:
    /// Does not emit edited(). While the user types, the text stays; it is replaced when they leave.
    void setValue(qint64 value);

Q_SIGNALS:
    /// Every change, from wherever.
    void valueChanged(qint64 value);
    /// The user has committed another value by Enter, leaving or arrow key.
    void edited(qint64 value);

protected:
    QString take(const QString &text) override;
    QString valueText() const override;

private:
    void assign(qint64 value);

    qint64 m_value = 0;
    qint64 m_minimum = 0;
    qint64 m_maximum = std::numeric_limits<qint64>::max();
    Parser m_parser;
    Formatter m_formatter;
    Stepper m_stepper;
};

} // namespace meshwright
