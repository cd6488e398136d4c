// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "quantities/sentence.h"

#include <QString>

#include <concepts>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

namespace meshwright {

/// A text of the window with the figures that it says.
using SaidText = FiguredText<QString, FigureTarget>;

/// A figure, or a field, as a sentence says it.
inline SaidText said(const QString &text, FigureTarget target) {
    return {text, std::move(target)};
}

/// The pattern with its places %1 to %9 taken by the parts, which know where their figures come to stand.
SaidText filledWith(const QString &pattern, std::initializer_list<SaidText> parts);
template <typename... Parts>
SaidText filled(const QString &pattern, const Parts &...parts) {
    const auto worded = [](const auto &part) -> SaidText {
        if constexpr (std::integral<std::remove_cvref_t<decltype(part)>>)
            return QString::number(part);
        else
            return part;
    };
    return filledWith(pattern, {worded(parts)...});
}
SaidText joined(const std::vector<SaidText> &parts, const QString &between);
/// Some of its characters, with the figures, or parts of them, that stand there.
SaidText partOf(const SaidText &whole, qsizetype begin, qsizetype length);
/// With a capital.
SaidText capitalised(SaidText text);

/// A sentence of the core's, whose places are counted in bytes.
SaidText shownText(const Sentence &sentence);
/// @param figureOf  what a figure that the sentence names is called in the window
SaidText shownText(const Sentence &sentence, const std::function<FigureRef(const QString &name)> &figureOf);

} // namespace meshwright
