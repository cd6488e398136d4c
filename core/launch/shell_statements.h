// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

/// The unexpanded source text of a script between two separators.
struct ShellStatement {
    std::string text;
    char end = '\n'; ///< what ended the text: newline, ';', '&' or '|'; 'c' for the ";;" of a case, 'k' after a keyword
};

/// A script split into statements, without comments and here-documents.
struct ShellStatements {
    std::vector<ShellStatement> all;
    std::vector<std::pair<std::string, std::string>> documents; ///< here-documents: target file, unexpanded text
    std::vector<std::string> directives; ///< words after "#SBATCH", in order
};

/// Adds a statement, preceded by its leading keywords as separate statements: "then if [ A ]" is "then", "if" and "[ A
/// ]". A function begins with "function NAME".
void add_shell_statement(std::vector<ShellStatement> &all, std::string_view text, char end);

ShellStatements split_shell_script(std::string_view text);

} // namespace meshwright
