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

/// The parts of a plan that could be read, and all its problems. If `diagnostics` has an error, the plan must not be
/// evaluated, but its valid fields contain the document's values, so that an editor can show them.
struct PlanReading {
    Plan plan;
    std::vector<Diagnostic> diagnostics;
    bool valid() const;
};

/// Reads a plan document, fills in defaults and checks it. Never throws on invalid input.
PlanReading read_plan(const nlohmann::ordered_json &document, const Library &library);

/// Like read_plan(), but throws on errors. @throws InputError with all errors
Plan plan_from_json(const nlohmann::ordered_json &document, const Library &library);

/// Writes the plan as a document with all defaults filled in. Reading the document gives the same plan.
nlohmann::ordered_json to_json(const Plan &plan);

/// Checks divisibility and sizes without evaluating the plan. Errors offer the nearest valid values as fixes.
std::vector<Diagnostic> check_plan(const Plan &plan);

/// Loads a plan document: "preset:ID", "-" for standard input, or a file. @throws InputError, FileError
nlohmann::ordered_json load_plan_document(const std::string &name, const Library &library);

/// Applies an assignment such as "parallelism.tensor=4". The value is JSON if it parses as such, otherwise a string. If
/// the field is inside a preset ("stack.launches_wait=true"), the preset's object first replaces its id. @throws
/// InputError
void set_field(nlohmann::ordered_json &document, std::string_view assignment, const Library &library);

/// Applies a JSON merge patch (RFC 7396) and preserves the order of keys.
void merge_patch(nlohmann::ordered_json &document, const nlohmann::ordered_json &patch);

} // namespace meshwright
