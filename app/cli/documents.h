// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace meshwright {

class Library;

/// The `PLAN [--set field=value ...]` of a command line.
struct PlanArgument {
    std::string name; ///< a file, "preset:ID" or "-"
    std::vector<std::string> sets; ///< "parallelism.tensor=4"
};

enum class PlanNeed { required, optional };

/// Adds both to a verb.
void addPlanArgument(CLI::App &verb, PlanArgument &argument, PlanNeed need = PlanNeed::required);

/// The plan's document with the fields set. @throws Failure
nlohmann::ordered_json loadPlan(const PlanArgument &argument, const Library &library);

/// A file's document, or standard input's for "-". A named pipe that nobody writes to is given up after a second.
/// @throws InputError, FileError
nlohmann::ordered_json loadDocument(const std::string &file);

} // namespace meshwright
