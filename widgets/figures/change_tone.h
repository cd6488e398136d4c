// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/preference.h"
#include "theme/roles.h"

namespace meshwright {

/// Good for an improvement, Bad for a deterioration, Neutral if there is no change or neither direction is better.
inline Tone changeTone(Preference preference, double change) {
    if (preference == Preference::none || change == 0)
        return Tone::Neutral;
    return (change < 0) == (preference == Preference::lower) ? Tone::Good : Tone::Bad;
}

/// Color of the bar of a change.
inline Kind changeKind(Tone tone) {
    return tone == Tone::Good ? Kind::Green : tone == Tone::Bad ? Kind::Red : Kind::Blue;
}

} // namespace meshwright
