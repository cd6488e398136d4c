// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

struct InvalidLesson {
    std::string id;
    std::string problem; ///< one line that names the file
};

class Lessons {
public:
    /// Reads every *.md and *.json file of a folder.
    Lessons(const std::filesystem::path &folder, const Library &library);

    /// The lessons in own_folder(), read once.
    static const Lessons &standard();
    static std::filesystem::path own_folder();

    /// Sorted by chapter, then by title.
    const std::vector<std::shared_ptr<const Lesson>> &all() const { return m_lessons; }
    const std::vector<InvalidLesson> &invalid() const { return m_invalid; }
    /// Null if the id is unknown.
    std::shared_ptr<const Lesson> find(std::string_view id) const;

private:
    std::vector<std::shared_ptr<const Lesson>> m_lessons;
    std::vector<InvalidLesson> m_invalid;
};

/// Reads a lesson's file; its id is the file's name without suffix. @throws FileError, InputError
Lesson read_lesson_file(const std::filesystem::path &file, const Library &library);

} // namespace meshwright
