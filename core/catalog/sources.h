// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace meshwright {

class FieldReader;

/// Sources of a preset's values: one text per field, keyed by JSON name ("memory_bytes", or
/// "peak_flops_per_second.bf16" if nested). Copies share the texts, because searches and the table of measured runs
/// hold thousands of plans.
class Sources {
public:
    using Texts = std::map<std::string, std::string>;

    Sources() = default;
    explicit Sources(Texts texts)
        : m_texts(texts.empty() ? nullptr : std::make_shared<const Texts>(std::move(texts))) { }

    const Texts &texts() const {
        static const Texts none;
        return m_texts ? *m_texts : none;
    }
    bool empty() const { return !m_texts; }
    /// Null if the field has no source.
    const std::string *find(const std::string &field) const {
        const auto found = texts().find(field);
        return found == texts().end() ? nullptr : &found->second;
    }
    void set(const std::string &field, std::string source) {
        Texts changed = texts();
        changed[field] = std::move(source);
        *this = Sources(std::move(changed));
    }
    bool operator==(const Sources &other) const { return m_texts == other.m_texts || texts() == other.texts(); }

private:
    std::shared_ptr<const Texts> m_texts; ///< null if there are no sources
};

void read_sources(FieldReader &reader, Sources &sources);
/// Adds "sources" at the end of `value` unless there are none.
void write_sources(nlohmann::ordered_json &value, const Sources &sources);

} // namespace meshwright
