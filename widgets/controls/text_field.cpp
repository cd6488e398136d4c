// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/text_field.h"

#include "controls/text_undo.h"
#include "theme/control_states.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

namespace meshwright {

TextField::TextField(QWidget *parent)
    : QLineEdit(parent) {
    leaveUndoToPlan(this, this);
    connect(this, &QLineEdit::textEdited, this, [this] {
        m_pending = isUndoAvailable();
        if (!m_pending)
            setRejection({});
    });
    connect(this, &QLineEdit::editingFinished, this, &TextField::commit);
}

void TextField::showText(const QString &text) {
    m_shown = text;
    if (m_pending)
        return;
    setRejection({});
    showCommitted(this, text);
}

void TextField::setRejection(const QString &reason) {
    if (reason == m_rejection)
        return;
    m_rejection = reason;
    m_refused = text();
    setFieldState(this, reason.isEmpty() ? FieldState::Normal : FieldState::Rejected);
    setAccessibleDescription(reason);
}

void TextField::commit() {
    if (!m_rejection.isEmpty() && text() == m_refused)
        return;
    m_pending = false;
    setRejection({});
    if (text() != m_shown)
        Q_EMIT committed(text());
    if (m_rejection.isEmpty() && !m_pending)
        showCommitted(this, m_shown);
}

void TextField::restore() {
    m_pending = false;
    showText(m_shown);
    selectAll();
}

bool TextField::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip && !m_rejection.isEmpty()) {
        QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), m_rejection, this);
        return true;
    }
    return QLineEdit::event(event);
}

void TextField::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Escape && (m_pending || !m_rejection.isEmpty())) {
        restore();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace meshwright
