// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <exception>
#include <stdexcept>
#include <string>

namespace meshwright {

enum class ExitStatus { done = 0, usage = 2, rejected = 3, fileTrouble = 4 };

class Failure : public std::runtime_error {
public:
    Failure(ExitStatus status, const std::string &line);
    ExitStatus status() const { return m_status; }

private:
    ExitStatus m_status;
};

Failure failureFor(const std::string &file, const std::exception &error);

/// Calls `work` and converts its exceptions to Failures that name `file`. Failures pass through unchanged.
template <typename Work>
auto naming(const std::string &file, const Work &work) {
    try {
        return work();
    } catch (const Failure &) {
        throw;
    } catch (const std::exception &error) {
        throw failureFor(file, error);
    }
}

/// Prints the line to standard error, ignoring write errors. @returns the exit status
int report(const Failure &failure);

} // namespace meshwright
