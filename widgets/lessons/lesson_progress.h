// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"

#include <QMap>
#include <QSet>
#include <QString>

namespace meshwright {

/// The steps of each lesson that a reader has completed: questions answered correctly, and texts read.
class LessonProgress {
public:
    bool isDone(const QString &lesson, const QString &step) const { return m_done.value(lesson).contains(step); }
    /// @returns whether the step was not done before
    bool setDone(const QString &lesson, const QString &step);
    /// Steps of the lesson that are done. Steps that the lesson no longer has do not count.
    int doneOf(const Lesson &lesson) const;
    void reset() { m_done.clear(); }
    void reset(const QString &lesson) { m_done.remove(lesson); }

    QByteArray toJson() const;
    bool read(const QByteArray &json);

private:
    QMap<QString, QSet<QString>> m_done; ///< ids of completed steps, keyed by lesson
};

} // namespace meshwright
