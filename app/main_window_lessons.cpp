// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the lessons.
#include "exercise/exercise_process.h"
#include "file_controller.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "lessons/lessons_view.h"
#include "main_window.h"
#include "plan/plan_page.h"
#include "prompts.h"
#include "report/lesson_handout.h"
#include "settings.h"

#include <QDate>
#include <QDir>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace meshwright {

void MainWindow::connectLessons() {
    auto *lessons = view<LessonsView>();
    lessons->setRunner(run_in_process);
    LessonProgress progress;
    if (progress.read(m_settings.value(Setting::LessonProgress).toByteArray()))
        lessons->setProgress(progress);
    connect(lessons, &LessonsView::progressChanged, this,
            [this, lessons] { m_settings.set(Setting::LessonProgress, lessons->progress().toJson()); });
    connect(lessons, &LessonsView::planWanted, this, [this](const nlohmann::ordered_json &document, const QString &) {
        if (m_files->openDocument(document))
            goTo<PlanPage>();
    });
    connect(lessons, &LessonsView::fileWanted, this, [this, lessons] {
        const QString path =
            m_prompts.fileToOpen(this, tr("Open a lesson file"), m_settings.value(Setting::LastFolder).toString(),
                                 tr("Lessons (*.md *.json)"));
        if (path.isEmpty())
            return;
        if (const QString problem = lessons->openFile(path); !problem.isEmpty())
            notice(Tone::Bad, problem);
    });
    connect(lessons, &LessonsView::progressExportWanted, this, [this, lessons] {
        const QString path = m_prompts.fileToSave(this, tr("Export progress"), QStringLiteral("lesson-progress.json"),
                                                  tr("JSON (*.json)"));
        if (path.isEmpty())
            return;
        try {
            write_file_atomically(path.toStdString(), lessons->progress().toJson().toStdString());
            announceWriting(path);
        } catch (const FileError &error) {
            notice(Tone::Bad, QString::fromUtf8(error.what()));
        }
    });
    connect(lessons, &LessonsView::handOutWanted, this, &MainWindow::exportHandOut);
}

void MainWindow::exportHandOut(const QString &lesson) {
    const std::vector<std::shared_ptr<const Lesson>> &lessons = view<LessonsView>()->lessons();
    const auto chosen = std::find_if(lessons.begin(), lessons.end(), [&](const std::shared_ptr<const Lesson> &each) {
        return QString::fromStdString(each->id) == lesson;
    });
    if (chosen == lessons.end())
        return;
    const QString path =
        m_prompts.fileToSave(this, tr("Export the handout"), lesson + QStringLiteral(".pdf"), tr("PDF (*.pdf)"));
    if (path.isEmpty())
        return;
    const QFileInfo file(path);
    const QString key = file.dir().filePath(file.completeBaseName() + QStringLiteral("-key.pdf"));
    try {
        const auto seed = static_cast<std::uint64_t>(QDate::currentDate().toJulianDay());
        for (const auto &[name, which] : {std::pair(path, HandOut::questions), std::pair(key, HandOut::key)})
            write_file_atomically(name.toStdString(),
                                  handOutPdf(**chosen, which, m_session.library(), seed, PaperSize::A4,
                                             QStringLiteral(MESHWRIGHT_VERSION))
                                      .toStdString());
        announceWriting(path);
    } catch (const FileError &error) {
        notice(Tone::Bad, QString::fromUtf8(error.what()));
    } catch (const InputError &error) {
        notice(Tone::Bad, QString::fromStdString(error.diagnostics().front().message.text));
    }
}

} // namespace meshwright
