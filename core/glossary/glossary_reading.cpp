// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary/glossary_reading.h"

#include "glossary/words.h"
#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "input/schema_version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view glossary_schema = "meshwright.glossary/1";
constexpr std::size_t max_problems = 100; ///< a broken file may have many problems, but only one line is shown
constexpr std::size_t longest_name = 60; ///< maximum bytes of a term or an alias
constexpr std::size_t longest_text = 2000; ///< maximum bytes of any other text

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_id(std::string_view id) {
    return !id.empty() && id.size() <= longest_name && id.front() != '-' && id.back() != '-'
        && std::all_of(id.begin(), id.end(),
                       [](char c) { return c == '-' || (is_letter_or_digit(c) && !(c >= 'A' && c <= 'Z')); });
}

/// Requires two characters, because single letters would be found in every text.
bool is_name(std::string_view name) {
    constexpr std::string_view marks = " -'./:%+";
    return name.size() >= 2 && name.size() <= longest_name && is_letter_or_digit(name.front())
        && is_letter_or_digit(name.back()) && name.find("  ") == std::string_view::npos
        && std::all_of(name.begin(), name.end(),
                       [&](char c) { return is_letter_or_digit(c) || marks.find(c) != std::string_view::npos; });
}

void read_texts(FieldReader &reader, std::string_view key, std::vector<std::string> &texts) {
    const Json *const found = reader.raw(key);
    if (found == nullptr)
        return;
    const bool are_strings = found->is_array()
        && std::all_of(found->begin(), found->end(), [](const Json &item) { return item.is_string(); });
    if (!are_strings) {
        reader.problem(key, "not an array of strings", "expected an array of strings");
        return;
    }
    texts = found->get<std::vector<std::string>>();
}

void read_line(FieldReader &reader, std::string_view key, std::string &text) {
    if (!reader.text(key, text))
        return;
    const bool is_line = std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (!is_line || text.size() > longest_text)
        reader.problem(key, is_line ? fmt::format("is too long: {} bytes", text.size()) : "contains control characters",
                       fmt::format("expected one line of at most {} bytes", longest_text));
}

void read_term(FieldReader &reader, GlossaryTerm &term) {
    for (const char *const key : {"id", "term", "definition"})
        reader.require(key, "expected a string");
    if (reader.text("id", term.id) && !is_id(term.id))
        reader.problem("id", "not a valid id", "expected lower-case letters, digits and hyphens");
    const std::string name_expected = fmt::format("expected 2 to {} letters, digits, spaces and hyphens", longest_name);
    if (reader.text("term", term.term) && !is_name(term.term))
        reader.problem("term", "not a valid name", name_expected);
    read_texts(reader, "aliases", term.aliases);
    if (!std::all_of(term.aliases.begin(), term.aliases.end(), is_name))
        reader.problem("aliases", "contains an invalid name", name_expected);
    read_line(reader, "definition", term.definition);
    if (reader.has("definition") && term.definition.empty())
        reader.problem("definition", "is empty", "expected a sentence");
    read_line(reader, "formula", term.formula);
    read_line(reader, "source", term.source);
    read_texts(reader, "see_also", term.see_also);
    read_texts(reader, "fields", term.fields);
    reader.boolean("in_text", term.in_text);
}

/// Checks that ids, names and fields are unique and that terms refer only to other terms.
class Relations {
public:
    Relations(const std::vector<GlossaryTerm> &terms, std::vector<Diagnostic> &problems)
        : m_terms(terms)
        , m_problems(problems) { }

    void check() {
        for (std::size_t i = 0; i < m_terms.size(); ++i)
            claim(m_ids, m_terms[i].id, "id", i, "id");
        for (std::size_t i = 0; i < m_terms.size() && m_problems.size() < max_problems; ++i) {
            const GlossaryTerm &term = m_terms[i];
            claim(m_names, folded_name(term.term), "name", i, "term");
            for (const std::string &alias : term.aliases)
                claim(m_names, folded_name(alias), "name", i, "aliases");
            for (const std::string &field : term.fields) {
                if (!field.starts_with('/'))
                    add(i, "fields", fmt::format("{} is not a JSON pointer", quoted(field)),
                        "expected one such as \"/parallelism/tensor\"");
                claim(m_fields, field, "field", i, "fields");
            }
            for (const std::string &other : term.see_also)
                if (other == term.id || m_ids.find(other) == m_ids.end())
                    add(i, "see_also", fmt::format("{} is not another term's id", quoted(other)),
                        "expected ids of other terms");
        }
    }

private:
    using Owners = std::map<std::string, std::size_t>;

    static std::string quoted(const std::string &text) {
        return text.size() <= longest_name ? "\"" + text + "\"" : std::string("a long text");
    }

    void claim(Owners &owners, const std::string &what, std::string_view kind, std::size_t term, std::string_view key) {
        const auto [found, is_new] = owners.emplace(what, term);
        if (!is_new)
            add(term, key,
                fmt::format("{} is {} {} of {}", quoted(what), found->second == term ? "twice the" : "also the", kind,
                            quoted(m_terms[found->second].term)),
                fmt::format("expected each {} once", kind));
    }

    void add(std::size_t term, std::string_view key, std::string message, std::string expected) {
        if (m_problems.size() < max_problems)
            m_problems.push_back({.severity = Severity::error,
                                  .code = "field",
                                  .message = std::move(message),
                                  .expected = std::move(expected),
                                  .fields = {fmt::format("/terms/{}/{}", term, key)},
                                  .fixes = {}});
    }

    const std::vector<GlossaryTerm> &m_terms;
    std::vector<Diagnostic> &m_problems;
    Owners m_ids;
    Owners m_names;
    Owners m_fields;
};

} // namespace

std::vector<GlossaryTerm> terms_from_json(const Json &document) {
    std::vector<Diagnostic> problems;
    std::vector<GlossaryTerm> terms;
    FieldReader reader(document, "", problems);
    reader.require("schema", fmt::format("expected \"{}\"", glossary_schema));
    if (std::string schema; reader.text("schema", schema) && schema != glossary_schema)
        reader.problem("schema", schema_fault(schema, glossary_schema),
                       fmt::format("expected \"{}\"", glossary_schema));
    reader.require("terms", "expected an array of objects");
    reader.objects("terms", [&](FieldReader &each) {
        GlossaryTerm term;
        if (problems.size() < max_problems)
            read_term(each, term);
        terms.push_back(std::move(term));
    });
    reader.finish();
    if (problems.empty())
        Relations(terms, problems).check();
    if (!problems.empty())
        throw InputError(std::move(problems));
    return terms;
}

} // namespace meshwright
