// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cerrno>
#include <utility>

#include <unistd.h>

namespace meshwright {

class Descriptor {
public:
    explicit Descriptor(int descriptor)
        : m_descriptor(descriptor) { }
    ~Descriptor() {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    Descriptor(Descriptor &&other) noexcept
        : m_descriptor(std::exchange(other.m_descriptor, -1)) { }
    Descriptor &operator=(Descriptor &&other) noexcept {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }
    int get() const { return m_descriptor; }
    bool is_open() const { return m_descriptor >= 0; }
    /// On Linux, a close() that fails with EINTR has closed the file; repeating it could close another file.
    bool close() { return ::close(std::exchange(m_descriptor, -1)) == 0 || errno == EINTR; }

private:
    int m_descriptor;
};

/// Repeats a system call while it fails with EINTR.
template <typename Call>
auto uninterrupted(Call call) {
    for (;;)
        if (const auto result = call(); result >= 0 || errno != EINTR)
            return result;
}

} // namespace meshwright
