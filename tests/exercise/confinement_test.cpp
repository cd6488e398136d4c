// SPDX-License-Identifier: GPL-3.0-or-later
#include "exercise/confinement.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace meshwright {

namespace {

constexpr std::size_t mebibyte = 1u << 20;

/// Outcome of an attempt in a confined process.
enum class Attempt { succeeded, failed, killed };

template <typename Act>
Attempt attempt(const Act &act) {
    const pid_t process = ::fork();
    if (process == 0) {
        confine(64 * mebibyte, std::chrono::seconds(2));
        ::_exit(act() ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(process, &status, 0), process);
    return WIFSIGNALED(status) ? Attempt::killed : WEXITSTATUS(status) == 0 ? Attempt::succeeded : Attempt::failed;
}

bool maps(std::size_t bytes, int protection) {
    return ::mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

} // namespace

TEST(Confinement, LeavesWhatCalculationsNeed) {
    EXPECT_EQ(attempt([] { return maps(40 * mebibyte, PROT_READ | PROT_WRITE); }), Attempt::succeeded);
    EXPECT_EQ(attempt([] { return std::getenv("PATH") != nullptr && std::time(nullptr) > 0; }), Attempt::succeeded);
}

TEST(Confinement, OpensNoFiles) {
    EXPECT_EQ(attempt([] { return ::open("/etc/passwd", O_RDONLY) >= 0; }), Attempt::failed);
    EXPECT_EQ(attempt([] { return ::open("/tmp/meshwright-exercise", O_WRONLY | O_CREAT, 0600) >= 0; }),
              Attempt::failed);
    EXPECT_EQ(attempt([] { return ::dup(STDIN_FILENO) >= 0; }), Attempt::failed);
    EXPECT_EQ(attempt([] { return ::unlink("/tmp/meshwright-exercise") == 0 || errno != EPERM; }), Attempt::failed);
}

TEST(Confinement, WritesToNoOpenFile) {
    const int file = ::open("/tmp", O_TMPFILE | O_RDWR, 0600);
    ASSERT_GE(file, 0);
    EXPECT_NE(attempt([file] { return ::write(file, "x", 1) == 1; }), Attempt::succeeded);
    ::close(file);
}

TEST(Confinement, ReachesNoNetwork) {
    for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK})
        EXPECT_EQ(attempt([family] { return ::socket(family, SOCK_STREAM, 0) >= 0; }), Attempt::failed);
}

TEST(Confinement, StartsNoProcessAndNoThread) {
    EXPECT_EQ(attempt([] { return ::fork() >= 0; }), Attempt::failed);
    EXPECT_EQ(attempt([] {
                  std::array<char *, 1> none{nullptr};
                  return ::execve("/bin/true", none.data(), none.data()) == 0;
              }),
              Attempt::failed);
    EXPECT_EQ(attempt([] {
                  try {
                      std::thread([] {}).join();
                      return true;
                  } catch (const std::system_error &) {
                      return false;
                  }
              }),
              Attempt::failed);
}

TEST(Confinement, ReachesNoOtherProcess) {
    EXPECT_EQ(attempt([] { return ::kill(::getppid(), 0) == 0; }), Attempt::failed);
}

TEST(Confinement, ExecutesNoMemory) {
    EXPECT_EQ(attempt([] { return maps(4096, PROT_READ | PROT_EXEC); }), Attempt::failed);
    EXPECT_EQ(attempt([] { return maps(4096, PROT_READ | PROT_WRITE | PROT_EXEC); }), Attempt::failed);
    EXPECT_EQ(attempt([] {
                  void *const page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                  return ::mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
              }),
              Attempt::failed);
}

TEST(Confinement, TakesNoMoreMemoryThanItMay) {
    EXPECT_EQ(attempt([] { return maps(65 * mebibyte, PROT_READ | PROT_WRITE); }), Attempt::failed);
    EXPECT_EQ(attempt([] {
                  return maps(40 * mebibyte, PROT_READ | PROT_WRITE) && maps(25 * mebibyte, PROT_READ | PROT_WRITE);
              }),
              Attempt::failed);
}

} // namespace meshwright
