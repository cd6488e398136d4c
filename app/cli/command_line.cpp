// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command_line.h"

#include "built_in_runs.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "evidence/similar_runs.h"
#include "input/field_reader.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <csignal>

namespace meshwright {

namespace {

/// Name of the program with the current verb, for error messages.
std::string spokenName(const CLI::App &program) {
    std::string name = program.get_name();
    for (const CLI::App *verb : program.get_subcommands())
        name += " " + verb->get_name();
    return name;
}

std::string helpOf(const CLI::App &program) {
    const std::vector<const CLI::App *> verbs = [&] {
        const auto chosen = program.get_subcommands();
        return std::vector<const CLI::App *>(chosen.begin(), chosen.end());
    }();
    return verbs.empty() ? program.help() : verbs.front()->help(program.get_name());
}

/// Error message if the first argument is neither a verb nor an option, or is missing; otherwise empty.
std::string verbProblem(const CLI::App &program, int argc, char **argv) {
    std::vector<std::string> verbs;
    for (const CLI::App *verb : program.get_subcommands([](const CLI::App *) { return true; }))
        verbs.push_back(verb->get_name());
    if (argc < 2)
        return fmt::format("no command given; expected {}", listed(verbs));
    const std::string_view given = argv[1];
    if (given.starts_with('-'))
        return {};
    const std::optional<std::string> near = nearest_word(given, verbs);
    return fmt::format("unknown command \"{}\"; {}", given.substr(0, 60),
                       near ? fmt::format("did you mean {}?", *near) : fmt::format("expected {}", listed(verbs)));
}

} // namespace

int runCommandLine(CLI::App &program, int argc, char **argv) {
    std::signal(SIGPIPE, SIG_IGN); // writing to a closed pipe must fail instead of killing the program
    // A write beyond the file size limit fails with an error instead of ending the program.
    std::signal(SIGXFSZ, SIG_IGN);
    KnownRuns::start_from(built_in_runs());
    try {
        try {
            program.parse(argc, argv);
        } catch (const CLI::CallForHelp &) {
            writeText(helpOf(program));
        } catch (const CLI::CallForVersion &version) {
            writeText(std::string(version.what()) + "\n");
        } catch (const CLI::ParseError &error) {
            const std::string name = spokenName(program);
            const std::string problem = program.get_subcommands().empty() ? verbProblem(program, argc, argv) : "";
            throw Failure(ExitStatus::usage,
                          name + ": usage: " + (problem.empty() ? error.what() : problem) + "; see " + name
                              + " --help");
        }
        return static_cast<int>(ExitStatus::done);
    } catch (const Failure &failure) {
        return report(failure);
    } catch (const std::exception &error) {
        return report(failureFor(program.get_name(), error));
    }
}

} // namespace meshwright
