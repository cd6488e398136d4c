// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/derivation.h"

#include "quantities/units.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <deque>
#include <functional>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

/// Assigns a number to each derivation of a tree. Nodes that differ only in name, title or figure share a number.
class Derivations {
public:
    explicit Derivations(const Derivation &tree)
        : m_root(number(tree)) { }

    std::size_t root() const { return m_root; }
    /// Numbers of a node's inputs, in their order. @pre there are inputs
    const std::vector<std::size_t> &of(const SharedInputs &inputs) const {
        return m_of_inputs.find(inputs.identity())->second;
    }

private:
    std::size_t number(const Derivation &node) {
        const std::vector<std::size_t> &inputs = numbers_of(node.inputs);
        std::string &derivation = m_key;
        derivation.clear();
        add(derivation, node.value);
        add(derivation, node.quantity);
        add(derivation, node.origin);
        for (const std::string *text : {&node.formula, &node.source, &node.field, &node.calculator, &node.result})
            add(derivation, *text);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            for (const std::string *text : {&node.inputs[i].name, &node.inputs[i].title, &node.inputs[i].figure})
                add(derivation, *text);
            add(derivation, inputs[i]);
        }
        const auto known = m_numbers.find(std::string_view(derivation));
        const std::size_t own = known != m_numbers.end() ? known->second : m_numbers.size();
        if (known == m_numbers.end())
            m_numbers.emplace(derivation, own);
        return own;
    }

    const std::vector<std::size_t> &numbers_of(const SharedInputs &inputs) {
        if (const auto known = m_of_inputs.find(inputs.identity()); known != m_of_inputs.end())
            return known->second;
        std::vector<std::size_t> numbers;
        numbers.reserve(inputs.size());
        for (const Derivation &input : inputs)
            numbers.push_back(number(input));
        return m_of_inputs.emplace(inputs.identity(), std::move(numbers)).first->second;
    }

    template <typename Value>
    requires std::is_trivially_copyable_v<Value>
    static void add(std::string &key, const Value &value) {
        std::array<char, sizeof(Value)> bytes;
        std::memcpy(bytes.data(), &value, sizeof(Value));
        key.append(bytes.data(), bytes.size());
    }
    static void add(std::string &key, const std::string &text) {
        add(key, text.size());
        key += text;
    }

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
    };

    std::string m_key; ///< reused buffer: most keys are already known, so they need no string of their own
    /// The key is the derivation as bytes, without its name, title and figure. Each string is preceded by its length.
    std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> m_numbers;
    std::unordered_map<const void *, std::vector<std::size_t>> m_of_inputs; ///< by SharedInputs::identity()
    std::size_t m_root; ///< initialized last, because its initializer fills the other members
};

/// Writes the tree level by level, so that a shared derivation is printed at its occurrence nearest to the root.
class SharedTree {
public:
    explicit SharedTree(const Derivation &tree)
        : m_derivations(tree) {
        m_waiting.push_back(
            {.node = &tree, .derivation = m_derivations.root(), .json = &m_root, .pointer = {}, .depth = 0});
        while (!m_waiting.empty()) {
            const Place place = std::move(m_waiting.front());
            m_waiting.pop_front();
            write(place);
        }
    }
    Json take() { return std::move(m_root); }

private:
    struct Place {
        const Derivation *node;
        std::size_t derivation; ///< its number
        Json *json;
        std::string pointer;
        int depth; ///< 0 for the root, 1 for a figure of the result
    };

    void write(const Place &place) {
        const Derivation &node = *place.node;
        Json &json = *place.json;
        const std::string *const same = given_before(place);
        json = Json::object();
        // Filled in place, because a braced list copies every text.
        auto &object = json.get_ref<Json::object_t &>();
        constexpr std::size_t most_keys = 14;
        object.reserve(most_keys);
        object.emplace("name", node.name);
        object.emplace("title", node.title);
        object.emplace("value", node.value);
        object.emplace("unit", units_of(node.quantity).front().name);
        object.emplace("formula", same != nullptr ? std::string() : node.formula);
        object.emplace("substituted", same != nullptr ? std::string() : node.substituted());
        object.emplace("source", same != nullptr ? std::string("explained at its first occurrence") : node.source);
        object.emplace("origin", name_of(node.origin));
        if (!node.field.empty())
            object.emplace("field", node.field);
        if (!node.calculator.empty()) {
            object.emplace("calculator", node.calculator);
            object.emplace("result", node.result);
        }
        if (!node.figure.empty())
            object.emplace("figure", node.figure);
        if (same != nullptr)
            object.emplace("same", *same);
        object.emplace("inputs", Json::array());
        if (same == nullptr)
            write_inputs(place);
    }
    /// Pointer of an earlier node with the same derivation; null for the first occurrence, a leaf or a figure.
    const std::string *given_before(const Place &place) {
        if (place.node->inputs.empty())
            return nullptr;
        const auto [first, is_new] = m_first.try_emplace(place.derivation, place.pointer);
        return is_new || place.depth <= 1 ? nullptr : &first->second;
    }
    void write_inputs(const Place &place) {
        const SharedInputs &inputs = place.node->inputs;
        Json &array = (*place.json)["inputs"];
        array = Json(inputs.size(), nullptr); // sized once, so that pointers to its elements stay valid
        if (inputs.empty())
            return;
        const std::vector<std::size_t> &derivations = m_derivations.of(inputs);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            m_waiting.push_back({.node = &inputs[i],
                                 .derivation = derivations[i],
                                 .json = &array[i],
                                 .pointer = fmt::format("{}/inputs/{}", place.pointer, i),
                                 .depth = place.depth + 1});
    }

    Derivations m_derivations;
    Json m_root;
    std::deque<Place> m_waiting;
    std::unordered_map<std::size_t, std::string> m_first;
};

} // namespace

nlohmann::ordered_json to_json(const Derivation &derivation) {
    return SharedTree(derivation).take();
}

} // namespace meshwright
