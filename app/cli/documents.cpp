// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/documents.h"

#include "catalog/library.h"
#include "cli/failure.h"
#include "exchange/rate_trace_file.h"
#include "input/json_document.h"
#include "plan/plan_json.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>

namespace meshwright {

using Json = nlohmann::ordered_json;

void addPlanArgument(CLI::App &verb, PlanArgument &argument, PlanNeed need) {
    verb.add_option("PLAN", argument.name, "A plan: a file, preset:ID or - for standard input")
        ->required(need == PlanNeed::required);
    verb.add_option("--set", argument.sets, "Set a field before evaluation, as in --set parallelism.tensor=4")
        ->type_name("FIELD=VALUE")
        ->check([](const std::string &assignment) {
            return assignment.find('=') == std::string::npos ? "expected FIELD=VALUE, got " + assignment
                                                             : std::string();
        })
        ->allow_extra_args(false)
        ->take_all();
}

Json loadDocument(const std::string &file) {
    if (file == "-")
        return read_json_stream(std::cin);
    return is_pipe(file) ? parse_json(read_pipe(file)) : read_json_file(file);
}

Json loadPlan(const PlanArgument &argument, const Library &library) {
    return naming(argument.name, [&] {
        Json document =
            is_pipe(argument.name) ? loadDocument(argument.name) : load_plan_document(argument.name, library);
        const bool isFile = argument.name != "-" && !argument.name.starts_with("preset:");
        take_in_rate_traces(document,
                            isFile ? std::filesystem::path(argument.name).parent_path() : std::filesystem::path(),
                            TracePlaces::InFolder);
        for (const std::string &assignment : argument.sets)
            set_field(document, assignment, library);
        take_in_rate_traces(
            document, {},
            TracePlaces::Anywhere); // file names on the command line are relative to the working directory
        return document;
    });
}

} // namespace meshwright
