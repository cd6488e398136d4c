// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

struct GuidePage {
    std::string_view id; ///< file name without ".md", as used in links: "pipeline"
    std::string_view part; ///< heading of its group in the table of contents: "Views"
};

const std::vector<GuidePage> &guide_pages();
/// Null if the page is unknown.
const GuidePage *find_guide_page(std::string_view id);

std::filesystem::path guide_folder();

/// Markdown of a page. Lines such as `<!-- generated: fields plan -->` are replaced by generated tables: fields of a
/// JSON schema, pipeline schedules, constants, terms of the glossary.
/// @throws FileError if the page cannot be read, InputError if it names an unknown table
std::string guide_markdown(std::string_view id, const Library &library);

/// First heading of a Markdown text, without Markdown syntax. Empty if the text has no heading.
std::string guide_title(std::string_view markdown);

/// Anchor of a heading in a link: "How a step is modeled" becomes "how-a-step-is-modeled". As on GitHub, letters and
/// digits become lower case, spaces become hyphens, and other characters are dropped.
std::string heading_anchor(std::string_view heading);

} // namespace meshwright
