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
using SentenceText = FiguredText<QString, FigureTarget>;

/// A figure, or a field, as a sentence says it.
inline SentenceText said(const QString &text, FigureTarget target) {
    return {text, std::move(target)};
}

/// The pattern with its places %1 to %9 taken by the parts, which know where their figures come to stand.
SentenceText filledWith(const QString &pattern, std::initializer_list<SentenceText> parts);
template <typename... Parts>
SentenceText filled(const QString &pattern, const Parts &...parts) {
    const auto worded = [](const auto &part) -> SentenceText {
        if constexpr (std::integral<std::remove_cvref_t<decltype(part)>>)
            return QString::number(part);
        else
            return part;
    };
    return filledWith(pattern, {worded(parts)...});
}
SentenceText joined(const std::vector<SentenceText> &parts, const QString &between);
/// Some of its characters, with the figures, or parts of them, that stand there.
SentenceText partOf(const SentenceText &whole, qsizetype begin, qsizetype length);
/// With a capital.
SentenceText capitalised(SentenceText text);

/// A sentence of the core's, whose places are counted in bytes.
SentenceText shownText(const Sentence &sentence);
/// @param figureOf  what a figure that the sentence names is called in the window
SentenceText shownText(const Sentence &sentence, const std::function<FigureRef(const QString &name)> &figureOf);

} // namespace meshwright
