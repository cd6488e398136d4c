// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// Returns the command line for a POSIX shell that evaluates the same plan: `meshwright-cli evaluate preset:ID --set
/// …`, based on the preset that needs the fewest settings. If no preset with settings gives the plan, the plan is
/// passed on standard input.
/// @throws InputError if the document is not a valid plan
std::string plan_command(const nlohmann::ordered_json &document, const Library &library);

/// Whether a text is a command line that plan_command() has written for a preset.
bool is_plan_command(std::string_view text);

/// The document that a command line of plan_command() evaluates. @throws InputError unless it consists of a preset and
/// settings
nlohmann::ordered_json plan_of_command(std::string_view text, const Library &library);

} // namespace meshwright
