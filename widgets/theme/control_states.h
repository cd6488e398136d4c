// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

class QWidget;

namespace meshwright {

/// How much a button asks to be pressed. Kept on the widget, so that any QPushButton or QToolButton can have it.
enum class ButtonRole {
    Default, ///< a quiet field-coloured surface
    Primary, ///< filled with the accent; at most one in a card or dialog
    Flat, ///< no surface until hovered
    Outline, ///< a line around the panel's own tone
};

/// What a field thinks of its content.
enum class FieldState {
    Normal,
    Warning, ///< accepted, yet it has a consequence to look at (a degree that does not divide)
    Rejected, ///< not accepted: the plan still holds the last good value
};

void setButtonRole(QWidget *button, ButtonRole role);
/// Unset: Primary for a dialog's default push button, Flat for a flat one, else Default.
ButtonRole buttonRole(const QWidget *button);

/// Works on line edits, spin boxes and combo boxes.
void setFieldState(QWidget *field, FieldState state);
FieldState fieldState(const QWidget *field);

/// Whether to draw a focus ring on something that is clicked rather than typed into: it has the focus, and the keyboard
/// is what moves it.
bool showsFocusRing(const QWidget *widget);

} // namespace meshwright
