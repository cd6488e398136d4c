// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/value_field.h"

#include <functional>
#include <limits>
#include <optional>

namespace meshwright {

/// A field for a 64-bit integer, because token counts exceed an int.
class IntegerBox : public ValueField {
    Q_OBJECT
    Q_PROPERTY(qint64 value READ value WRITE setValue NOTIFY valueChanged USER true)
    Q_PROPERTY(qint64 minimum READ minimum)
    Q_PROPERTY(qint64 maximum READ maximum)

public:
    using Parser = std::function<std::optional<qint64>(const QString &)>;
    using Formatter = std::function<QString(qint64)>;
    /// Returns the value after an arrow or page key. `steps` is negative for down, +10 for Page Up and -10 for Page
    /// Down.
    using Stepper = std::function<qint64(qint64 value, int steps)>;

    explicit IntegerBox(QWidget *parent = nullptr);

    qint64 value() const { return m_value; }
    qint64 minimum() const { return m_minimum; }
    qint64 maximum() const { return m_maximum; }
    /// Inclusive range. Typed values outside it are rejected with a reason, but setValue() does not check it.
    void setRange(qint64 minimum, qint64 maximum);
    /// Default: value + steps. A custom stepper may, for example, move to the next divisor.
    void setStepper(Stepper stepper);
    void setParser(Parser parser);
    void setFormatter(Formatter formatter);

    void stepBy(int steps) override;

public Q_SLOTS:
    /// Does not emit edited(). If the user is typing, the text is replaced when the field loses focus.
    void setValue(qint64 value);

Q_SIGNALS:
    /// Emitted for changes by the user and by the program.
    void valueChanged(qint64 value);
    /// The user confirmed another value with Enter, by leaving the field, or with an arrow key.
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
