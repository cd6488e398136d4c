// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/command_options.h"
#include "launch/importers.h"
#include "launch/option_list.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace meshwright {

/// Prefix of a DeepSpeed JSON's options in a list that also has the options of its script.
inline constexpr std::string_view deepspeed_prefix = "deepspeed.";

/// How likely the text is a DeepSpeed JSON, from 0 to 100.
int deepspeed_likeness(const LaunchFile &file);

/// The ZeRO stage that the name of a DeepSpeed JSON often contains ("ds_z3_config.json", "zero2.json"); 3 if it does
/// not.
std::int64_t zero_stage_named(std::string_view file);

/// Options of a DeepSpeed JSON, with dotted names. Comments, trailing commas and unquoted words (a template's
/// placeholders) are accepted. @throws InputError if it is not JSON
std::vector<LaunchOption> deepspeed_options(std::string_view text, std::string_view prefix = {});

/// Options of the DeepSpeed JSON that came with a script; each name starts with `deepspeed_prefix`. The JSON is another
/// file, whose placeholders are filled in as the script's sed commands would, or a here-document in the script. Empty
/// if there is neither.
std::vector<LaunchOption> deepspeed_options_beside(const std::vector<LaunchFile> &files, const LaunchCommand &script);

} // namespace meshwright
