// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"
#include "report/report_options.h"

#include <QByteArray>
#include <QString>

namespace meshwright {

class Library;

/// A lesson on paper: its texts and questions with room for answers, or the key with the answers and how they are
/// calculated. Both have the same numbers, which the seed draws.
enum class HandOut { questions, key };

/// @param version  version of the program, for the footer
/// @returns a PDF @throws InputError if a question cannot be asked
QByteArray handOutPdf(const Lesson &lesson, HandOut which, const Library &library, std::uint64_t seed, PaperSize size,
                      const QString &version);

} // namespace meshwright
