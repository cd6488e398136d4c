// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/control_states.h"

#include <QAbstractSpinBox>

#include <functional>

namespace meshwright {

/// What UnitSpinBox and IntegerBox share: a right-aligned value with its unit inside the field. Typing changes nothing
/// until Enter or the loss of focus; Esc brings the value back; undo belongs to the text until then and to the plan
/// from then on; the wheel scrolls what is around the field. Text that is not understood or out of range is kept and
/// marked rejected, and the value stays as it was.
class ValueField : public QAbstractSpinBox {
    Q_OBJECT
    Q_PROPERTY(QString unit READ unit WRITE setUnit)

public:
    explicit ValueField(QWidget *parent = nullptr);

    QString unit() const { return m_unit; }
    /// Drawn after the value, in the quiet ink. Not part of the text that is edited, though it may be typed.
    void setUnit(const QString &unit);
    /// Widest value, in figures, that the size hint makes room for; 8 at first.
    void setVisibleDigits(int digits);

    /// Accepted, with a consequence to look at: amber ring and tooltip. An empty reason clears it.
    void setWarning(const QString &reason);
    /// Why the text in the field is not the value; empty if it is.
    QString rejection() const { return m_rejection; }
    /// For a refusal that only the plan can know. Cleared by the next accepted edit or by setting a value.
    void setRejection(const QString &reason);
    /// Whether something was typed that is not yet committed.
    bool hasPendingText() const { return m_pending; }
    /// True while an arrow or page key changes the value: steps in quick succession are one gesture.
    bool isStepping() const { return m_stepping; }

    /// Takes the typed text as if Enter had been pressed. True if the text was understood.
    bool commit();
    void restore();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void fixup(QString &) const override { }
    QValidator::State validate(QString &, int &) const override { return QValidator::Acceptable; }

Q_SIGNALS:
    void rejected(const QString &reason);

protected:
    /// Empty if the text was taken as a new or the same value, else the reason why not.
    virtual QString take(const QString &text) = 0;
    virtual QString valueText() const = 0;
    /// Shows valueText(), unless the user is in the midst of typing.
    void showValue();
    /// Runs a change of the value that isStepping() tells from one that was typed.
    void step(const std::function<void()> &change);

    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;
    StepEnabled stepEnabled() const override;

private:
    void applyState();
    void placeUnit();

    QString m_unit;
    QString m_warning;
    QString m_rejection;
    int m_visibleDigits = 8;
    bool m_pending = false;
    bool m_stepping = false;
};

} // namespace meshwright
