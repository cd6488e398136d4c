// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/control_states.h"

#include <QAbstractSpinBox>

#include <functional>

namespace meshwright {

/// Base of UnitSpinBox and IntegerBox: a right-aligned value with its unit inside the field. Typed text is committed by
/// Enter or loss of focus; Esc restores the value. Undo applies to the text until the commit and to the plan
/// afterwards. The wheel scrolls the area around the field. Text that cannot be parsed or is out of range stays, marked
/// as rejected, and the value does not change.
class ValueField : public QAbstractSpinBox {
    Q_OBJECT
    Q_PROPERTY(QString unit READ unit WRITE setUnit)

public:
    explicit ValueField(QWidget *parent = nullptr);

    QString unit() const { return m_unit; }
    /// Drawn in gray after the value. Not part of the edited text, but the user may type it.
    void setUnit(const QString &unit);
    /// Number of digits that fit into the size hint; 8 by default.
    void setVisibleDigits(int digits);

    /// Marks an accepted value that causes a warning, with an amber ring and a tool tip. An empty reason clears it.
    void setWarning(const QString &reason);
    /// Reason why the text was rejected; empty if it was accepted.
    QString rejection() const { return m_rejection; }
    /// Rejects the text for a reason that depends on the rest of the plan. Cleared by the next accepted edit or
    /// setValue().
    void setRejection(const QString &reason);
    bool hasPendingText() const { return m_pending; }
    /// True while an arrow or page key changes the value. Such steps in quick succession are merged into one undo step.
    bool isStepping() const { return m_stepping; }

    /// Commits the typed text, as if the user had pressed Enter. @returns whether the text was accepted
    bool commit();
    void restore();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void fixup(QString &) const override { }
    QValidator::State validate(QString &, int &) const override { return QValidator::Acceptable; }

Q_SIGNALS:
    void rejected(const QString &reason);

protected:
    /// Parses the text and takes it as the value. @returns the reason for a rejection; empty if the text was accepted
    virtual QString take(const QString &text) = 0;
    virtual QString valueText() const = 0;
    /// Shows valueText(), unless the user is typing.
    void showValue();
    /// Changes the value; isStepping() is true meanwhile.
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
