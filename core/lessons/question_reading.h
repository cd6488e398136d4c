// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"

namespace meshwright {

class FieldReader;
class Library;

/// Reads the fields of a question. The step's kind must already be set. Reports problems to the reader.
void read_question(FieldReader &reader, const Lesson &lesson, const Library &library, LessonStep &step);

} // namespace meshwright
