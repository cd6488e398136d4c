// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/small_lesson.h"
#include "lessons/lessons_view.h"
#include "window_fixture.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace meshwright::testing {

inline QByteArray smallLesson() {
    return QByteArray(small_lesson.data(), static_cast<qsizetype>(small_lesson.size()));
}

/// Opens a lesson file in the window. @returns null if it cannot be read
inline LessonsView *openLesson(WindowFixture &fixture, const QTemporaryDir &folder,
                               const QByteArray &text = smallLesson()) {
    const QString path = folder.filePath(QStringLiteral("own.md"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        return nullptr;
    file.close();
    auto *view = fixture.window().goTo<LessonsView>();
    return view->openFile(path).isEmpty() ? view : nullptr;
}

/// Opens a step of a lesson file, and waits until its figure is drawn.
inline LessonsView *openStep(WindowFixture &fixture, const QTemporaryDir &folder, const char *step,
                             const QByteArray &text = smallLesson()) {
    LessonsView *const view = openLesson(fixture, folder, text);
    if (view == nullptr)
        return nullptr;
    const Lesson &lesson = *view->lessons()[static_cast<std::size_t>(view->lesson())];
    view->openStep(view->lesson(), static_cast<int>(lesson.find(step) - lesson.steps.data()));
    return QTest::qWaitFor([view] { return view->isSettled(); }, patience) ? view : nullptr;
}

} // namespace meshwright::testing
