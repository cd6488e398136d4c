// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide/term_links.h"

#include "glossary/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace meshwright {

namespace {

/// Links terms. It searches line by line, so it does not find a term that is broken across two lines.
class TermLinker {
public:
    explicit TermLinker(const Glossary &glossary)
        : m_glossary(glossary) { }

    std::string line(std::string_view line) {
        if (line.starts_with("```"))
            m_in_code = !m_in_code;
        const bool is_text = !m_in_code && !line.starts_with('#') && !line.starts_with('|') && !line.starts_with("    ")
            && !line.starts_with("```") && !line.starts_with("<!--");
        return is_text ? running_text(line) : std::string(line);
    }

private:
    std::string running_text(std::string_view line) {
        std::string linked;
        while (!line.empty()) {
            const std::size_t end = std::min(line.find_first_of("`["), line.size());
            linked += plain_text(line.substr(0, end));
            line.remove_prefix(end);
            const std::string_view kept = untouched(line);
            linked += kept;
            line.remove_prefix(kept.size());
        }
        return linked;
    }

    /// The code span or link at the start of a text; otherwise the first character.
    static std::string_view untouched(std::string_view text) {
        if (text.empty())
            return text;
        std::size_t end = 0;
        if (text.front() == '`') {
            end = text.find('`', 1);
        } else {
            const std::size_t label = text.find("](");
            end = label == std::string_view::npos ? label : text.find(')', label);
        }
        return text.substr(0, end == std::string_view::npos ? 1 : end + 1);
    }

    std::string plain_text(std::string_view text) {
        std::string linked;
        std::size_t done = 0;
        for (const TermSpan &span : m_glossary.in_text(text)) {
            if (!m_linked.insert(span.term).second)
                continue;
            linked += text.substr(done, span.begin - done);
            linked += fmt::format("[{}](term:{})", text.substr(span.begin, span.length), span.term->id);
            done = span.begin + span.length;
        }
        return linked + std::string(text.substr(done));
    }

    const Glossary &m_glossary;
    std::set<const GlossaryTerm *> m_linked;
    bool m_in_code = false;
};

} // namespace

std::string with_term_links(std::string_view markdown, const Glossary &glossary) {
    TermLinker linker(glossary);
    std::string linked;
    while (!markdown.empty()) {
        const std::size_t end = std::min(markdown.find('\n'), markdown.size());
        linked += linker.line(markdown.substr(0, end));
        linked += '\n';
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
    }
    return linked;
}

std::string term_page(std::string_view id, const Glossary &glossary) {
    const auto found = std::find_if(glossary.terms().begin(), glossary.terms().end(),
                                    [&](const GlossaryTerm &term) { return term.id == id; });
    if (found == glossary.terms().end())
        return {};
    std::string page = fmt::format("# {}\n\n{}\n", found->title(), found->definition);
    if (!found->formula.empty())
        page += fmt::format("\n**Formula:** `{}`\n", found->formula);
    if (!found->source.empty())
        page += fmt::format("\n**Source:** {}\n", found->source);
    std::string related;
    for (const std::string &other : found->see_also)
        if (const GlossaryTerm *const term = glossary.find(other))
            related += fmt::format("{}[{}](term:{})", related.empty() ? "" : ", ", term->term, term->id);
    if (!related.empty())
        page += fmt::format("\n**See also:** {}\n", related);
    std::string fields;
    for (const std::string &field : found->fields)
        fields += fmt::format("{}`{}`", fields.empty() ? "" : ", ", field);
    if (!fields.empty())
        page += fmt::format("\n**Plan fields:** {}\n", fields);
    return page + "\nAll terms are on the page [Glossary](glossary.md).\n";
}

} // namespace meshwright
