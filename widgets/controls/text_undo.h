// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLineEdit;
class QString;
class QWidget;

namespace meshwright {

/// Makes undo and redo keys act on the text only while it is uncommitted. Otherwise they act on the plan.
/// @param focus  the widget that receives the keys: the line itself, or the spin box around it
void leaveUndoToPlan(QWidget *focus, QLineEdit *line);

/// Sets a text as committed and clears the undo history of the line. Cursor and selection stay if the text is
/// unchanged.
void showCommitted(QLineEdit *line, const QString &text);

/// Commits the text being typed in a field of the window, as if the field had lost the focus.
void commitTyping(const QWidget &window);

} // namespace meshwright
