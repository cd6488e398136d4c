// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_picture.h"

#include "main_window.h"
#include "prompts.h"
#include "search_controller.h"
#include "settings.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace meshwright {

namespace {

/// Prompts without a user, for taking a picture.
class NoPrompts : public Prompts {
public:
    SaveAnswer askToSave(QWidget *, const QString &) override { return SaveAnswer::Discard; }
    std::optional<QString> askForText(QWidget *, const TextQuestion &) override { return std::nullopt; }
    ConflictAnswer askAboutConflict(QWidget *, const FileConflict &) override { return ConflictAnswer::Cancel; }
    std::optional<ColumnMapping> askForColumns(QWidget *, const ColumnQuestion &) override { return std::nullopt; }
    QString fileToOpen(QWidget *, const QString &, const QString &, const QString &) override { return {}; }
    QStringList filesToOpen(QWidget *, const QString &, const QString &, const QString &) override { return {}; }
    QString fileToSave(QWidget *, const QString &, const QString &, const QString &) override { return {}; }
    QString folderToSave(QWidget *, const QString &, const QString &) override { return {}; }
    std::optional<ImportAnswer> askAboutImport(QWidget *, const ImportQuestion &, const Library &) override {
        return std::nullopt;
    }
    void showExport(QWidget *, const ExportQuestion &) override { }
};

/// Processes events until the plan is evaluated, including search and fixes, or until a timeout.
void settle(MainWindow &window) {
    constexpr int patience = 20'000; // milliseconds
    const auto isDone = [&] {
        const PlanView &view = window.session()->view();
        return view.freshness == Freshness::Fresh && view.diagnosticsComplete && window.searching()->isSettled();
    };
    QElapsedTimer time;
    time.start();
    while (!isDone() && time.elapsed() < patience)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    // Several passes: the result changes layouts, which resize widgets.
    for (int pass = 0; pass < 3; ++pass) {
        QApplication::sendPostedEvents();
        QApplication::processEvents();
    }
}

} // namespace

QImage windowPicture(const nlohmann::ordered_json &plan, const Library &library, const QSize &size) {
    const QTemporaryDir folder;
    Settings settings(folder.filePath(QStringLiteral("settings.ini")));
    NoPrompts prompts;
    MainWindow window(library, settings, prompts, folder.filePath(QStringLiteral("autosave")));
    window.session()->document()->replace(plan, PlanOrigin::Preset);
    window.resize(size);
    window.show();
    window.resize(size); // the platform may have changed the size when showing the window
    settle(window);
    QImage image(size, QImage::Format_RGB32);
    window.render(&image);
    return image;
}

} // namespace meshwright
