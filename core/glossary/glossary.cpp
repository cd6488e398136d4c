// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary/glossary.h"

#include "glossary/glossary_reading.h"
#include "glossary/words.h"
#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "input/json_document.h"
#include "input/own_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr std::size_t most_similar = 3;

/// Replaces array indices by 0: "/cluster/tiers/2/torus" becomes "/cluster/tiers/0/torus".
std::string with_first_indices(std::string_view pointer) {
    std::string general;
    while (!pointer.empty()) {
        const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        const std::string_view token = pointer.substr(0, end);
        const bool is_index = token.size() > 1
            && std::all_of(token.begin() + 1, token.end(), [](char c) { return c >= '0' && c <= '9'; });
        general += is_index ? std::string_view("/0") : token;
        pointer.remove_prefix(end);
    }
    return general;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

} // namespace

std::string GlossaryTerm::title() const {
    std::string text = term;
    for (std::size_t i = 0; i < aliases.size(); ++i)
        text += (i == 0 ? " (" : ", ") + aliases[i];
    return text + (aliases.empty() ? "" : ")");
}

std::string_view GlossaryTerm::first_sentence() const {
    const std::string_view text = definition;
    for (std::size_t end = text.find(". "); end != std::string_view::npos; end = text.find(". ", end + 1))
        if (const char next = text[std::min(end + 2, text.size() - 1)]; next >= 'A' && next <= 'Z')
            return text.substr(0, end + 1);
    return text;
}

Glossary::Glossary(const nlohmann::ordered_json &document)
    : m_terms(terms_from_json(document)) {
    index();
}

Glossary Glossary::read(const std::filesystem::path &file) {
    return Glossary(read_json_file(file));
}

std::filesystem::path Glossary::own_file() {
    return meshwright::own_file("glossary.json", "resources/glossary.json");
}

const Glossary &Glossary::standard() {
    static const Glossary glossary = [] {
        const std::filesystem::path file = own_file();
        Glossary none;
        try {
            return read(file);
        } catch (const InputError &error) {
            none.m_problem = one_line(file.string(), error.diagnostics());
        } catch (const FileError &error) {
            none.m_problem = error.what();
        }
        return none;
    }();
    return glossary;
}

void Glossary::index() {
    std::sort(m_terms.begin(), m_terms.end(), [](const GlossaryTerm &a, const GlossaryTerm &b) {
        return std::pair(folded_name(a.term), a.term) < std::pair(folded_name(b.term), b.term);
    });
    for (std::size_t i = 0; i < m_terms.size(); ++i) {
        const auto add = [&](const std::string &name) {
            m_names.emplace(folded_name(name), Name{i, spaced(name), needs_its_case(name)});
            m_longest = std::max(m_longest, name.size());
        };
        add(m_terms[i].term);
        for (const std::string &alias : m_terms[i].aliases)
            add(alias);
        m_ids.emplace(folded_name(m_terms[i].id), i);
        for (const std::string &field : m_terms[i].fields)
            m_fields.emplace(field, i);
    }
}

/// Finds the name that equals the case-folded text or its singular. @param length  length of the name
const Glossary::Name *Glossary::name_of(std::string_view folded, std::size_t &length) const {
    const auto find = [&](std::size_t size) -> const Name * {
        const auto found = m_names.find(folded.substr(0, size));
        if (found == m_names.end())
            return nullptr;
        length = size;
        return &found->second;
    };
    if (const Name *const name = find(folded.size()))
        return name;
    if (folded.ends_with("ches") || folded.ends_with("shes") || folded.ends_with("xes") || folded.ends_with("ses"))
        if (const Name *const name = find(folded.size() - 2))
            return name;
    return folded.size() > 2 && folded.ends_with('s') ? find(folded.size() - 1) : nullptr;
}

const GlossaryTerm *Glossary::find(std::string_view name) const {
    const std::string folded = folded_name(trimmed(name));
    std::size_t length = 0;
    if (const Name *const found = name_of(folded, length))
        return &m_terms[found->term];
    const auto id = m_ids.find(folded);
    return id == m_ids.end() ? nullptr : &m_terms[id->second];
}

std::vector<const GlossaryTerm *> Glossary::similar(std::string_view name) const {
    std::vector<const GlossaryTerm *> found;
    const auto add = [&](std::size_t term) {
        if (found.size() < most_similar && std::find(found.begin(), found.end(), &m_terms[term]) == found.end())
            found.push_back(&m_terms[term]);
    };
    const std::string folded = folded_name(trimmed(name));
    if (folded.empty())
        return found;
    std::vector<std::string> names;
    for (const auto &[each, entry] : m_names)
        names.push_back(each);
    if (const std::optional<std::string> nearest = nearest_word(folded, names))
        add(m_names.find(*nearest)->second.term);
    // Names in which a word begins with the text, shortest first.
    constexpr std::size_t shortest_part = 3;
    if (folded.size() < shortest_part)
        return found;
    std::stable_sort(names.begin(), names.end(),
                     [](const std::string &a, const std::string &b) { return a.size() < b.size(); });
    for (const std::string &each : names)
        if (const std::size_t at = each.find(folded); at != std::string::npos && begins_word(each, at))
            add(m_names.find(each)->second.term);
    return found;
}

const GlossaryTerm *Glossary::of_field(std::string_view pointer) const {
    std::string nearest = with_first_indices(pointer);
    while (!nearest.empty()) {
        if (const auto found = m_fields.find(nearest); found != m_fields.end())
            return &m_terms[found->second];
        const std::size_t holder = nearest.rfind('/');
        nearest.resize(holder == std::string::npos ? 0 : holder);
    }
    return nullptr;
}

std::optional<TermSpan> Glossary::longest_at(std::string_view text, std::string_view folded, std::size_t begin) const {
    constexpr std::size_t longest_ending = 2;
    const std::size_t most = std::min(m_longest + longest_ending, text.size() - begin);
    for (std::size_t size = most; size > 0; --size) {
        if (!ends_word(text, begin + size) || folded[begin + size - 1] == ' ')
            continue;
        if (text.substr(begin, size).find('_')
            != std::string_view::npos) // skip identifiers, because they are not terms
            continue;
        std::size_t length = 0;
        const Name *const name = name_of(folded.substr(begin, size), length);
        if (name == nullptr || !m_terms[name->term].in_text)
            continue;
        if (name->needs_case && spaced(text.substr(begin, length)) != name->spelling)
            continue;
        return TermSpan{begin, size, &m_terms[name->term]};
    }
    return std::nullopt;
}

std::vector<TermSpan> Glossary::in_text(std::string_view text) const {
    std::vector<TermSpan> spans;
    if (m_names.empty())
        return spans;
    const std::string folded = folded_name(text);
    for (std::size_t at = 0; at < text.size();) {
        const std::optional<TermSpan> span =
            folded[at] != ' ' && begins_word(text, at) ? longest_at(text, folded, at) : std::nullopt;
        if (span)
            spans.push_back(*span);
        at += span ? span->length : 1;
    }
    return spans;
}

} // namespace meshwright
