// SPDX-License-Identifier: GPL-3.0-or-later
// Environment variables arm this library in the program that loads it: FAILING_CALLS=TURN:ACTION:ERROR:FOLDER, with the
// action as its number. FAILING_CALLS_LOG names a file that receives the names of the counted calls, one per line.
#include "failing_calls.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace failing_calls {

namespace {

// Plain arrays are used because calls occur before constructors and after destructors have run.
char folder[4096]; // NOLINT: read by C functions
char name_of_struck[32]; // NOLINT
char while_there[4096]; // NOLINT
int log_file = -1;
int turn = 0;
int error_given = 0;
Action action = Action::Count;
std::atomic<bool> armed{false};
std::atomic<int> calls{0};

bool counts(const char *path) {
    return armed && path != nullptr && std::strncmp(path, folder, std::strlen(folder)) == 0
        && (while_there[0] == '\0' || ::syscall(SYS_access, while_there, F_OK) == 0);
}

bool counts(int file) {
    if (!armed || file < 0 || file == log_file)
        return false;
    char link[64]; // NOLINT
    char path[4096]; // NOLINT
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = ::syscall(SYS_readlink, link, path, sizeof path - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    return counts(path);
}

bool counts_at(int at, const char *path) {
    return path != nullptr && (path[0] == '/' ? counts(path) : counts(at));
}

void die() {
    ::syscall(SYS_kill, ::getpid(), SIGKILL);
    for (;;)
        ::pause(); // the signal may reach another thread first
}

enum class Turn { Passes, Fails, Dies };

/// Decides what happens to a counted call on a file.
Turn strike(const char *name, bool writes) {
    const int now = ++calls;
    if (log_file >= 0) {
        char line[64]; // NOLINT
        const int length = std::snprintf(line, sizeof line, "%s\n", name);
        ::syscall(SYS_write, log_file, line, length);
    }
    const bool is_its_turn = action == Action::FailOn ? writes && now >= turn : now == turn;
    if (!is_its_turn || action == Action::Count)
        return Turn::Passes;
    std::snprintf(name_of_struck, sizeof name_of_struck, "%s", name);
    if (action == Action::KillBefore)
        die();
    if (action == Action::KillAfter)
        return Turn::Dies;
    errno = error_given;
    return Turn::Fails;
}

template <typename Call>
auto through(bool counted, const char *name, Call call, bool writes = false) {
    const Turn now = counted ? strike(name, writes) : Turn::Passes;
    if (now == Turn::Fails)
        return decltype(call())(-1);
    const auto result = call();
    if (now == Turn::Dies)
        die();
    return result;
}

template <typename Function>
Function next(const char *name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name)); // NOLINT: dlsym() returns an untyped pointer
}

__attribute__((constructor)) void arm_by_environment() {
    const char *plan = std::getenv("FAILING_CALLS");
    int number = 0;
    int length = 0;
    if (plan == nullptr || std::sscanf(plan, "%d:%d:%d:%n", &turn, &number, &error_given, &length) < 3)
        return;
    action = static_cast<Action>(number);
    std::snprintf(folder, sizeof folder, "%s", plan + length);
    if (const char *name = std::getenv("FAILING_CALLS_WHILE"))
        std::snprintf(while_there, sizeof while_there, "%s", name);
    if (const char *log = std::getenv("FAILING_CALLS_LOG"))
        log_file = static_cast<int>(::syscall(SYS_open, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    armed = true;
}

} // namespace

void arm(const Plan &plan) {
    std::snprintf(folder, sizeof folder, "%s", plan.folder.c_str());
    turn = plan.turn;
    action = plan.action;
    error_given = plan.error;
    calls = 0;
    name_of_struck[0] = '\0';
    armed = true;
}

void disarm() {
    armed = false;
}

int count() {
    return calls;
}

std::string struck() {
    return static_cast<const char *>(name_of_struck);
}

} // namespace failing_calls

using failing_calls::counts;
using failing_calls::counts_at;
using failing_calls::next;
using failing_calls::through;

// The C library defines the names and parameters.
// NOLINTBEGIN
extern "C" {

#define OPEN(NAME)                                                                                                     \
    int NAME(const char *path, int flags, ...) {                                                                       \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;                           \
        va_end(rest);                                                                                                  \
        static const auto real = next<int (*)(const char *, int, ...)>(#NAME);                                         \
        return through(counts(path), #NAME, [&] { return real(path, flags, mode); });                                  \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(NAME)                                                                                                   \
    int NAME(int at, const char *path, int flags, ...) {                                                               \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;                           \
        va_end(rest);                                                                                                  \
        static const auto real = next<int (*)(int, const char *, int, ...)>(#NAME);                                    \
        return through(counts_at(at, path), #NAME, [&] { return real(at, path, flags, mode); });                       \
    }
OPENAT(openat)
OPENAT(openat64)

#define MAKE_TEMPORARY(NAME)                                                                                           \
    int NAME(char *path, int ending, int flags) {                                                                      \
        static const auto real = next<int (*)(char *, int, int)>(#NAME);                                               \
        return through(counts(path), #NAME, [&] { return real(path, ending, flags); });                                \
    }
MAKE_TEMPORARY(mkostemps)
MAKE_TEMPORARY(mkostemps64)

ssize_t write(int file, const void *bytes, size_t many) {
    static const auto real = next<ssize_t (*)(int, const void *, size_t)>("write");
    const bool counted = counts(file);
    const bool halved = counted && failing_calls::action == failing_calls::Action::KillAfter
        && failing_calls::calls + 1 == failing_calls::turn;
    return through(
        counted, "write", [&] { return real(file, bytes, halved ? many / 2 : many); }, true);
}

#define OF_FILE(NAME)                                                                                                  \
    int NAME(int file) {                                                                                               \
        static const auto real = next<int (*)(int)>(#NAME);                                                            \
        return through(counts(file), #NAME, [&] { return real(file); });                                               \
    }
OF_FILE(fsync)
OF_FILE(fdatasync)
OF_FILE(close)

int flock(int file, int operation) {
    static const auto real = next<int (*)(int, int)>("flock");
    return through(counts(file), "flock", [&] { return real(file, operation); });
}

int fchmod(int file, mode_t mode) {
    static const auto real = next<int (*)(int, mode_t)>("fchmod");
    return through(counts(file), "fchmod", [&] { return real(file, mode); });
}

int fchown(int file, uid_t owner, gid_t group) {
    static const auto real = next<int (*)(int, uid_t, gid_t)>("fchown");
    return through(counts(file), "fchown", [&] { return real(file, owner, group); });
}

int ftruncate(int file, off_t size) {
    static const auto real = next<int (*)(int, off_t)>("ftruncate");
    return through(counts(file), "ftruncate", [&] { return real(file, size); });
}

int truncate(const char *path, off_t size) {
    static const auto real = next<int (*)(const char *, off_t)>("truncate");
    return through(counts(path), "truncate", [&] { return real(path, size); });
}

int rename(const char *from, const char *to) {
    static const auto real = next<int (*)(const char *, const char *)>("rename");
    return through(counts(from) || counts(to), "rename", [&] { return real(from, to); });
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
    static const auto real = next<int (*)(int, const char *, int, const char *, unsigned)>("renameat2");
    return through(counts_at(from_at, from) || counts_at(to_at, to), "renameat2",
                   [&] { return real(from_at, from, to_at, to, flags); });
}

int link(const char *from, const char *to) {
    static const auto real = next<int (*)(const char *, const char *)>("link");
    return through(counts(from) || counts(to), "link", [&] { return real(from, to); });
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    static const auto real = next<int (*)(int, const char *, int, const char *, int)>("linkat");
    return through(counts_at(from_at, from) || counts_at(to_at, to), "linkat",
                   [&] { return real(from_at, from, to_at, to, flags); });
}

int unlink(const char *path) {
    static const auto real = next<int (*)(const char *)>("unlink");
    return through(counts(path), "unlink", [&] { return real(path); });
}

int remove(const char *path) {
    static const auto real = next<int (*)(const char *)>("remove");
    return through(counts(path), "remove", [&] { return real(path); });
}

int unlinkat(int at, const char *path, int flags) {
    static const auto real = next<int (*)(int, const char *, int)>("unlinkat");
    return through(counts_at(at, path), "unlinkat", [&] { return real(at, path, flags); });
}

int mkdir(const char *path, mode_t mode) {
    static const auto real = next<int (*)(const char *, mode_t)>("mkdir");
    return through(counts(path), "mkdir", [&] { return real(path, mode); });
}

} // extern "C"
// NOLINTEND
