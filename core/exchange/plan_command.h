// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// The line for a POSIX shell that evaluates the same plan: `meshwright-cli evaluate preset:ID --set …`, from the
/// preset that needs the fewest settings. A plan that cannot be made from a preset by settings is passed on standard
/// input.
/// @throws InputError for a document that is not a valid plan
std::string plan_command(const nlohmann::ordered_json &document, const Library &library);

/// Whether a text is a command line as plan_command() writes them, from a preset.
bool is_plan_command(std::string_view text);

/// The document that such a command line evaluates. @throws InputError for anything but a preset and settings
nlohmann::ordered_json plan_of_command(std::string_view text, const Library &library);

} // namespace meshwright
