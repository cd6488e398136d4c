// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLineEdit;
class QString;
class QWidget;

namespace meshwright {

/// Undo and redo keys belong to the text only while something typed is not yet committed; from the commit on they
/// belong to the plan.
/// @param focus  what receives the keys: the line itself, or the spin box around it
void leaveUndoToPlan(QWidget *focus, QLineEdit *line);

/// Shows a text that nobody types: what was typed before is forgotten and no undo brings it back. The cursor and the
/// selection stay where the text is the same.
void showCommitted(QLineEdit *line, const QString &text);

/// Takes what is being typed in a field of the window, as leaving the field would.
void commitTyping(const QWidget &window);

} // namespace meshwright
