// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace meshwright {

class InputError;

/// The first problem of rejected input in one line: what is wrong, and what was expected.
QString inputProblem(const InputError &error);

} // namespace meshwright
