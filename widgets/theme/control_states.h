// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

class QWidget;

namespace meshwright {

/// Emphasis of a button. Stored as a property of the widget, so that it works for any QPushButton or QToolButton.
enum class ButtonRole {
    Default, ///< a neutral surface in the field color
    Primary, ///< filled with the accent color; at most one per card or dialog
    Flat, ///< no surface unless hovered
    Outline, ///< an outline on the background of the panel
};

enum class FieldState {
    Normal,
    Warning, ///< accepted, but with a consequence to check (e.g. a degree that does not divide)
    Rejected, ///< not accepted; the plan still has the last valid value
};

void setButtonRole(QWidget *button, ButtonRole role);
/// If no role is set: Primary for a dialog's default push button, Flat for a flat button, otherwise Default.
ButtonRole buttonRole(const QWidget *button);

/// Works on line edits, spin boxes and combo boxes.
void setFieldState(QWidget *field, FieldState state);
FieldState fieldState(const QWidget *field);

/// Whether a widget that is clicked rather than typed into shows a focus ring: only if the keyboard moved the focus to
/// it.
bool showsFocusRing(const QWidget *widget);

} // namespace meshwright
