// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/surfaces.h"

#include <QStyle>
#include <QStyleOption>

namespace meshwright {

/// The state to draw. Widgets that are clicked show a focus ring only if the keyboard moved the focus to them.
inline surfaces::Interaction interactionOf(const QStyleOption *option) {
    const QStyle::State state = option->state;
    return {.enabled = bool(state & QStyle::State_Enabled),
            .hovered = bool(state & QStyle::State_MouseOver),
            .pressed = bool(state & QStyle::State_Sunken),
            .checked = bool(state & QStyle::State_On),
            .focused = (state & QStyle::State_HasFocus) && (state & QStyle::State_KeyboardFocusChange)};
}

} // namespace meshwright
