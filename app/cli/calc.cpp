// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "formulas/formula.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct CalcArguments {
    std::string name;
    std::vector<std::string> arguments;
    bool list = false;
    bool json = false;
};

[[noreturn]] void rejectUsage(const std::string &what) {
    throw Failure(ExitStatus::usage, "meshwright-cli calc: usage: " + what + "; see meshwright-cli calc --help");
}

Json symbolJson(const Symbol &symbol) {
    Json json{
        {"name", symbol.name}, {"letter", symbol.letter}, {"meaning", symbol.meaning}, {"unit", unit_name(symbol)}};
    if (symbol.choices.empty()) {
        json["low"] = symbol.low;
        json["high"] = symbol.high;
        json["whole"] = symbol.whole;
    } else {
        json["choices"] = symbol.choices;
    }
    if (symbol.is_list)
        json["list"] = true;
    if (symbol.otherwise && symbol.choices.empty())
        json["default"] = *symbol.otherwise;
    else if (symbol.otherwise)
        json["default"] = value_text(*symbol.otherwise, symbol);
    return json;
}

Json formulaJson(const Formula &formula) {
    Json json{{"name", formula.id}, {"title", formula.title}, {"topic", formula.topic}};
    json["arguments"] = Json::array();
    for (const Symbol &symbol : formula.symbols)
        json["arguments"].push_back(symbolJson(symbol));
    json["results"] = Json::array();
    for (const FormulaResult &result : formula.results)
        json["results"].push_back({{"name", result.name},
                                   {"letter", result.letter},
                                   {"meaning", result.meaning},
                                   {"unit", unit_name(result)},
                                   {"formula", formula_text(result)}});
    json["source"] = formula.source;
    json["notes"] = formula.notes;
    return json;
}

std::string joinedNames(const auto &things) {
    std::string names;
    for (const auto &thing : things)
        names += (names.empty() ? "" : " ") + std::string(thing.name);
    return names;
}

void list(bool json) {
    Json array = Json::array();
    std::vector<std::string> lines;
    std::string_view topic;
    for (const Formula &formula : formulas()) {
        if (json) {
            array.push_back(formulaJson(formula));
            continue;
        }
        if (formula.topic != topic)
            lines.push_back((topic.empty() ? "" : "\n") + std::string(formula.topic));
        topic = formula.topic;
        lines.push_back(fmt::format("  {:<26}{}", formula.id, formula.title));
        for (const std::string &line :
             wrapped(joinedNames(formula.symbols) + " -> " + joinedNames(formula.results), pageColumns - 28))
            lines.push_back(std::string(28, ' ') + line);
    }
    if (json)
        writeJson(array);
    else
        writeText(joined(lines));
}

Json argumentsJson(const Calculation &calculation) {
    Json json = Json::object();
    for (const Symbol &symbol : calculation.formula->symbols) {
        if (const auto list = calculation.lists.find(symbol.name); list != calculation.lists.end())
            json[std::string(symbol.name)] = list->second;
        const auto value = calculation.arguments.find(symbol.name);
        if (value == calculation.arguments.end())
            continue;
        if (symbol.choices.empty())
            json[std::string(symbol.name)] = value->second;
        else
            json[std::string(symbol.name)] = value_text(value->second, symbol);
    }
    return json;
}

/// JSON output: each result's value, keyed by name; the first result's formula and unit; and, in `results`, the details
/// of all results.
Json calculationJson(const Calculation &calculation) {
    const Formula &formula = *calculation.formula;
    Json json{{"calculator", formula.id}, {"title", formula.title}, {"arguments", argumentsJson(calculation)}};
    Json results = Json::array();
    for (const Calculation::Value &value : calculation.values) {
        json[std::string(value.result->name)] = value.value;
        results.push_back({{"name", value.result->name},
                           {"value", value.value},
                           {"unit", unit_name(*value.result)},
                           {"formula", formula_text(*value.result)},
                           {"substituted", value.substituted},
                           {"meaning", value.result->meaning}});
    }
    for (const char *key : {"formula", "substituted", "unit"})
        json[key] = results.front()[key];
    json["source"] = formula.source;
    json["notes"] = formula.notes;
    json["results"] = std::move(results);
    return json;
}

void addIndented(std::vector<std::string> &lines, const std::string &first, std::string_view text) {
    bool begun = false;
    for (const std::string &line : wrapped(text, pageColumns - first.size())) {
        lines.push_back((begun ? std::string(first.size(), ' ') : first) + line);
        begun = true;
    }
}

void printForPeople(const Calculation &calculation) {
    const Formula &formula = *calculation.formula;
    std::vector<std::string> lines{std::string(formula.title)};
    for (const Calculation::Value &value : calculation.values) {
        const std::string unit = unit_name(*value.result);
        lines.push_back(fmt::format("\n{} = {}  ({:.12g}{}): {}", value.result->name,
                                    value_text(value.value, *value.result), value.value, unit == "1" ? "" : " " + unit,
                                    value.result->meaning));
        addIndented(lines, "  = ", formula_text(*value.result));
        addIndented(lines, "  = ", value.substituted);
    }
    lines.emplace_back();
    addIndented(lines, "Source: ", formula.source);
    if (!formula.notes.empty())
        addIndented(lines, "Note: ", formula.notes);
    writeText(joined(lines));
}

/// The arguments that a formula accepts, such as "ranks=…, bytes=…". Empty for an unknown formula, which is reported
/// later.
std::string acceptedBy(const std::string &name) {
    const Formula *const formula = find_formula(name);
    std::string names;
    if (formula != nullptr)
        for (const Symbol &symbol : formula->symbols)
            names += fmt::format("{}{}=", names.empty() ? "; " + name + " takes " : ", ", symbol.name);
    return names;
}

std::map<std::string, std::string, std::less<>> pairsOf(const CalcArguments &options) {
    std::map<std::string, std::string, std::less<>> pairs;
    for (const std::string &argument : options.arguments) {
        const std::size_t equals = argument.find('=');
        if (equals == 0 || equals == std::string::npos)
            rejectUsage("\"" + argument.substr(0, 80) + "\" does not have the form name=value"
                        + acceptedBy(options.name));
        const std::string name = argument.substr(0, equals);
        if (!pairs.emplace(name, argument.substr(equals + 1)).second)
            rejectUsage(name.substr(0, 80) + " is given twice" + acceptedBy(options.name));
    }
    return pairs;
}

void run(const CalcArguments &options) {
    if (options.list && !options.name.empty())
        rejectUsage("--list does not take a calculator name");
    if (options.list) {
        list(options.json);
        return;
    }
    if (options.name.empty())
        rejectUsage("expected the name of a calculator, or --list");
    const std::map<std::string, std::string, std::less<>> pairs = pairsOf(options);
    const Calculation calculation = naming(options.name, [&] { return calculate(options.name, pairs); });
    if (options.json)
        writeJson(calculationJson(calculation));
    else
        printForPeople(calculation);
}

} // namespace

void addCalc(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("calc", "Evaluate one formula, or list all of them");
    const auto options = std::make_shared<CalcArguments>();
    verb->add_option("NAME", options->name, "Name of a calculator, such as ring-all-reduce");
    verb->add_option("ARGUMENT", options->arguments,
                     "name=value; values in SI units unless you give a unit: ranks=8 bytes=2GB");
    verb->add_flag("--list", options->list, "List all calculators with their arguments and results");
    verb->add_flag("--json", options->json, "Print JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright
