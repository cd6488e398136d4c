// SPDX-License-Identifier: GPL-3.0-or-later
#include "exercise/exercise_process.h"

#include "exercise/exercise_messages.h"
#include "input/descriptor.h"
#include "input/printable.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace meshwright {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Maximum time until the process starts; generous, because a loaded machine may be slow.
constexpr std::chrono::seconds startTime{20};
constexpr std::size_t largestAnswer = 1u << 20;

/// The environment of the process: only the variables that it needs to find its libraries.
class Environment {
public:
    Environment() {
        m_texts = {"LANG=C.UTF-8", "TZ=UTC"};
        for (const char *name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"})
            if (const char *const value = std::getenv(name))
                m_texts.push_back(std::string(name) + "=" + value);
        for (std::string &text : m_texts)
            m_pointers.push_back(text.data());
        m_pointers.push_back(nullptr);
    }
    char *const *get() const { return m_pointers.data(); }

private:
    std::vector<std::string> m_texts;
    std::vector<char *> m_pointers;
};

[[noreturn]] void fail(const std::string &what, int error) {
    throw std::system_error(error, std::generic_category(), what);
}
void require(const char *what, int error) {
    if (error != 0)
        fail(what, error);
}

/// A running `meshwright exercise` process. The destructor ends it.
class ExerciseProcess {
public:
    /// @param connection socket that becomes the process's standard input and output
    ExerciseProcess(const fs::path &program, int connection) {
        Actions actions;
        require("dup2", posix_spawn_file_actions_adddup2(&actions.files, connection, STDIN_FILENO));
        require("dup2", posix_spawn_file_actions_adddup2(&actions.files, connection, STDOUT_FILENO));
        require("open", posix_spawn_file_actions_addopen(&actions.files, STDERR_FILENO, "/dev/null", O_WRONLY, 0));
        require("close", posix_spawn_file_actions_addclosefrom_np(&actions.files, STDERR_FILENO + 1));
        std::string name = "meshwright";
        std::string verb(exerciseVerb);
        const std::array<char *, 3> arguments{name.data(), verb.data(), nullptr};
        const Environment environment;
        if (const int error = posix_spawn(&m_id, program.c_str(), &actions.files, &actions.attributes, arguments.data(),
                                          environment.get()))
            fail(printable(program.string()), error);
    }
    ~ExerciseProcess() {
        if (m_id > 0)
            end();
    }
    ExerciseProcess(const ExerciseProcess &) = delete;
    ExerciseProcess &operator=(const ExerciseProcess &) = delete;

    /// Ends the process if it has not ended. @returns the status for WIFSIGNALED() and similar macros
    int end() {
        ::kill(m_id, SIGKILL);
        int status = 0;
        while (::waitpid(m_id, &status, 0) < 0 && errno == EINTR) { }
        m_id = 0;
        return status;
    }

private:
    /// The process starts with no signal blocked or ignored, whatever this program does with its own signals.
    struct Actions {
        Actions() {
            require("actions", posix_spawn_file_actions_init(&files));
            require("attributes", posix_spawnattr_init(&attributes));
            sigset_t signals;
            sigemptyset(&signals);
            posix_spawnattr_setsigmask(&attributes, &signals);
            sigfillset(&signals);
            posix_spawnattr_setsigdefault(&attributes, &signals);
            posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        }
        ~Actions() {
            posix_spawn_file_actions_destroy(&files);
            posix_spawnattr_destroy(&attributes);
        }
        Actions(const Actions &) = delete;
        Actions &operator=(const Actions &) = delete;
        posix_spawn_file_actions_t files{};
        posix_spawnattr_t attributes{};
    };

    pid_t m_id = 0;
};

/// Sends the request and reads the answer concurrently, so that neither side blocks the other.
class Conversation {
public:
    Conversation(int connection, std::string request, ExerciseAnswer &answer)
        : m_connection(connection)
        , m_request(std::move(request))
        , m_answer(answer) { }

    /// Returns once the answer is complete or the process has closed the connection.
    void run() {
        Clock::time_point deadline = Clock::now() + startTime;
        while (!m_answer.isComplete()) {
            const bool wasReady = m_answer.isReady();
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
            if (left <= 0)
                return m_answer.end(wasReady ? "took longer than 2 s" : "the JavaScript engine did not start in time");
            const bool sends = m_sent < m_request.size();
            pollfd ready{
                .fd = m_connection, .events = static_cast<short>(POLLIN | (sends ? POLLOUT : 0)), .revents = 0};
            if (::poll(&ready, 1, static_cast<int>(left)) < 0 && errno != EINTR)
                fail("poll", errno);
            if (sends && (ready.revents & POLLOUT) != 0)
                sendOn();
            if ((ready.revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !readOn())
                return;
            if (!wasReady && m_answer.isReady())
                deadline = Clock::now() + exerciseTime;
        }
    }

private:
    void sendOn() {
        const ssize_t now =
            ::send(m_connection, m_request.data() + m_sent, m_request.size() - m_sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (now > 0)
            m_sent += static_cast<std::size_t>(now);
        else if (errno == EPIPE || errno == ECONNRESET)
            m_sent = m_request.size(); // the process has ended; still read what it wrote
        if (m_sent == m_request.size())
            ::shutdown(m_connection, SHUT_WR);
    }
    /// @returns whether the process may send more output
    bool readOn() {
        std::array<char, 65536> piece;
        const ssize_t now = ::recv(m_connection, piece.data(), piece.size(), MSG_DONTWAIT);
        if (now <= 0)
            return now < 0 && (errno == EINTR || errno == EAGAIN);
        m_received += static_cast<std::size_t>(now);
        if (m_received > largestAnswer) {
            m_answer.end("the answer is longer than 1 MB");
            return false;
        }
        m_rest.append(piece.data(), static_cast<std::size_t>(now));
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = m_rest.find('\n', begin)) != std::string::npos; begin = end + 1)
            if (!m_answer.take(std::string_view(m_rest).substr(begin, end - begin))) {
                m_answer.end("the JavaScript engine returned an invalid answer");
                return false;
            }
        m_rest.erase(0, begin);
        return true;
    }

    int m_connection;
    std::string m_request;
    std::size_t m_sent = 0;
    std::size_t m_received = 0;
    std::string m_rest;
    ExerciseAnswer &m_answer;
};

std::string unexpectedEnd(int status) {
    if (WIFSIGNALED(status))
        return std::string("the JavaScript engine was killed: ") + ::strsignal(WTERMSIG(status));
    return "the JavaScript engine ended without an answer";
}

ProgramOutcome runOrThrow(const fs::path &meshwright, const ProgramCall &call) {
    if (::access(meshwright.c_str(), X_OK) != 0)
        return {.values = {},
                .problem =
                    "exercise programs need the desktop program; expected it at " + printable(meshwright.string())};
    std::string request = requestOf(call);
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        fail("socketpair", errno);
    const Descriptor own(ends[0]);
    std::optional<Descriptor> other(std::in_place, ends[1]);
    ExerciseProcess process(meshwright, other->get());
    other.reset();
    ExerciseAnswer answer(call.cases.size());
    Conversation(own.get(), std::move(request), answer).run();
    const int status = process.end();
    answer.end(unexpectedEnd(status));
    return answer.outcome();
}

} // namespace

fs::path meshwrightOf(const fs::path &program) {
    // After an update, the running program's file may be gone. Its folder then has a new file of the same name.
    const std::string name = program.filename().string();
    if (name == "meshwright" || name == "meshwright (deleted)")
        return "/proc/self/exe";
    return program.parent_path() / "meshwright";
}

ProgramOutcome run_in_process_of(const fs::path &meshwright, const ProgramCall &call) {
    try {
        return runOrThrow(meshwright, call);
    } catch (const std::exception &error) {
        return {.values = {}, .problem = printable(error.what())};
    }
}

ProgramOutcome run_in_process(const ProgramCall &call) {
    std::error_code error;
    return run_in_process_of(meshwrightOf(fs::read_symlink("/proc/self/exe", error)), call);
}

} // namespace meshwright
