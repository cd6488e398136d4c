// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lessons.h"

#include "catalog/library.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "input/own_file.h"
#include "lessons/lesson_reading.h"

#include <algorithm>
#include <system_error>
#include <tuple>

namespace meshwright {

Lesson read_lesson_file(const std::filesystem::path &file, const Library &library) {
    return lesson_of_text(read_file(file), file.stem().string(), library);
}

Lessons::Lessons(const std::filesystem::path &folder, const Library &library) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (entry->path().extension() == ".md" || entry->path().extension() == ".json")
            files.push_back(entry->path());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path &file : files) {
        try {
            m_lessons.push_back(std::make_shared<const Lesson>(read_lesson_file(file, library)));
        } catch (const InputError &problem) {
            m_invalid.push_back(
                {.id = file.stem().string(), .problem = one_line(file.string(), problem.diagnostics())});
        } catch (const FileError &problem) {
            m_invalid.push_back({.id = file.stem().string(), .problem = problem.what()});
        }
    }
    std::sort(m_lessons.begin(), m_lessons.end(), [](const auto &a, const auto &b) {
        return std::tie(a->chapter, a->title, a->id) < std::tie(b->chapter, b->title, b->id);
    });
}

const Lessons &Lessons::standard() {
    static const Lessons lessons(own_folder(), Library::standard());
    return lessons;
}

std::filesystem::path Lessons::own_folder() {
    return own_file("lessons", "resources/lessons");
}

std::shared_ptr<const Lesson> Lessons::find(std::string_view id) const {
    const auto found =
        std::find_if(m_lessons.begin(), m_lessons.end(), [&](const auto &each) { return each->id == id; });
    return found == m_lessons.end() ? nullptr : *found;
}

} // namespace meshwright
