// SPDX-License-Identifier: GPL-3.0-or-later
#include "exercise/confinement.h"

#include "input/files.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <new>
#include <sstream>
#include <vector>

namespace meshwright {

namespace {

void limit(__rlimit_resource resource, rlim_t most) {
    rlimit now{};
    if (::getrlimit(resource, &now) != 0)
        return;
    const rlimit wanted{.rlim_cur = std::min(most, now.rlim_max), .rlim_max = std::min(most, now.rlim_max)};
    ::setrlimit(resource, &wanted);
}

/// Address space limit that lets a process allocate `moreMemory` additional bytes. Up to half of them may come from
/// address space that is already reserved but unused.
rlim_t addressSpaceFor(std::size_t moreMemory) {
    std::istringstream pages(read_file("/proc/self/statm"));
    rlim_t all = 0;
    rlim_t resident = 0;
    rlim_t shared = 0;
    rlim_t code = 0;
    rlim_t none = 0;
    rlim_t data = 0;
    pages >> all >> resident >> shared >> code >> none >> data;
    const rlim_t used = std::min(resident - shared, data);
    const auto page = static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
    return all * page + moreMemory - std::min<rlim_t>((data - used) * page, moreMemory / 2);
}

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0; // no filter is known for this architecture
#endif

/// Allows only the system calls that a program needs to calculate and answer. All others fail with EPERM; a library
/// that cannot open a file, such as a time zone file, continues without it.
std::vector<sock_filter> systemCallFilter() {
    constexpr std::array allowed{SYS_read,           SYS_write,           SYS_exit,
                                 SYS_exit_group,     SYS_rt_sigreturn,    SYS_rt_sigaction,
                                 SYS_rt_sigprocmask, SYS_sigaltstack,     SYS_brk,
                                 SYS_munmap,         SYS_mremap,          SYS_madvise,
                                 SYS_futex,          SYS_clock_gettime,   SYS_gettimeofday,
                                 SYS_getrandom,      SYS_getpid,          SYS_gettid,
                                 SYS_getrusage,      SYS_sched_yield,     SYS_sched_getaffinity,
                                 SYS_nanosleep,      SYS_clock_nanosleep, SYS_restart_syscall};
    constexpr std::uint32_t numberAt = offsetof(seccomp_data, nr);
    constexpr std::uint32_t architectureAt = offsetof(seccomp_data, arch);
    constexpr std::uint32_t protectionAt = offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t);
    const sock_filter permit = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const sock_filter refuse = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    const auto skipUnless = [](long number, std::uint8_t count) {
        return sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, count);
    };
    // System call numbers depend on the architecture, and a processor may support two architectures, so the filter
    // checks the architecture first.
    std::vector<sock_filter> filter{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, architectureAt),
                                    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0), refuse,
                                    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, numberAt)};
    for (const long number : allowed) {
        filter.push_back(skipUnless(number, 1));
        filter.push_back(permit);
    }
    for (const long number : {SYS_mmap, SYS_mprotect}) {
        filter.push_back(skipUnless(number, 4));
        filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, protectionAt));
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0));
        filter.push_back(permit);
        filter.push_back(refuse);
    }
    filter.push_back(refuse);
    return filter;
}

void filterSystemCalls() {
    if (architecture == 0)
        return;
    std::vector<sock_filter> filter = systemCallFilter();
    const sock_fprog program{.len = static_cast<unsigned short>(filter.size()), .filter = filter.data()};
    ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

// A signal handler reads this object, so it must exist from the start.
LastLines lastLines; // clazy:exclude=non-pod-global-static
constexpr std::size_t stackSize = 4u << 20;
std::uintptr_t stackTop = 0;

[[noreturn]] void endWith(const std::string &line) {
    writeOrEnd(line);
    ::_exit(0);
}

/// Whether the signal means that memory is exhausted: either a std::bad_alloc could not propagate through the library's
/// code and ended in SIGABRT, or half of a program's memory limit can no longer be allocated.
bool isMemoryOut(int number) {
    constexpr std::size_t much = 32u << 20;
    return number == SIGABRT
        || ::mmap(nullptr, much, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

void endAtSignal(int number, siginfo_t *information, void * /*context*/) {
    const auto address = reinterpret_cast<std::uintptr_t>(information->si_addr);
    const bool inStack = number == SIGSEGV && address < stackTop && address > stackTop - 2 * stackSize;
    endWith(inStack ? lastLines.tooDeep : isMemoryOut(number) ? lastLines.outOfMemory : lastLines.failed);
}

} // namespace

void confine(std::size_t moreMemory, std::chrono::seconds time) {
    // Normally the caller ends the process; these limits end it if the caller has died.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CPU, static_cast<rlim_t>(time.count()) + 1);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_MEMLOCK, 0);
    limit(RLIMIT_STACK, stackSize);
    limit(RLIMIT_AS, addressSpaceFor(moreMemory));
    limit(RLIMIT_NOFILE, 0);
    filterSystemCalls();
}

void endWithALine(const LastLines &lines) {
    lastLines = lines;
    static std::array<char, 1u << 16> otherStack;
    const stack_t stack{.ss_sp = otherStack.data(), .ss_flags = 0, .ss_size = otherStack.size()};
    stackTop = reinterpret_cast<std::uintptr_t>(&stack);
    ::sigaltstack(&stack, nullptr);
    struct sigaction action { };
    action.sa_sigaction = endAtSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE})
        ::sigaction(number, &action, nullptr);
    std::set_new_handler([] { endWith(lastLines.outOfMemory); });
}

void writeOrEnd(const std::string &text) {
    for (std::size_t written = 0; written < text.size();) {
        const ssize_t now = ::write(STDOUT_FILENO, text.data() + written, text.size() - written);
        if (now <= 0 && errno != EINTR)
            ::_exit(1);
        written += static_cast<std::size_t>(std::max<ssize_t>(now, 0));
    }
}

} // namespace meshwright
