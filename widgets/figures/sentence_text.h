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

/// A text of the window, with the ranges of its figures.
using SentenceText = FiguredText<QString, FigureTarget>;

/// A text that opens `target` wherever it is pressed.
inline SentenceText said(const QString &text, FigureTarget target) {
    return {text, std::move(target)};
}

/// Replaces %1 to %9 in the pattern with the parts, whose figure ranges move with them.
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
/// A range of characters with the figures, or parts of figures, inside it.
SentenceText partOf(const SentenceText &whole, qsizetype begin, qsizetype length);
SentenceText capitalised(SentenceText text);

/// Converts a sentence of the core, whose ranges are counted in UTF-8 bytes.
SentenceText shownText(const Sentence &sentence);
/// @param figureOf  maps a figure's name in the sentence to the figure in the window
SentenceText shownText(const Sentence &sentence, const std::function<FigureRef(const QString &name)> &figureOf);

} // namespace meshwright
