// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace meshwright {

// A plan as one line of text, for chats, issues and notebooks: a prefix, followed by the plan's JSON compressed with
// zlib (RFC 1950) and encoded in base64 (RFC 4648, URL-safe alphabet without padding).

inline constexpr std::string_view plan_text_prefix = "meshwright-plan-1:";

std::string plan_text(const nlohmann::ordered_json &document);

/// Whether a text begins with the prefix of plan_text(), after optional white space. The rest is not checked.
bool is_plan_text(std::string_view text);

/// Reads the document from a text. Line breaks, spaces and the ">" of quoted messages are skipped, because mail
/// programs add them. @throws InputError if the text is not such a plan, or if it expands beyond the size limit of a
/// plan file
nlohmann::ordered_json plan_of_text(std::string_view text);

} // namespace meshwright
