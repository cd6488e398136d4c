// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide/guide.h"

#include "guide/generated_tables.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "input/own_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

constexpr std::string_view generated_begin = "<!-- generated: ";
constexpr std::string_view generated_end = " -->";

template <typename Use>
void for_each_line(std::string_view text, const Use &use) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        use(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// The table that a line requests, such as "fields plan"; empty for other lines.
std::string_view wanted_table(std::string_view line) {
    if (!line.starts_with(generated_begin) || !line.ends_with(generated_end))
        return {};
    line.remove_prefix(generated_begin.size());
    line.remove_suffix(generated_end.size());
    return line;
}

} // namespace

const std::vector<GuidePage> &guide_pages() {
    static const std::vector<GuidePage> pages{
        {"index", "Introduction"},
        {"start", "Views"},
        {"plan", "Views"},
        {"pipeline", "Views"},
        {"memory", "Views"},
        {"sites", "Views"},
        {"search", "Views"},
        {"compare", "Views"},
        {"explain", "Views"},
        {"formulas", "Views"},
        {"evidence", "Views"},
        {"lessons", "Views"},
        {"plots", "Views"},
        {"command-line", "Reference"},
        {"launchers", "Reference"},
        {"report", "Reference"},
        {"model", "Reference"},
        {"accuracy", "Reference"},
        {"example-72-sites", "Reference"},
        {"fields", "Reference"},
        {"constants", "Reference"},
        {"glossary", "Reference"},
        {"architecture", "Development"},
        {"contributing", "Development"},
    };
    return pages;
}

const GuidePage *find_guide_page(std::string_view id) {
    for (const GuidePage &page : guide_pages())
        if (page.id == id)
            return &page;
    return nullptr;
}

std::filesystem::path guide_folder() {
    return own_file("guide", "resources/guide");
}

std::string guide_markdown(std::string_view id, const Library &library) {
    const std::string text = read_file(guide_folder() / fmt::format("{}.md", id));
    std::string page;
    for_each_line(text, [&](std::string_view line) {
        const std::string_view table = wanted_table(line);
        page += table.empty() ? std::string(line) : generated_table(table, library);
        page += '\n';
    });
    return page;
}

std::string guide_title(std::string_view markdown) {
    std::string title;
    for_each_line(markdown, [&](std::string_view line) {
        if (title.empty() && line.starts_with("# "))
            title = line.substr(2);
    });
    return title;
}

std::string heading_anchor(std::string_view heading) {
    std::string anchor;
    for (const char each : heading) {
        if (each >= 'A' && each <= 'Z')
            anchor += static_cast<char>(each - 'A' + 'a');
        else if ((each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-' || each == '_'
                 || (static_cast<unsigned char>(each) & 0x80) != 0)
            anchor += each;
        else if (each == ' ')
            anchor += '-';
    }
    return anchor;
}

} // namespace meshwright
