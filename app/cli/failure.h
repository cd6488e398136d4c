// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <exception>
#include <stdexcept>
#include <string>

namespace meshwright {

/// What the programs tell the shell.
enum class ExitStatus { done = 0, usage = 2, rejected = 3, fileTrouble = 4 };

/// Ends a command: its status, and the one line that standard error gets.
class Failure : public std::runtime_error {
public:
    Failure(ExitStatus status, const std::string &line);
    ExitStatus status() const { return m_status; }

private:
    ExitStatus m_status;
};

/// What an exception means for the command that was working on `file`.
Failure failureFor(const std::string &file, const std::exception &error);

/// Calls `work`; whatever it throws becomes a Failure that names `file`. Failures pass through.
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

/// Prints the line to standard error; a line that cannot be printed is lost. @returns the number for the shell
int report(const Failure &failure);

} // namespace meshwright
