// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/hugging_face_config.h"

#include "input/diagnostic.h"
#include "input/field_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace meshwright::hugging_face {

using Json = nlohmann::ordered_json;

namespace {

std::string expected_integer(std::int64_t low, std::int64_t high) {
    return fmt::format("expected an integer from {} to {}", low, high);
}

std::string shown(const Json &value) {
    const std::string text = value.is_structured() ? std::string(value.is_array() ? "an array" : "an object")
                                                   : value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

std::int64_t whole(const Json &value, const std::string &pointer, std::int64_t low, std::int64_t high) {
    const double number = value.is_number() ? value.get<double>() : NAN;
    if (!(number >= static_cast<double>(low) && number <= static_cast<double>(high)) || number != std::floor(number))
        throw InputError(pointer, shown(value) + " is not valid here", expected_integer(low, high));
    return static_cast<std::int64_t>(number);
}

std::string spellings(Keys keys) {
    return listed(std::vector<std::string>(keys.begin(), keys.end()));
}

} // namespace

Config::Config(const Json &object, std::string pointer, std::set<std::string> *read)
    : m_object(&object)
    , m_pointer(std::move(pointer))
    , m_read(read) {
    if (!object.is_object())
        throw InputError(m_pointer, shown(object) + " is not an object", "expected an object");
}

const Json *Config::find(const char *key) const {
    const auto found = m_object->find(key);
    if (found == m_object->end() || found->is_null())
        return nullptr;
    if (m_read != nullptr)
        m_read->insert(m_pointer + "/" + pointer_token(key));
    return &*found;
}

const Json *Config::first(Keys keys, const char *&key) const {
    for (const char *candidate : keys) {
        key = candidate;
        if (const Json *found = find(candidate))
            return found;
    }
    key = *keys.begin();
    return nullptr;
}

void Config::fail(const char *key, std::string message, std::string expected) const {
    throw InputError(m_pointer + "/" + pointer_token(key), std::move(message), std::move(expected));
}

bool Config::has(const char *key) const {
    return find(key) != nullptr;
}

bool Config::is_list(const char *key) const {
    const Json *found = find(key);
    return found != nullptr && found->is_array();
}

std::int64_t Config::count(Keys keys, std::int64_t low, std::int64_t high) const {
    const char *key = nullptr;
    const Json *found = first(keys, key);
    if (found == nullptr)
        fail(key, "missing", expected_integer(low, high) + (keys.size() > 1 ? " under " + spellings(keys) : ""));
    return whole(*found, m_pointer + "/" + pointer_token(key), low, high);
}

std::int64_t Config::count_or(Keys keys, std::int64_t fallback, std::int64_t low, std::int64_t high) const {
    const char *key = nullptr;
    const Json *found = first(keys, key);
    return found == nullptr ? fallback : whole(*found, m_pointer + "/" + pointer_token(key), low, high);
}

double Config::number_or(const char *key, double fallback, double low, double high) const {
    const Json *found = find(key);
    if (found == nullptr)
        return fallback;
    const double number = found->is_number() ? found->get<double>() : NAN;
    if (!(number >= low && number <= high))
        fail(key, shown(*found) + " is not valid here", fmt::format("expected a number from {} to {}", low, high));
    return number;
}

bool Config::flag(Keys keys, bool fallback) const {
    const char *key = nullptr;
    const Json *found = first(keys, key);
    if (found != nullptr && !found->is_boolean())
        fail(key, shown(*found) + " is not valid here", "expected true or false");
    return found == nullptr ? fallback : found->get<bool>();
}

std::string Config::text(const char *key) const {
    const Json *found = find(key);
    if (found != nullptr && !found->is_string())
        fail(key, shown(*found) + " is not valid here", "expected a string");
    return found == nullptr ? std::string() : found->get<std::string>();
}

std::vector<std::int64_t> Config::counts(const char *key, std::int64_t low, std::int64_t high) const {
    const Json *found = find(key);
    if (found == nullptr || !found->is_array())
        fail(key, found == nullptr ? "missing" : shown(*found) + " is not valid here", "expected an array of integers");
    std::vector<std::int64_t> values;
    for (const Json &item : *found)
        values.push_back(whole(item, fmt::format("{}/{}/{}", m_pointer, pointer_token(key), values.size()), low, high));
    return values;
}

std::vector<std::string> Config::words(const char *key) const {
    const Json *found = find(key);
    if (found == nullptr || !found->is_array())
        fail(key, found == nullptr ? "missing" : shown(*found) + " is not valid here", "expected an array of strings");
    std::vector<std::string> values;
    for (const Json &item : *found) {
        if (!item.is_string())
            throw InputError(fmt::format("{}/{}/{}", m_pointer, pointer_token(key), values.size()),
                             shown(item) + " is not valid here", "expected a string");
        values.push_back(item.get<std::string>());
    }
    return values;
}

Config Config::object(const char *key) const {
    const Json *found = find(key);
    if (found == nullptr)
        fail(key, "missing", "expected an object");
    return Config(*found, m_pointer + "/" + pointer_token(key), m_read);
}

std::vector<Config> Config::objects(const char *key) const {
    const Json *found = find(key);
    if (found == nullptr || !found->is_array())
        fail(key, found == nullptr ? "missing" : shown(*found) + " is not valid here", "expected an array of objects");
    std::vector<Config> values;
    for (const Json &item : *found)
        values.emplace_back(item, fmt::format("{}/{}/{}", m_pointer, pointer_token(key), values.size()), m_read);
    return values;
}

void Config::require_length(const char *key, std::size_t length, std::int64_t layers) const {
    if (length < static_cast<std::size_t>(layers))
        fail(key, fmt::format("{} entries for {} layers", length, layers), "expected one entry per layer");
}

void note(Model &model, const std::string &sentence) {
    model.notes += (model.notes.empty() ? "" : " ") + sentence;
}

std::int64_t LayerList::block_index(const Block &block) {
    const auto index = std::find(m_model.blocks.begin(), m_model.blocks.end(), block) - m_model.blocks.begin();
    if (index == static_cast<std::ptrdiff_t>(m_model.blocks.size()))
        m_model.blocks.push_back(block);
    return index;
}

std::int64_t LayerList::add(const Block &block) {
    const std::int64_t index = block_index(block);
    if (m_model.layers.empty() || m_model.layers.back().block != index)
        m_model.layers.push_back({.block = index, .count = 0});
    ++m_model.layers.back().count;
    return index;
}

} // namespace meshwright::hugging_face
