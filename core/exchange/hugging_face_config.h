// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright::hugging_face {

using Keys = std::initializer_list<const char *>;

/// One object of a `config.json`. Some fields have several spellings, and the first one present is used; null counts as
/// absent. Every invalid value throws an InputError with its pointer.
class Config {
public:
    /// @param read  if not null, receives the pointers of all values that are read
    explicit Config(const nlohmann::ordered_json &object, std::string pointer = {},
                    std::set<std::string> *read = nullptr);

    bool has(const char *key) const;
    bool is_list(const char *key) const;
    std::int64_t count(Keys keys, std::int64_t low, std::int64_t high) const;
    std::int64_t count_or(Keys keys, std::int64_t fallback, std::int64_t low, std::int64_t high) const;
    double number_or(const char *key, double fallback, double low, double high) const;
    bool flag(Keys keys, bool fallback) const;
    std::string text(const char *key) const; ///< empty if absent
    std::vector<std::int64_t> counts(const char *key, std::int64_t low, std::int64_t high) const;
    std::vector<std::string> words(const char *key) const;
    Config object(const char *key) const;
    std::vector<Config> objects(const char *key) const;

    /// Requires a list to have at least one entry per layer. Entries for MTP modules may follow at the end.
    void require_length(const char *key, std::size_t length, std::int64_t layers) const;
    [[noreturn]] void fail(const char *key, std::string message, std::string expected) const;

private:
    const nlohmann::ordered_json *find(const char *key) const;
    const nlohmann::ordered_json *first(Keys keys, const char *&key) const;

    const nlohmann::ordered_json *m_object;
    std::string m_pointer;
    std::set<std::string> *m_read;
};

void note(Model &model, const std::string &sentence);

/// Builds a model's `blocks` and `layers` from one block per layer.
class LayerList {
public:
    explicit LayerList(Model &model)
        : m_model(model) { }
    std::int64_t add(const Block &block); ///< returns the block's index
    std::int64_t block_index(const Block &block);

private:
    Model &m_model;
};

} // namespace meshwright::hugging_face
