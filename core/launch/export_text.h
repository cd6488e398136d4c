// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"
#include "launch/written_option.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

struct Result;
struct TargetPlan;

/// Builds a file line by line. A plan's texts (names, notes) are written only as comments or in quotes, so that they
/// can never become a command or a key.
class ExportText {
public:
    void add(std::string text, std::string field = {}, std::string why = {});
    void blank();
    /// Writes a comment "# ...", wrapped to 100 columns; lines after the first are indented by `hanging` spaces.
    /// Control characters become spaces.
    void comment(std::string_view text, std::size_t hanging = 0);
    /// Writes the comment at the top of a file: the run, the program that wrote it, and what the target cannot express.
    /// @param title  name of the target: "Megatron-LM d98e8a64ddf3"
    /// @param target  the plan as the target runs it, with its prediction
    void head(const Result &result, std::string_view title, const TargetPlan &target);

    std::vector<ExportLine> take() && { return std::move(m_lines); }

private:
    std::vector<ExportLine> m_lines;
};

/// A word of a shell command, in single quotes unless it is safe without them.
std::string shell_word(std::string_view text);
/// The values of an option as words of a shell command; empty for a flag.
std::vector<std::string> shell_words(const nlohmann::ordered_json &value);
/// Name of a part for headings and shell arrays: "model", "parallelism", ...
std::string_view name_of(LaunchPart part);

} // namespace meshwright
