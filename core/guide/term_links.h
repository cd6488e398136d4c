// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

class Glossary;

/// Links the first occurrence of each glossary term in the body text of a Markdown page to "term:ID". Headings, code,
/// tables, comments and existing links are unchanged.
std::string with_term_links(std::string_view markdown, const Glossary &glossary);

/// Markdown page of one term: definition, formula, source, links to related terms, and plan fields. Empty for an
/// unknown id.
std::string term_page(std::string_view id, const Glossary &glossary);

} // namespace meshwright
