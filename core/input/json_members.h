// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

namespace meshwright {

/// Members of an object in insertion order. ordered_json searches keys linearly, which is too slow for large files.
class JsonMembers {
public:
    bool has(const std::string &key) const { return m_places.contains(key); }
    void set(const std::string &key, nlohmann::ordered_json value) {
        const auto [place, is_new] = m_places.try_emplace(key, static_cast<std::ptrdiff_t>(m_members.size()));
        if (is_new)
            m_members.emplace_back(key, std::move(value));
        else
            (m_members.begin() + place->second)->second = std::move(value);
    }
    nlohmann::ordered_json object() && { return nlohmann::ordered_json(std::move(m_members)); }

private:
    nlohmann::ordered_json::object_t m_members;
    std::unordered_map<std::string, std::ptrdiff_t> m_places;
};

} // namespace meshwright
