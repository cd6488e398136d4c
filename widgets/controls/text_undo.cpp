// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/text_undo.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>

namespace meshwright {
namespace {

bool isUndo(const QKeyEvent &key) {
    return key.matches(QKeySequence::Undo);
}

/// Whether the key is the platform's redo key, or one of the window's own redo keys, which are the same on all
/// platforms.
bool isRedo(const QKeyEvent &key) {
    return key.matches(QKeySequence::Redo)
        || (key.key() == Qt::Key_Z && key.modifiers() == (Qt::ControlModifier | Qt::ShiftModifier));
}

class UndoKeys : public QObject {
public:
    UndoKeys(QWidget *focus, QLineEdit *line)
        : QObject(focus)
        , m_line(line) {
        focus->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject * /*watched*/, QEvent *event) override {
        // A line edit claims the undo and redo keys even if it has nothing to undo, so the window's shortcuts would
        // never run.
        if (event->type() != QEvent::ShortcutOverride)
            return false;
        const auto &key = *static_cast<QKeyEvent *>(event);
        const bool typed = m_line->isUndoAvailable();
        const bool leave = (isUndo(key) && !typed) || (isRedo(key) && !typed && !m_line->isRedoAvailable());
        if (leave)
            event->ignore();
        return leave;
    }

private:
    QLineEdit *m_line;
};

} // namespace

void leaveUndoToPlan(QWidget *focus, QLineEdit *line) {
    new UndoKeys(focus, line);
}

void showCommitted(QLineEdit *line, const QString &text) {
    const bool same = line->text() == text;
    if (same && !line->isUndoAvailable() && !line->isRedoAvailable())
        return;
    const int cursor = line->cursorPosition();
    const int start = line->selectionStart();
    const int length = line->selectionLength();
    line->setText(text); // setText() would clear the undo history of the field
    if (!same) {
        if (line->hasFocus() || (line->focusProxy() != nullptr && line->focusProxy()->hasFocus()))
            line->selectAll();
        else
            line->setCursorPosition(0); // scroll to the start of a long text
    } else if (start >= 0) {
        line->setSelection(start, length);
    } else {
        line->setCursorPosition(cursor);
    }
}

void commitTyping(const QWidget &window) {
    const QPointer<QWidget> field = window.focusWidget();
    if (field == nullptr)
        return;
    const auto *line = qobject_cast<QAbstractSpinBox *>(field) != nullptr ? field->findChild<QLineEdit *>()
                                                                          : qobject_cast<QLineEdit *>(field);
    if (line == nullptr || !line->isUndoAvailable())
        return;
    field->clearFocus();
    // The field gets the focus back unless it has closed: an editor in a table closes when the table takes the focus.
    if (field != nullptr && field->isVisible() && window.focusWidget() == nullptr)
        field->setFocus(Qt::OtherFocusReason);
}

} // namespace meshwright
