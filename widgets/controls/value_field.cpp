// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/value_field.h"

#include "controls/scrolling_wheel.h"
#include "controls/text_undo.h"
#include "theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScopedValueRollback>
#include <QToolTip>

#include <cmath>

namespace meshwright {
namespace {

constexpr int Padding = 8;
constexpr int UnitGap = 6;
constexpr int RowHeight = 24;

} // namespace

ValueField::ValueField(QWidget *parent)
    : QAbstractSpinBox(parent) {
    setButtonSymbols(NoButtons);
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    lineEdit()->setMinimumWidth(0);
    leaveUndoToPlan(this, lineEdit());
    leaveWheelToScrolling(this);
    connect(lineEdit(), &QLineEdit::textEdited, this, [this] {
        m_pending = lineEdit()->isUndoAvailable(); // false if all typing has been undone
        if (!m_pending)
            setRejection({});
    });
}

void ValueField::setUnit(const QString &unit) {
    m_unit = unit;
    placeUnit();
    updateGeometry();
    update();
}

void ValueField::setVisibleDigits(int digits) {
    m_visibleDigits = digits;
    updateGeometry();
}

void ValueField::setWarning(const QString &reason) {
    m_warning = reason;
    applyState();
}

void ValueField::setRejection(const QString &reason) {
    m_rejection = reason;
    applyState();
    if (!reason.isEmpty())
        Q_EMIT rejected(reason);
}

bool ValueField::commit() {
    if (!m_pending)
        return m_rejection.isEmpty();
    m_pending = false;
    const QString reason = take(lineEdit()->text());
    setRejection(reason);
    if (reason.isEmpty())
        showValue();
    return reason.isEmpty();
}

void ValueField::restore() {
    m_pending = false;
    setRejection({});
    showValue();
    lineEdit()->selectAll();
}

void ValueField::showValue() {
    if (m_pending)
        return;
    if (!m_rejection.isEmpty())
        setRejection({});
    showCommitted(lineEdit(), valueText());
}

void ValueField::step(const std::function<void()> &change) {
    const QScopedValueRollback guard(m_stepping, true);
    change();
}

void ValueField::applyState() {
    const FieldState state = !m_rejection.isEmpty() ? FieldState::Rejected
        : !m_warning.isEmpty()                      ? FieldState::Warning
                                                    : FieldState::Normal;
    setFieldState(this, state);
    setAccessibleDescription(!m_rejection.isEmpty() ? m_rejection : m_warning);
}

void ValueField::placeUnit() {
    const int width = m_unit.isEmpty() ? 0 : int(std::ceil(QFontMetricsF(font()).horizontalAdvance(m_unit))) + UnitGap;
    lineEdit()->setTextMargins(0, 0, width, 0);
}

QSize ValueField::sizeHint() const {
    const QFontMetricsF metrics(font());
    const qreal unit = m_unit.isEmpty() ? 0 : metrics.horizontalAdvance(m_unit) + UnitGap;
    return {int(std::ceil(metrics.horizontalAdvance(QLatin1Char('0')) * m_visibleDigits + unit)) + 2 * Padding,
            RowHeight};
}

QSize ValueField::minimumSizeHint() const {
    return {std::min(sizeHint().width(), 48), RowHeight};
}

bool ValueField::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const QString reason = !m_rejection.isEmpty() ? m_rejection : m_warning;
        if (!reason.isEmpty()) {
            QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), reason, this);
            return true;
        }
    }
    return QAbstractSpinBox::event(event);
}

void ValueField::paintEvent(QPaintEvent *event) {
    QAbstractSpinBox::paintEvent(event);
    if (m_unit.isEmpty())
        return;
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    // Same formula as in QLineEdit, so that the unit is on the value's baseline.
    const QFontMetrics metrics = fontMetrics();
    const int baseline = (height() - metrics.height() + 1) / 2 + metrics.ascent();
    const QColor quiet = theme.colour(ColourRole::Text3);
    painter.setPen(isEnabled() ? quiet : mixed(quiet, theme.colour(ColourRole::Card), 0.35));
    painter.drawText(QPointF(width() - Padding - QFontMetricsF(font()).horizontalAdvance(m_unit), baseline), m_unit);
}

void ValueField::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        // If no text is pending, Enter presses the dialog's default button.
        event->setAccepted(m_pending);
        if (m_pending && commit())
            lineEdit()->selectAll();
        Q_EMIT editingFinished();
        return;
    case Qt::Key_Escape:
        event->setAccepted(m_pending || !m_rejection.isEmpty());
        if (event->isAccepted())
            restore();
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        commit();
        break;
    default:
        break;
    }
    QAbstractSpinBox::keyPressEvent(event);
}

void ValueField::focusOutEvent(QFocusEvent *event) {
    // Opening the field's context menu does not count as leaving the field.
    if (event->reason() != Qt::PopupFocusReason)
        commit();
    QAbstractSpinBox::focusOutEvent(event);
}

void ValueField::changeEvent(QEvent *event) {
    QAbstractSpinBox::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        placeUnit();
}

QAbstractSpinBox::StepEnabled ValueField::stepEnabled() const {
    return isReadOnly() ? StepNone : StepUpEnabled | StepDownEnabled;
}

} // namespace meshwright
