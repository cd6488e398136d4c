// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_progress.h"

#include "input/diagnostic.h"
#include "input/json_document.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;
constexpr const char *progressSchema = "meshwright.progress/1";

} // namespace

bool LessonProgress::setDone(const QString &lesson, const QString &step) {
    QSet<QString> &steps = m_done[lesson];
    const auto before = steps.size();
    steps.insert(step);
    return steps.size() > before;
}

int LessonProgress::doneOf(const Lesson &lesson) const {
    const QSet<QString> done = m_done.value(QString::fromStdString(lesson.id));
    return static_cast<int>(std::count_if(lesson.steps.begin(), lesson.steps.end(), [&](const LessonStep &step) {
        return done.contains(QString::fromStdString(step.id));
    }));
}

QByteArray LessonProgress::toJson() const {
    Json json{{"schema", progressSchema}, {"lessons", Json::object()}};
    for (auto lesson = m_done.begin(); lesson != m_done.end(); ++lesson) {
        QStringList steps(lesson->begin(), lesson->end());
        steps.sort();
        Json &list = json["lessons"][lesson.key().toStdString()] = Json::array();
        for (const QString &step : steps)
            list.push_back(step.toStdString());
    }
    return QByteArray::fromStdString(json.dump(2));
}

bool LessonProgress::read(const QByteArray &json) {
    try {
        const Json document = parse_json(json.toStdString());
        if (document.at("schema") != progressSchema)
            return false;
        QMap<QString, QSet<QString>> done;
        for (const auto &lesson : document.at("lessons").items())
            for (const Json &step : lesson.value())
                done[QString::fromStdString(lesson.key())].insert(QString::fromStdString(step.get<std::string>()));
        m_done = std::move(done);
        return true;
    } catch (const InputError &) {
        return false;
    } catch (const Json::exception &) { // the text is not a progress file
        return false;
    }
}

} // namespace meshwright
