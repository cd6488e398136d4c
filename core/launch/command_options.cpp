// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/command_options.h"

#include "launch/importers.h"
#include "launch/shell_calls.h"
#include "launch/shell_script.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <set>
#include <sstream>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

bool is_option(std::string_view word) {
    return word.size() > 2 && word.starts_with("--") && std::isalpha(static_cast<unsigned char>(word[2])) != 0;
}

/// "-N", "-n": options of srun and mpirun with one dash.
bool is_short_option(std::string_view word) {
    return word.size() == 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0;
}

/// Whether a word behind mpirun's -x sets an environment variable ("NAME=value") or passes one on ("NAME").
bool names_variable(std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    const bool is_set = name.size() < word.size();
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0
        && std::all_of(name.begin(), name.end(), [&](char c) {
               const auto code = static_cast<unsigned char>(c);
               return c == '_' || std::isdigit(code) != 0 || (is_set ? std::isalpha(code) : std::isupper(code)) != 0;
           });
}

/// A word without its command substitutions, because options inside them belong to the inner commands.
std::string outside_substitutions(const std::string &word) {
    std::string outside;
    bool closes = true;
    for (std::size_t i = 0; i < word.size(); ++i) {
        std::size_t last = i;
        if (closes && word.compare(i, 2, "$(") == 0)
            last = closing_bracket(word, i + 1, '(', ')');
        else if (closes && word[i] == '`')
            last = std::min(word.find('`', i + 1), word.size());
        closes = closes && last < word.size();
        if (closes && last > i)
            i = last;
        else
            outside += word[i];
    }
    return outside;
}

bool prints(const std::vector<std::string> &command) {
    return !command.empty() && (command.front() == "echo" || command.front() == "printf");
}

/// Splits words that a script has quoted together ("bash -c '... --x 1'", "$ARGS" in quotes), because they are options
/// too. An inner shell expands the script's variables.
std::vector<std::string> unquoted(const std::vector<std::string> &words, const ShellVariables &variables) {
    std::vector<std::string> result;
    for (const std::string &word : words) {
        const std::string said = outside_substitutions(word);
        const bool holds_options = said.find_first_of(" \t\n") != std::string::npos
            && (said.find("--") != std::string::npos || said.find(".py") != std::string::npos
                || said.find('$') != std::string::npos);
        if (!holds_options) {
            result.push_back(word);
            continue;
        }
        const std::vector<std::vector<std::string>> commands =
            read_shell_script(word, UnknownConditions::fail, variables).commands;
        const bool only_print = std::all_of(commands.begin(), commands.end(), prints);
        bool is_printed = false; // "sh -c 'echo $COMMAND; $COMMAND'", where options may continue on the next line
        for (const std::vector<std::string> &inner : commands) {
            const bool continues = !inner.empty() && is_option(inner.front());
            is_printed = prints(inner) || (is_printed && continues);
            if (only_print || !is_printed)
                result.insert(result.end(), inner.begin(), inner.end());
        }
    }
    return result;
}

Json value_of(std::vector<std::string> words) {
    for (std::string &word : words) // a value in two pairs of quotes: '"99,1,0"'
        word = without_quotes(word);
    if (words.empty())
        return true;
    return words.size() == 1 ? Json(words.front()) : Json(words);
}

/// Whether a word cannot be an option's value: a backslash that does not continue a line, the script's own arguments
/// ("$@"), or a variable whose name suggests further options.
bool holds_no_value(const std::string &word) {
    if (word == "\\" || word.starts_with("$@") || word.starts_with("${@") || word == "$*")
        return true;
    if (!word.starts_with("$") || word.find_first_of("/ .:(") != std::string::npos)
        return false;
    std::string name;
    for (const char c : word)
        name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name.find("ARG") != std::string::npos || name.find("OPT") != std::string::npos
        || name.find("FLAG") != std::string::npos || name.find("EXTRA") != std::string::npos;
}

/// A substitution of a sed command: "s/A/B/" or "s|A|B|g".
void add_substitutions(const std::vector<std::string> &command,
                       std::vector<std::pair<std::string, std::string>> &substitutions) {
    if (command.empty() || !command.front().ends_with("sed"))
        return;
    for (const std::string &word : command) {
        if (word.size() < 4 || word[0] != 's' || std::isalnum(static_cast<unsigned char>(word[1])) != 0)
            continue;
        const std::size_t middle = word.find(word[1], 2);
        const std::size_t end = middle == std::string::npos ? middle : word.find(word[1], middle + 1);
        if (end != std::string::npos && middle > 2)
            substitutions.emplace_back(word.substr(2, middle - 2), word.substr(middle + 1, end - middle - 1));
    }
}

using Words = std::vector<std::string>;

/// Removes what the shell itself would interpret in "eval $COMMAND": redirections with their targets, and everything
/// from the first pipe or the second command on.
Words without_redirections(const Words &words) {
    Words result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (word == "|" || word == "&&" || word == "||" || word == ";")
            break;
        const std::size_t sign = word.find_first_not_of("0123456789&");
        const bool redirects = sign <= 1 && word[sign] == '>';
        if (!redirects && word != "&")
            result.push_back(word);
        else if (redirects && word.find_first_not_of('>', sign) == std::string::npos)
            ++i; // the next word is the redirection's target
    }
    return result;
}

/// The script's simple commands, each split into words.
std::vector<Words> commands_of(const ShellScript &script,
                               std::vector<std::pair<std::string, std::string>> &substitutions) {
    // If options are listed one per line, each line looks like a command that begins with an option. Such a line
    // continues the previous command.
    std::vector<Words> commands;
    for (const Words &command : script.commands) {
        add_substitutions(command, substitutions);
        Words words = without_redirections(unquoted(command, script.variables));
        if (!commands.empty() && !words.empty() && is_option(words.front()))
            commands.back().insert(commands.back().end(), words.begin(), words.end());
        else
            commands.push_back(std::move(words));
    }
    return commands;
}

/// Values of variables that hold options.
std::vector<Words> words_of_variables(const ShellScript &script) {
    constexpr std::size_t most_variables = 2'000;
    std::vector<Words> values;
    for (const auto &[name, value] : script.variables)
        if (value.find("--") != std::string::npos && values.size() < most_variables)
            values.push_back(unquoted({value + " "}, script.variables));
    return values;
}

bool is_known(const std::string &word, bool (*knows)(std::string_view option)) {
    return is_option(word) && knows(std::string_view(word).substr(0, word.find('=')));
}

/// The first command with the most known options; empty if none has any. A command wins over an `echo` of its options.
Words command_with_most(const std::vector<Words> &commands,
                        const std::function<bool(const std::string &word)> &counts) {
    const Words *best = nullptr;
    std::ptrdiff_t most = 0;
    bool is_printed = false;
    for (const Words &command : commands) {
        const std::ptrdiff_t count = std::count_if(command.begin(), command.end(), counts);
        if (count > most || (count > 0 && count == most && is_printed && !prints(command))) {
            most = count;
            best = &command;
            is_printed = prints(command);
        }
    }
    return best == nullptr ? Words() : *best;
}

/// Appends the lists that contain counted words and repeat no option: a script may divide a launch's options among
/// several variables.
void append_other_options(Words &words, const std::vector<Words> &lists,
                          const std::function<bool(const std::string &word)> &counts) {
    std::set<std::string, std::less<>> names;
    const auto name_of = [](const std::string &word) { return std::string_view(word).substr(0, word.find('=')); };
    const auto add_names = [&](const Words &list) {
        for (const std::string &word : list)
            if (is_option(word))
                names.emplace(name_of(word));
    };
    add_names(words);
    for (const Words &list : lists) {
        const bool repeats = std::any_of(list.begin(), list.end(), [&](const std::string &word) {
            return is_option(word) && names.contains(name_of(word));
        });
        if (repeats || std::none_of(list.begin(), list.end(), counts))
            continue;
        words.insert(words.end(), list.begin(), list.end());
        add_names(list);
    }
}

/// The program is the last word before the first option that the training program knows; everything before it belongs
/// to the launcher.
void split_at_program(const Words &command, bool (*knows)(std::string_view option), LaunchCommand &result) {
    const auto first_known =
        std::find_if(command.begin(), command.end(), [&](const std::string &word) { return is_known(word, knows); });
    auto program = command.end();
    for (auto word = command.begin(); word != first_known; ++word)
        if (word->ends_with(".py"))
            program = word;
    if (program != command.end())
        result.program = *program;
    for (LaunchOption &option : options_of({command.begin(), program == command.end() ? first_known : program}))
        if (option.name == "-m" && program == command.end() && option.value.is_string()) // "-m package.train"
            result.program = option.value.get<std::string>();
        else if (option.name != "-u"
                 && option.name != "-m") // options of Python itself: "python -u -m torch.distributed.run"
            result.launcher.push_back(std::move(option));
    result.options = options_of({program == command.end() ? first_known : program + 1, command.end()});
}

/// The program is the first word that names a Python file or a script; everything before it belongs to the launcher.
void split_behind_launcher(const Words &command, bool (*)(std::string_view option), LaunchCommand &result) {
    const auto program = std::find_if(command.begin(), command.end(), [&](const std::string &word) {
        return word.ends_with(".py") || has_script_ending(word);
    });
    for (LaunchOption &option : options_of({command.begin(), program}))
        result.launcher.push_back(std::move(option));
    if (program == command.end())
        return;
    result.program = *program;
    result.options = options_of({program + 1, command.end()});
}

/// The name in an option such as "name=value" or "~name", without Hydra's + and ~; empty for other words.
std::string_view overridden_name(const std::string &word) {
    const std::size_t start = word.find_first_not_of("+~-");
    const std::size_t equals = std::min(word.find('='), word.size());
    if (start == std::string::npos || equals <= start || (equals == word.size() && !word.starts_with("~")))
        return {};
    const std::string_view name = std::string_view(word).substr(start, equals - start);
    const bool is_name = std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '/' || c == '@';
    });
    return is_name ? name : std::string_view();
}

/// "model.num_layers=32", "+model.fsdp=True", "~model.optim.bucket_cap_mb".
bool is_override(const std::string &word) {
    return overridden_name(word).find('.') != std::string_view::npos;
}

/// Calls to scripts that were not given.
std::vector<ScriptCall> calls_of(const ShellScript &script) {
    std::vector<ScriptCall> calls;
    for (const ShellCall &each : script.calls)
        calls.push_back(
            {.script = each.script,
             .options = options_of(without_redirections(unquoted(script.commands[each.command], script.variables))),
             .environment = each.environment});
    return calls;
}

/// Index of the script call with this command; unset if there is none.
std::optional<std::size_t> call_of(const Words &command, const ShellScript &script) {
    for (std::size_t i = 0; i < script.calls.size(); ++i)
        if (without_redirections(unquoted(script.commands[script.calls[i].command], script.variables)) == command)
            return i;
    return std::nullopt;
}

/// The command of a script with the most options known to `knows`. @param split  assigns its words to launcher and
/// program
LaunchCommand read_command(std::string_view text, bool (*knows)(std::string_view option),
                           const std::vector<LaunchFile> &others,
                           void (*split)(const Words &, bool (*)(std::string_view option), LaunchCommand &)) {
    const auto counts = [&](const std::string &word) { return is_known(word, knows); };
    std::vector<ShellFile> files;
    for (const LaunchFile &other : others)
        files.push_back({script_name(other.name), other.text});
    ShellScript script = read_shell_script(text, UnknownConditions::fail, {}, files);
    LaunchCommand result;
    std::vector<std::string> best = command_with_most(commands_of(script, result.substitutions), counts);
    if (best.empty()) { // all commands depend on conditions that only a running shell could evaluate
        ShellScript other = read_shell_script(text, UnknownConditions::hold, {}, files);
        best = command_with_most(commands_of(other, result.substitutions), counts);
        if (!best.empty())
            script = std::move(other);
    }
    for (const auto &[target, document] : script.documents) // the script may submit another script
        if (best.empty() && document.find("#!") != std::string::npos) {
            const ShellScript inner = read_shell_script(document, UnknownConditions::hold, script.variables);
            best = command_with_most(commands_of(inner, result.substitutions), counts);
            script.directives.insert(script.directives.end(), inner.directives.begin(), inner.directives.end());
        }
    if (best.empty()) { // no command has options: take those in variables, which another script may use
        const std::vector<Words> variables = words_of_variables(script);
        best = command_with_most(variables, counts);
        append_other_options(best, variables, counts);
    }
    std::erase_if(script.calls, [](const ShellCall &each) { return each.sourced; }); // scripts that only set variables
    result.calls = calls_of(script);
    if (!best.empty())
        result.call = call_of(best, script);
    result.documents = std::move(script.documents);
    for (LaunchOption &option : options_of(script.directives))
        result.launcher.push_back(std::move(option));
    split(best, knows, result);
    return result;
}

} // namespace

std::string without_quotes(std::string_view word) {
    const bool is_quoted =
        word.size() > 1 && (word.starts_with('"') || word.starts_with('\'')) && word.ends_with(word.front());
    return std::string(is_quoted ? word.substr(1, word.size() - 2) : word);
}

std::vector<LaunchOption> options_of(const std::vector<std::string> &words) {
    std::vector<LaunchOption> options;
    for (std::size_t i = 0; i < words.size();) {
        const std::string &word = words[i++];
        if (!is_option(word) && !is_short_option(word))
            continue;
        if (word == "-x" && i < words.size() && names_variable(words[i])) {
            const std::string &set = words[i++];
            const std::size_t end = set.find('=');
            options.push_back({.name = set.substr(0, end),
                               .value = end == std::string::npos ? Json(true) : Json(set.substr(end + 1))});
            continue;
        }
        if (word == "--mca" && i + 1 < words.size() && !is_option(words[i])) {
            options.push_back({.name = word + " " + words[i], .value = words[i + 1]});
            i += 2;
            continue;
        }
        const std::size_t equals = is_option(word) ? word.find('=') : std::string::npos;
        std::vector<std::string> values;
        if (equals != std::string::npos)
            values.push_back(word.substr(equals + 1));
        else
            for (; i < words.size() && !is_option(words[i]) && !is_short_option(words[i]); ++i)
                if (!holds_no_value(words[i]))
                    values.push_back(words[i]);
        options.push_back({.name = word.substr(0, equals), .value = value_of(std::move(values))});
    }
    return options;
}

LaunchCommand read_launch_command(std::string_view text, bool (*knows)(std::string_view option),
                                  const std::vector<LaunchFile> &others) {
    return read_command(text, knows, others, split_at_program);
}

LaunchCommand read_launcher_command(std::string_view text, const std::vector<LaunchFile> &others) {
    return read_command(text, counts_machines, others, split_behind_launcher);
}

LaunchCommand read_launch_command(std::string_view text, bool (*knows)(std::string_view option)) {
    return read_launch_command(text, knows, {});
}

LaunchCommand read_override_command(std::string_view text) {
    const ShellScript script = read_shell_script(text);
    LaunchCommand result;
    const Words best = command_with_most(commands_of(script, result.substitutions), is_override);
    for (LaunchOption &option : options_of(script.directives))
        result.launcher.push_back(std::move(option));
    Words others;
    bool behind_program = false; // words before the program, such as "env NAME=value", are not training options
    for (const std::string &word : best) {
        const std::string_view name = overridden_name(word);
        behind_program = behind_program || word.ends_with(".py") || is_override(word);
        if (name.empty() && word.ends_with(".py") && result.options.empty())
            result.program = word;
        if (name.empty() || !behind_program || (is_option(word) && !is_override(word))) {
            others.push_back(word);
            continue;
        }
        const std::size_t equals = word.find('=');
        const std::string value = equals == std::string::npos ? "null" : word.substr(equals + 1);
        result.options.push_back({.name = std::string(name), .value = value == "null" ? Json() : Json(value)});
    }
    for (LaunchOption &option : options_of(others))
        result.launcher.push_back(std::move(option));
    return result;
}

} // namespace meshwright
