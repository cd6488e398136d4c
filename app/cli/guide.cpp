// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide/guide.h"

#include "catalog/library.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "input/diagnostic.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace meshwright {

namespace {

struct GuideArguments {
    std::string page; ///< id of the page to print; empty for the list of pages
    bool json = false;
};

std::string markdownOf(std::string_view id) {
    return naming((guide_folder() / fmt::format("{}.md", id)).string(),
                  [&] { return guide_markdown(id, Library::standard()); });
}

void listPages(bool json) {
    nlohmann::ordered_json pages = nlohmann::ordered_json::array();
    TextTable table({{"page"}, {"part"}, {"title"}});
    for (const GuidePage &page : guide_pages()) {
        const std::string title = guide_title(markdownOf(page.id));
        table.add({std::string(page.id), std::string(page.part), title});
        pages.push_back({{"id", page.id}, {"part", page.part}, {"title", title}});
    }
    if (json)
        writeJson({{"pages", std::move(pages)}});
    else
        writeText(joined(table.lines()));
}

void showPage(const GuideArguments &options) {
    const GuidePage *const page = naming("guide", [&] {
        const GuidePage *const found = find_guide_page(options.page);
        if (found == nullptr)
            throw InputError("", "the guide has no such page", "expected a page listed by `meshwright-cli guide`");
        return found;
    });
    const std::string markdown = markdownOf(page->id);
    if (options.json)
        writeJson({{"id", page->id}, {"part", page->part}, {"title", guide_title(markdown)}, {"markdown", markdown}});
    else
        writeText(markdown);
}

void run(const GuideArguments &options) {
    if (options.page.empty())
        listPages(options.json);
    else
        showPage(options);
}

} // namespace

void addGuide(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("guide", "Print a page of the user guide as Markdown");
    const auto options = std::make_shared<GuideArguments>();
    verb->add_option("PAGE", options->page, "Page, such as fields or model; without one, all pages are listed");
    verb->add_flag("--json", options->json, "Print JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright
