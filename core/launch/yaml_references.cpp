// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/yaml_references.h"

#include "launch/option_list.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr int deepest_reference = 12;
constexpr std::size_t longest_reference = 2'000;
constexpr std::size_t most_steps = 200'000; ///< maximum number of steps, because nested references expand exponentially

using Path = std::vector<std::string>;

class References {
public:
    explicit References(const Json &document)
        : m_document(document) { }

    /// Resolves the references in a copy of the document or of a part of it.
    void fill(Json &value, Path &path) {
        if (value.is_object()) {
            for (auto &item : value.get_ref<Json::object_t &>()) {
                path.push_back(item.first);
                fill(item.second, path);
                path.pop_back();
            }
        } else if (value.is_array()) {
            for (Json &item : value)
                fill(item, path);
        } else if (value.is_string()) {
            value = text(value.get<std::string>(), path, 0);
        }
    }

private:
    /// A string with its references resolved. A string that is a single reference becomes the referenced value, with
    /// that value's type.
    Json text(const std::string &original, const Path &path, int depth) {
        if (original.find("${") == std::string::npos || original.size() > longest_reference || depth > deepest_reference
            || ++m_steps > most_steps)
            return original;
        std::string result;
        for (std::size_t at = 0; at < original.size();) {
            const std::size_t open = std::min(original.find("${", at), original.size());
            result.append(original, at, open - at);
            if (open == original.size())
                break;
            const std::size_t close = closing_brace(original, open + 1);
            if (close == std::string::npos)
                return original;
            const std::optional<Json> value = reference(original.substr(open + 2, close - open - 2), path, depth + 1);
            if (!value || value->is_structured())
                return original;
            if (open == 0 && close + 1 == original.size())
                return *value;
            result += value_text(*value);
            at = close + 1;
        }
        return result;
    }

    static std::size_t closing_brace(const std::string &text, std::size_t at) {
        int depth = 0;
        for (; at < text.size(); ++at)
            if (text[at] == '{')
                ++depth;
            else if (text[at] == '}' && --depth == 0)
                return at;
        return std::string::npos;
    }

    std::optional<Json> reference(const std::string &inside, const Path &path, int depth) {
        const std::size_t colon = inside.find(':');
        if (colon != std::string::npos)
            return computed(inside.substr(0, colon), inside.substr(colon + 1), path, depth);
        std::size_t dots = 0;
        while (dots < inside.size() && inside[dots] == '.')
            ++dots;
        Path target;
        if (dots > path.size())
            return std::nullopt;
        if (dots > 0)
            target.assign(path.begin(), path.end() - static_cast<std::ptrdiff_t>(dots));
        for (std::size_t at = dots; at <= inside.size();) {
            const std::size_t dot = std::min(inside.find('.', at), inside.size());
            target.push_back(inside.substr(at, dot - at));
            at = dot + 1;
        }
        const Json *found = at(target);
        if (found == nullptr && target.size() > 1 && target.front() == "training") {
            target.erase(target.begin());
            found = at(target);
        }
        if (found == nullptr || found->is_structured())
            return std::nullopt;
        if (!found->is_string())
            return *found;
        Json value = text(found->get<std::string>(), target, depth);
        const bool open = value.is_string() && value.get_ref<const std::string &>().find("${") != std::string::npos;
        return open ? std::nullopt : std::optional(std::move(value));
    }

    std::optional<Json> computed(const std::string &name, const std::string &words, const Path &path, int depth) {
        std::vector<std::string> arguments(1);
        int nested = 0;
        for (const char c : words) {
            nested += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == ',' && nested == 0)
                arguments.emplace_back();
            else if (c != ' ' || !arguments.back().empty())
                arguments.back() += c;
        }
        if (name == "oc.env" || name == "env")
            return arguments.size() > 1 ? std::optional(Json(arguments[1])) : std::nullopt;
        std::vector<double> numbers;
        for (const std::string &argument : arguments) {
            const auto number = spelled_integer(value_text(text(argument, path, depth)));
            if (!number)
                return std::nullopt;
            numbers.push_back(static_cast<double>(*number));
        }
        double result = numbers.front();
        for (std::size_t i = 1; i < numbers.size(); ++i) {
            const double next = numbers[i];
            if (name == "multiply")
                result *= next;
            else if (name == "add")
                result += next;
            else if (name == "subtract")
                result -= next;
            else if (next != 0 && (name == "divide_floor" || name == "divide"))
                result = std::floor(result / next);
            else if (next != 0 && name == "divide_ceil")
                result = std::ceil(result / next);
            else
                return std::nullopt;
        }
        constexpr double most = 9e15;
        return std::abs(result) <= most ? std::optional(Json(static_cast<std::int64_t>(result))) : std::nullopt;
    }

    const Json *at(const Path &path) const {
        const Json *value = &m_document;
        for (const std::string &key : path) {
            if (!value->is_object() || !value->contains(key))
                return nullptr;
            value = &(*value)[key];
        }
        return value;
    }

    const Json &m_document;
    std::size_t m_steps = 0;
};

} // namespace

Json with_references_filled(const Json &document) {
    Json filled = document;
    Path path;
    References(document).fill(filled, path);
    return filled;
}

} // namespace meshwright
