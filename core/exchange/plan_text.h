// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace meshwright {

// A plan as one line of text, for chats, issues and notebooks: the prefix, then its document as JSON, compressed with
// zlib (RFC 1950), in base64 (RFC 4648, URL-safe alphabet without padding).

inline constexpr std::string_view plan_text_prefix = "meshwright-plan-1:";

std::string plan_text(const nlohmann::ordered_json &document);

/// Whether a text begins, after white space, with the prefix of plan_text(). The rest is not checked.
bool is_plan_text(std::string_view text);

/// The document in a text. Line breaks, spaces and the ">" of a quoted message are skipped, because mail programs add
/// them. @throws InputError for anything else that is not such a text, or that expands beyond the size of a plan file
nlohmann::ordered_json plan_of_text(std::string_view text);

} // namespace meshwright
