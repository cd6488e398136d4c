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

/// The arguments `PLAN [--set field=value ...]` of a verb.
struct PlanArgument {
    std::string name; ///< file name, "preset:ID", or "-" for standard input
    std::vector<std::string> sets; ///< such as "parallelism.tensor=4"
};

enum class PlanNeed { required, optional };

void addPlanArgument(CLI::App &verb, PlanArgument &argument, PlanNeed need = PlanNeed::required);

/// Loads the plan's document and applies --set. @throws Failure
nlohmann::ordered_json loadPlan(const PlanArgument &argument, const Library &library);

/// Loads a document from a file, or from standard input for "-". Gives up after one second on a named pipe without a
/// writer.
/// @throws InputError, FileError
nlohmann::ordered_json loadDocument(const std::string &file);

} // namespace meshwright
