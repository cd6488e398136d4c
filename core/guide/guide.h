// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// One page of the user guide.
struct GuidePage {
    std::string_view id; ///< name of the file without ".md", as links have it: "pipeline"
    std::string_view part; ///< heading above it in the table of contents: "Views"
};

/// All pages in reading order. Pages of one part follow one another.
const std::vector<GuidePage> &guide_pages();
/// Null for an unknown page.
const GuidePage *find_guide_page(std::string_view id);

/// Folder with the pages that come with the program, and with their pictures.
std::filesystem::path guide_folder();

/// Markdown of a page. Lines such as `<!-- generated: fields plan -->` are replaced by tables of what the program
/// knows: fields of a JSON schema, pipeline schedules, constants, terms of the glossary.
/// @throws FileError if the page cannot be read, InputError if it names an unknown table
std::string guide_markdown(std::string_view id, const Library &library);

/// First heading of a Markdown text, without its marks; empty if it has none.
std::string guide_title(std::string_view markdown);

/// The part of a link to a heading: "How a step is modeled" is "how-a-step-is-modeled". As on GitHub: letters and
/// digits in lower case, hyphens for spaces, other characters dropped.
std::string heading_anchor(std::string_view heading);

} // namespace meshwright
