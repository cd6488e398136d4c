// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary/glossary.h"

#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace meshwright {

namespace {

struct GlossaryArguments {
    std::vector<std::string> words; ///< the requested term, split into words; empty: all terms
    bool json = false;
};

const std::string &termOf(const Glossary &glossary, const std::string &id) {
    return glossary.find(id)->term;
}

nlohmann::ordered_json termJson(const Glossary &glossary, const GlossaryTerm &term) {
    nlohmann::ordered_json json{
        {"term", term.term},       {"aliases", term.aliases}, {"definition", term.definition},
        {"formula", term.formula}, {"source", term.source},   {"see_also", nlohmann::ordered_json::array()},
        {"fields", term.fields}};
    for (const std::string &id : term.see_also)
        json["see_also"].push_back(termOf(glossary, id));
    return json;
}

/// The text, shortened to its first words and an ellipsis if it is longer than `columns`.
std::string cutAfterWord(std::string_view text, std::size_t columns) {
    if (columnsOf(text) <= columns)
        return std::string(text);
    return wrapped(text, columns - 4).front() + " ...";
}

std::vector<std::string> tableLines(const Glossary &glossary) {
    constexpr std::string_view heading = "term";
    std::size_t widest = heading.size();
    for (const GlossaryTerm &term : glossary.terms())
        widest = std::max(widest, columnsOf(term.term));
    constexpr std::size_t gap = 2;
    TextTable table({{std::string(heading)}, {"definition"}});
    for (const GlossaryTerm &term : glossary.terms())
        table.add({term.term, cutAfterWord(term.first_sentence(), pageColumns - widest - gap)});
    return table.lines();
}

/// Wraps a text in a column to the right of its label: "Source    Narayanan et al. 2021".
void addFact(std::vector<std::string> &lines, std::string_view label, std::string_view text) {
    constexpr std::size_t labelColumns = 10;
    if (text.empty())
        return;
    const std::vector<std::string> wrappedText = wrapped(text, pageColumns - labelColumns);
    for (std::size_t i = 0; i < wrappedText.size(); ++i)
        lines.push_back(padded(i == 0 ? std::string(label) : std::string(), labelColumns) + wrappedText[i]);
}

std::vector<std::string> cardLines(const Glossary &glossary, const GlossaryTerm &term) {
    std::vector<std::string> lines = wrapped(term.title(), pageColumns);
    lines.emplace_back();
    for (std::string &line : wrapped(term.definition, pageColumns))
        lines.push_back(std::move(line));
    lines.emplace_back();
    addFact(lines, "Formula", term.formula);
    addFact(lines, "Source", term.source);
    std::string related;
    for (const std::string &id : term.see_also)
        related += (related.empty() ? "" : ", ") + termOf(glossary, id);
    addFact(lines, "See also", related);
    std::string fields;
    for (const std::string &field : term.fields)
        fields += (fields.empty() ? "" : ", ") + field;
    addFact(lines, "Fields", fields);
    if (lines.back().empty())
        lines.pop_back();
    return lines;
}

/// @throws InputError for a name that is neither a term nor an alias, with the terms most similar to it
const GlossaryTerm *termNamed(const Glossary &glossary, const std::string &name) {
    if (const GlossaryTerm *const term = glossary.find(name))
        return term;
    std::string expected = "expected a term that `meshwright-cli glossary` lists";
    const std::vector<const GlossaryTerm *> similar = glossary.similar(name);
    for (std::size_t i = 0; i < similar.size(); ++i)
        expected += (i == 0 ? "; did you mean " : i + 1 == similar.size() ? " or " : ", ") + similar[i]->term;
    constexpr std::size_t longest = 60; // maximum number of bytes of a name that the message quotes
    throw InputError("",
                     name.size() <= longest ? fmt::format("unknown term \"{}\"", name) : std::string("unknown term"),
                     expected + (similar.empty() ? "" : "?"));
}

void run(const GlossaryArguments &options) {
    const std::filesystem::path file = Glossary::own_file();
    const Glossary glossary = naming(file.string(), [&] { return Glossary::read(file); });
    if (options.words.empty()) {
        if (options.json) {
            nlohmann::ordered_json terms = nlohmann::ordered_json::array();
            for (const GlossaryTerm &term : glossary.terms())
                terms.push_back(termJson(glossary, term));
            writeJson({{"terms", std::move(terms)}});
        } else {
            writeText(joined(tableLines(glossary)));
        }
        return;
    }
    std::string name;
    for (const std::string &word : options.words)
        name += (name.empty() ? "" : " ") + word;
    const GlossaryTerm *const term = naming("glossary", [&] { return termNamed(glossary, name); });
    if (options.json)
        writeJson({{"terms", nlohmann::ordered_json::array({termJson(glossary, *term)})}});
    else
        writeText(joined(cardLines(glossary, *term)));
}

} // namespace

void addGlossary(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("glossary", "Define the terms of distributed training");
    const auto options = std::make_shared<GlossaryArguments>();
    verb->add_option("TERM", options->words,
                     "Term, abbreviation or id, such as MFU; without one, all terms are listed");
    verb->add_flag("--json", options->json, "Print JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright
