// SPDX-License-Identifier: GPL-3.0-or-later
#include "freed_memory.h"

#include "input/files.h"

#include <dlfcn.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <sstream>

namespace meshwright {

namespace {

constexpr std::chrono::seconds betweenChecks{5};
constexpr double worthReleasing = 32 << 20; ///< minimum growth in bytes after which memory is released

void releaseOfTbb() {
    // The symbol exists only in programs linked with oneTBB's allocator.
    using Command = int (*)(int, void *);
    constexpr int cleanAllBuffers = 0; // TBBMALLOC_CLEAN_ALL_BUFFERS
    static const auto command = reinterpret_cast<Command>(dlsym(RTLD_DEFAULT, "scalable_allocation_command"));
    if (command != nullptr)
        command(cleanAllBuffers, nullptr);
}

} // namespace

FreedMemory::FreedMemory() {
    m_least = resident();
    QObject::connect(&m_checks, &QTimer::timeout, &m_checks, [this] { check(); });
    m_checks.start(betweenChecks);
}

void FreedMemory::release() {
    malloc_trim(0);
    releaseOfTbb();
}

double FreedMemory::resident() {
    constexpr std::size_t longest = 4096;
    try {
        std::istringstream pages(read_file("/proc/self/statm", longest));
        double whole = 0;
        double resident = 0;
        pages >> whole >> resident;
        return resident * double(sysconf(_SC_PAGESIZE));
    } catch (const std::exception &) {
        return 0;
    }
}

void FreedMemory::check() {
    const double now = resident();
    if (now > m_least + worthReleasing) {
        release();
        m_least = resident();
    }
    m_least = std::min(m_least, now);
}

} // namespace meshwright
