// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/field_text.h"

#include "catalog/stack_fields.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct UnitOfKey {
    std::string_view ending;
    Quantity quantity;
};
/// Units by the ending of a field's name. The first match counts, so a rate ("tokens_per_second") precedes its parts
/// ("seconds").
constexpr UnitOfKey units_of_keys[] = {
    {"bytes_per_second", Quantity::bytes_per_second},
    {"bits_per_second", Quantity::bits_per_second},
    {"flops_per_second", Quantity::flops_per_second},
    {"flops_per_second_per_accelerator", Quantity::flops_per_second},
    {"dollars_per_hour", Quantity::dollars_per_hour},
    {"dollars_per_accelerator_hour", Quantity::dollars_per_hour},
    {"dollars_per_kilowatt_hour", Quantity::dollars_per_kilowatt_hour},
    {"bytes", Quantity::bytes},
    {"seconds", Quantity::seconds},
    {"flops", Quantity::flops},
    {"watts", Quantity::watts},
    {"joules", Quantity::joules},
    {"dollars", Quantity::dollars},
    {"tokens", Quantity::tokens},
};

bool is_plain(Quantity quantity) {
    return quantity == Quantity::number || quantity == Quantity::count;
}

Quantity quantity_of_key(std::string_view key) {
    if (const StackField *const field = find_stack_field(key); field != nullptr && !is_plain(field->quantity))
        return field->quantity;
    for (const UnitOfKey &unit : units_of_keys)
        if (key == unit.ending || (key.ends_with(unit.ending) && key[key.size() - unit.ending.size() - 1] == '_'))
            return unit.quantity;
    return Quantity::number;
}

/// The quantity of a field, from the innermost name that has a unit. That may not be the last name:
/// "/cluster/accelerator/peak_flops_per_second/bf16".
Quantity quantity_at(std::string_view pointer) {
    for (int level = 0; level < 2 && !pointer.empty(); ++level) {
        const std::size_t slash = pointer.rfind('/');
        if (const Quantity found = quantity_of_key(pointer.substr(slash + 1)); !is_plain(found))
            return found;
        pointer = pointer.substr(0, slash);
    }
    return Quantity::number;
}

enum class Digits { rounded, all };

class FieldWriter {
public:
    explicit FieldWriter(Digits digits)
        : m_digits(digits) { }

    std::string text(const Json &value, Quantity quantity) const {
        if (value.is_null())
            return "-";
        if (value.is_boolean())
            return value.get<bool>() ? "on" : "off";
        if (value.is_number())
            return number(value.get<double>(), quantity);
        if (value.is_array())
            return list(value, quantity);
        return value.is_object() ? object(value) : value.get<std::string>();
    }

private:
    std::string number(double value, Quantity quantity) const {
        constexpr double largest_whole = 1e15;
        if (is_plain(quantity) && value == std::floor(value) && std::abs(value) < largest_whole)
            return grouped(value);
        return m_digits == Digits::all || is_plain(quantity) ? exact_text(value, quantity) : text_of(value, quantity);
    }

    /// The elements of a list. Equal elements in a row are written once with their count ("2 × 8").
    std::string list(const Json &values, Quantity quantity) const {
        if (values.empty())
            return "none";
        std::string all;
        for (std::size_t i = 0, next = 0; i < values.size(); i = next) {
            while (next < values.size() && values[next] == values[i])
                ++next;
            const std::string one = text(values[i], quantity);
            all += (i == 0 ? "" : ", ") + (next - i > 1 ? fmt::format("{} × {}", next - i, one) : one);
        }
        return all;
    }

    std::string object(const Json &value) const {
        if (m_digits == Digits::rounded && value.contains("name") && value["name"].is_string())
            return value["name"].get<std::string>();
        std::string all;
        for (const auto &[key, part] : value.items())
            all += fmt::format("{}{}: {}", all.empty() ? "" : ", ", key, text(part, quantity_of_key(key)));
        return all.empty() ? "none" : all;
    }

    Digits m_digits;
};

constexpr std::size_t max_columns = 40;
constexpr std::string_view between_parts = ", ";
constexpr std::string_view left_out = "…";

bool begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::size_t bytes_of_columns(std::string_view text, std::size_t columns) {
    std::size_t bytes = 0;
    for (; bytes < text.size(); ++bytes)
        if (begins_character(text[bytes]) && columns-- == 0)
            break;
    return bytes;
}

std::string count_prefix(const Json &value) {
    return value.is_array() ? fmt::format("{} values: ", value.size())
        : value.is_object() ? fmt::format("{} fields: ", value.size())
                            : std::string();
}

/// Shortens a long text to the part around `from`. The part begins with the element that contains `from`, unless that
/// is too long.
std::string cut(std::string_view text, std::size_t from, std::string head) {
    if (columns_of(text) <= max_columns)
        return std::string(text);
    from = std::min(from, text.size() - 1);
    const std::size_t before = from == 0 ? std::string_view::npos : text.rfind(between_parts, from - 1);
    std::size_t start = before != std::string_view::npos ? before + between_parts.size() : 0;
    if (columns_of(text.substr(start, from - start)) > max_columns / 2)
        start = from;
    while (start > 0 && !begins_character(text[start]))
        --start;
    std::string_view shown = text.substr(start);
    if (start > 0) {
        head += left_out;
        if (text.substr(0, start).ends_with(between_parts))
            head += between_parts;
    }
    const std::size_t room = max_columns - columns_of(head);
    if (columns_of(shown) <= room)
        return head + std::string(shown);
    shown = shown.substr(0, bytes_of_columns(shown, room - between_parts.size() - columns_of(left_out)));
    const std::size_t end = shown.rfind(between_parts);
    return end == std::string_view::npos ? fmt::format("{}{}{}", head, shown, left_out)
                                         : fmt::format("{}{}{}{}", head, shown.substr(0, end), between_parts, left_out);
}

std::size_t common_length(const std::vector<std::string> &texts, const std::set<std::size_t> &places) {
    const std::string &first = texts[*places.begin()];
    std::size_t common = first.size();
    for (const std::size_t i : places)
        common = std::min<std::size_t>(
            common, std::mismatch(first.begin(), first.end(), texts[i].begin(), texts[i].end()).first - first.begin());
    return common;
}

/// Cuts long texts around their first difference. If the cut texts of a group are equal, they are cut again around
/// their own first difference.
std::vector<std::string> cut_to_width(const std::vector<Json> &values, const std::vector<std::string> &texts) {
    std::vector<std::string> all = texts;
    std::set<std::size_t> places;
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (columns_of(texts[i]) > max_columns)
            places.insert(i);
    std::vector<std::set<std::size_t>> waiting;
    if (!places.empty())
        waiting.push_back(std::move(places));
    while (!waiting.empty()) {
        const std::set<std::size_t> group = std::move(waiting.back());
        waiting.pop_back();
        const std::size_t common = common_length(texts, group);
        const bool are_equal =
            std::all_of(group.begin(), group.end(), [&](std::size_t i) { return texts[i].size() == common; });
        std::map<std::string, std::set<std::size_t>> alike;
        for (const std::size_t i : group) {
            all[i] = cut(texts[i], are_equal ? 0 : common, count_prefix(values[i]));
            alike[all[i]].insert(i);
        }
        if (!are_equal)
            for (const auto &[text, same] : alike)
                if (same.size() > 1 && same.size() < group.size())
                    waiting.push_back(same);
    }
    return all;
}

} // namespace

std::vector<std::string> field_texts(const std::string &pointer, const std::vector<Json> &values) {
    const Quantity quantity = quantity_at(pointer);
    const auto texts_with = [&](Digits digits) {
        const FieldWriter writer(digits);
        std::vector<std::string> texts;
        for (const Json &value : values)
            texts.push_back(writer.text(value, quantity));
        return texts;
    };
    std::vector<std::string> texts = texts_with(Digits::rounded);
    for (std::size_t i = 1; i < values.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (values[i] != values[j] && texts[i] == texts[j])
                return cut_to_width(values, texts_with(Digits::all));
    return cut_to_width(values, texts);
}

} // namespace meshwright
