// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"

namespace meshwright {

class FieldReader;
class Library;

/// Reads one step of a lesson. Problems are reported to the reader.
/// @param lesson  the part of the lesson read so far, which provides the plan
LessonStep read_step(FieldReader &reader, const Lesson &lesson, const Library &library);

} // namespace meshwright
