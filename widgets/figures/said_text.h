// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/sentence.h"

#include <QString>

#include <concepts>
#include <functional>
#include <initializer_list>
#include <utility>
#include <variant>
#include <vector>

namespace meshwright {

/// A field of the plan that is shown, by its JSON pointer.
struct PlanField {
    explicit PlanField(QString place)
        : pointer(std::move(place)) { }
    explicit PlanField(const char *place)
        : pointer(QLatin1String(place)) { }
    QString pointer;
    bool operator==(const PlanField &) const = default;
};

/// What a figure in a sentence opens: its explanation, by its path, or the field that it is.
using FigureTarget = std::variant<QString, PlanField>;
/// A text of the window with the figures that it says.
using SaidText = FiguredText<QString, FigureTarget>;

/// Its path, or its field's pointer.
inline QString openedBy(const FigureTarget &target) {
    const auto *const field = std::get_if<PlanField>(&target);
    return field != nullptr ? field->pointer : std::get<QString>(target);
}

/// A figure of the plan's result as a sentence says it.
inline SaidText said(const QString &text, const QString &figure) {
    return {text, FigureTarget(figure)};
}
inline SaidText said(const QString &text, const char *figure) {
    return said(text, QString(QLatin1String(figure)));
}
inline SaidText said(const QString &text, PlanField field) {
    return {text, FigureTarget(std::move(field))};
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
SaidText shownText(const Sentence &sentence, const std::function<FigureTarget(const QString &name)> &figureOf);

} // namespace meshwright
