// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class FieldReader;
class InputError;
class Library;

/// Maximum number of values that a drawn number or a plan field may list.
inline constexpr std::size_t most_listed_values = 1000;

/// Returns a string unchanged, and any other value as JSON.
std::string text_of_json(const nlohmann::ordered_json &value);

/// Converts a path such as "step.mfu" to the pointer "/step/mfu".
nlohmann::ordered_json::json_pointer pointer_of_path(std::string_view path);

/// The first problem, its location and the expected value, as part of a sentence.
std::string problem_text(const InputError &error);

void read_strings(FieldReader &reader, std::string_view key, std::vector<std::string> &texts);

/// Reads plan fields and the values to set. @param names  names that expressions may use
void read_settings(FieldReader &reader, std::string_view key, const std::set<std::string, std::less<>> &names,
                   std::vector<FieldSetting> &settings);

void read_free_fields(FieldReader &reader, std::string_view key, std::vector<FreeField> &fields);

/// For each field, the index of the plan's value (stated or default) in the field's list. Empty for a field whose value
/// is not listed.
std::vector<std::optional<std::size_t>> own_choices(const std::vector<FreeField> &fields,
                                                    const nlohmann::ordered_json &document, const Library &library);

} // namespace meshwright
