// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/documents.h"

#include "catalog/library.h"
#include "cli/failure.h"
#include "exchange/rate_trace_file.h"
#include "input/json_document.h"
#include "plan/plan_json.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <filesystem>
#include <iostream>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

bool isPipe(const std::string &file) {
    struct stat status = {};
    return ::stat(file.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

class Descriptor {
public:
    explicit Descriptor(int descriptor)
        : m_descriptor(descriptor) { }
    ~Descriptor() {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int get() const { return m_descriptor; }

private:
    int m_descriptor;
};

/// Opening a named pipe waits for a writer for ever; without waiting, and with a limit until the first byte, a pipe
/// that was forgotten is an error like any other. `<(command)` has its writer from the start and may take its time.
std::string readPipe(const std::string &file) {
    constexpr int patience = 800; // milliseconds
    const Descriptor pipe(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (pipe.get() < 0)
        throw FileError(file + ": cannot be read; an existing readable file is expected");
    std::string text;
    std::string piece(1 << 16, '\0');
    bool hasWriter = false;
    while (text.size() <= largest_input_bytes) {
        const ssize_t got = ::read(pipe.get(), piece.data(), piece.size());
        if (got > 0) {
            text.append(piece, 0, static_cast<std::size_t>(got));
            hasWriter = true;
        } else if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            hasWriter = true;
            pollfd waiting{pipe.get(), POLLIN, 0};
            ::poll(&waiting, 1, -1);
        } else if (got < 0 || hasWriter) {
            break;
        } else {
            // Nobody has opened the other end yet.
            pollfd waiting{pipe.get(), POLLIN, 0};
            if (::poll(&waiting, 1, patience) == 0)
                throw FileError(file + ": nobody writes to this pipe; a file or a pipe with a writer is expected");
            hasWriter = true;
        }
    }
    return text;
}

} // namespace

void addPlanArgument(CLI::App &verb, PlanArgument &argument, PlanNeed need) {
    verb.add_option("PLAN", argument.name, "A plan: a file, preset:ID or - for standard input")
        ->required(need == PlanNeed::required);
    verb.add_option("--set", argument.sets, "Change a field on the way in, as in --set parallelism.tensor=4")
        ->type_name("FIELD=VALUE")
        ->check([](const std::string &assignment) {
            return assignment.find('=') == std::string::npos ? "FIELD=VALUE is expected, not " + assignment
                                                             : std::string();
        })
        ->allow_extra_args(false)
        ->take_all();
}

Json loadDocument(const std::string &file) {
    if (file == "-")
        return read_json_stream(std::cin);
    return isPipe(file) ? parse_json(readPipe(file)) : read_json_file(file);
}

Json loadPlan(const PlanArgument &argument, const Library &library) {
    return naming(argument.name, [&] {
        Json document =
            isPipe(argument.name) ? loadDocument(argument.name) : load_plan_document(argument.name, library);
        const bool isFile = argument.name != "-" && !argument.name.starts_with("preset:");
        take_in_rate_traces(document,
                            isFile ? std::filesystem::path(argument.name).parent_path() : std::filesystem::path());
        for (const std::string &assignment : argument.sets)
            set_field(document, assignment, library);
        take_in_rate_traces(document, {}); // named on the command line: from where it was called
        return document;
    });
}

} // namespace meshwright
