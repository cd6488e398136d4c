// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

/// Purpose of a color. Surfaces are ordered by elevation from Window to Raised; the text roles have a contrast of at
/// least 4.5 : 1 on all of them.
enum class ColourRole {
    Window,
    Panel,
    Card,
    Field,
    Raised,
    Line,
    LineStrong,
    Grid,
    Text,
    Text2,
    Text3,
    Accent,
    AccentFill,
    OnAccent,
    AccentSoft,
    Good,
    GoodSoft,
    Warn,
    WarnSoft,
    Bad,
    BadSoft,
    Focus,
    Shadow,
};
inline constexpr int ColourRoleCount = static_cast<int>(ColourRole::Shadow) + 1;

/// Categorical colors of charts. They are distinguishable under the three common color-vision deficiencies, but are
/// never the only cue: a letter, a label, the order or hatching conveys the same information.
enum class Kind { Blue, Cyan, Green, Yellow, Red, Purple, Purple2, Grey };
inline constexpr int KindCount = static_cast<int>(Kind::Grey) + 1;

enum class ThemeMode { System, Light, Dark };

/// The type scale in logical pixels: 11, 12, 14, 18, 28.
enum class TypeRole { Caption, Body, Emphasis, Title, Figure };
inline constexpr int TypeRoleCount = static_cast<int>(TypeRole::Figure) + 1;

enum class TextWeight { Regular = 400, Medium = 500, SemiBold = 600 };

/// Spacing in logical pixels: 4, 8, 12, 16, 24, 32.
enum class Space { Xs = 4, S = 8, M = 12, L = 16, Xl = 24, Xxl = 32 };

/// Corner radii in logical pixels: 2, 6, 6, 10, 12.
enum class Corner { Mark, Field, Button, Card, Popup };

enum class Motion { Hover, Press, Panel, Zoom };

/// Meaning of a badge, which selects its text color and light fill.
enum class Tone { Neutral, Accent, Good, Warn, Bad };

} // namespace meshwright
