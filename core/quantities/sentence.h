// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace meshwright {

/// A text with the positions of the figures in it.
/// @tparam Target what a figure refers to
template <typename Text, typename Target>
struct FiguredText {
    using Size = typename Text::size_type;
    struct Figure {
        Size begin = 0;
        Size length = 0;
        Target target;
        bool operator==(const Figure &) const = default;
    };

    Text text;
    std::vector<Figure> figures; ///< from left to right

    FiguredText() = default;
    template <typename Plain>
    requires std::convertible_to<Plain, Text>
    // Plain text converts implicitly. The constraint excludes FiguredText, so copying is not affected.
    // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload)
    FiguredText(Plain &&plain)
        : text(std::forward<Plain>(plain)) { }
    FiguredText(Text figure, Target target)
        : text(std::move(figure)) {
        figures.push_back({0, text.size(), std::move(target)});
    }

    bool empty() const { return text.size() == 0; }
    FiguredText &operator+=(const FiguredText &more) {
        for (Figure figure : more.figures) {
            figure.begin += text.size();
            figures.push_back(std::move(figure));
        }
        text += more.text;
        return *this;
    }
    friend FiguredText operator+(FiguredText first, const FiguredText &second) { return std::move(first += second); }
    bool operator==(const FiguredText &) const = default;
};

/// A field of the plan by its JSON pointer (RFC 6901).
struct FieldPointer {
    explicit FieldPointer(std::string place)
        : pointer(std::move(place)) { }
    std::string pointer;
    bool operator==(const FieldPointer &) const = default;
};
/// The target of a figure in a sentence: the path of its derivation ("memory.peak_bytes"), or a field of the plan.
using SaidTarget = std::variant<std::string, FieldPointer>;
/// UTF-8 text with references for its figures.
using Sentence = FiguredText<std::string, SaidTarget>;

std::vector<std::string> texts_of(const std::vector<Sentence> &sentences);

/// Replaces the "{}" placeholders in a pattern with the parts, in order.
Sentence filled_with(std::string_view pattern, std::initializer_list<Sentence> parts);
template <typename... Parts>
Sentence filled(std::string_view pattern, const Parts &...parts) {
    const auto worded = [](const auto &part) -> Sentence {
        if constexpr (std::convertible_to<decltype(part), Sentence>)
            return part;
        else
            return fmt::to_string(part);
    };
    return filled_with(pattern, {worded(parts)...});
}

} // namespace meshwright
