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

inline constexpr std::size_t most_listed_values =
    1000; ///< maximum number of values that a drawn number or a plan field may list

/// Strings unchanged, other values as JSON.
std::string text_of_json(const nlohmann::ordered_json &value);

/// "/step/mfu" of "step.mfu".
nlohmann::ordered_json::json_pointer pointer_of_path(std::string_view path);

/// The first problem with its place and what was expected, as a part of a sentence.
std::string problem_text(const InputError &error);

/// Reads an array of strings.
void read_strings(FieldReader &reader, std::string_view key, std::vector<std::string> &texts);

/// Reads plan fields and their values. @param names names that expressions may use
void read_settings(FieldReader &reader, std::string_view key, const std::set<std::string, std::less<>> &names,
                   std::vector<FieldSetting> &settings);

/// Reads plan fields with lists of values.
void read_free_fields(FieldReader &reader, std::string_view key, std::vector<FreeField> &fields);

/// For each field, the index of the plan's value in the list, whether stated in the document or a default; nothing if
/// the value is not listed.
std::vector<std::optional<std::size_t>> own_choices(const std::vector<FreeField> &fields,
                                                    const nlohmann::ordered_json &document, const Library &library);

} // namespace meshwright
