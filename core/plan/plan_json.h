// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"
#include "plan/plan.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// A plan as far as it could be read, with everything that is wrong with it. Where `diagnostics` holds an error the
/// plan must not be evaluated; its other fields are still what the document says, so that an editor can show them.
struct PlanReading {
    Plan plan;
    std::vector<Diagnostic> diagnostics;
    bool valid() const;
};

/// Reads a plan document, fills defaults in and checks it. Never throws on input.
PlanReading read_plan(const nlohmann::ordered_json &document, const Library &library);

/// The same, for callers that want a plan or nothing. @throws InputError with all errors
Plan plan_from_json(const nlohmann::ordered_json &document, const Library &library);

/// The plan with every default spelled out, in the contract's form; reading it gives the same plan.
nlohmann::ordered_json to_json(const Plan &plan);

/// What divisibility and sizes say about a plan, without evaluating it: errors with the nearest valid values as fixes.
std::vector<Diagnostic> check_plan(const Plan &plan);

/// A plan document by name: "preset:ID", "-" for standard input, or a file. @throws InputError, FileError
nlohmann::ordered_json load_plan_document(const std::string &name, const Library &library);

/// Applies "parallelism.tensor=4": the value is JSON where it parses as such, else a text. A preset that the name
/// reaches into ("stack.launches_wait=true") is spelled out, so that one field of it can be set. @throws InputError
void set_field(nlohmann::ordered_json &document, std::string_view assignment, const Library &library);

/// RFC 7396 merge patch that keeps the order of keys.
void merge_patch(nlohmann::ordered_json &document, const nlohmann::ordered_json &patch);

} // namespace meshwright
