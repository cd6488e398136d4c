// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

/// What a shell script says, as far as reading tells: nothing of it is run. Variables, arrays, defaults (`${X:-8}`),
/// arithmetic, simple conditions and `case` are followed; a value that only a running shell would know (command
/// substitution, positional parameters, the environment) stays in the text as it stands there, "${X}" or "$(...)".
struct ShellScript {
    std::vector<std::vector<std::string>> commands; ///< simple commands in order, expanded into words
    std::map<std::string, std::string, std::less<>> variables; ///< as they stand at the end
    std::vector<std::pair<std::string, std::string>>
        documents; ///< here-documents: the file they go to, and the expanded text
    std::vector<std::string> directives; ///< words behind "#SBATCH", in order
};

/// Reads a script. Never throws: what it cannot follow it passes over. Work is bounded: loops run at most 64 times, and
/// no more than 20,000 commands and 4 MiB of expanded text are kept.
ShellScript read_shell_script(std::string_view text);

/// Integer arithmetic of the shell: + - * / % ** ( ), comparisons and numbers. False where a name is unknown or the
/// expression is none. @param[out] value
bool shell_arithmetic(std::string_view expression, const std::map<std::string, std::string, std::less<>> &variables,
                      long long &value);

} // namespace meshwright
