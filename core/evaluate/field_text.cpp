// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/field_text.h"

#include "catalog/stack_fields.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string_view>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct UnitOfKey {
    std::string_view ending;
    Quantity quantity;
};
/// Units by the ending of a field's name. The first match counts, so a rate ("tokens_per_second") stands before its
/// parts ("seconds").
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

/// The quantity by the innermost name with a unit, which may not be the last:
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

    /// The elements of a list; equal ones in a row are counted ("2 × 8").
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
                return texts_with(Digits::all);
    return texts;
}

} // namespace meshwright
