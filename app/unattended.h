// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "main_window.h"
#include "prompts.h"
#include "settings.h"

#include <QSize>
#include <QTemporaryDir>

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <functional>
#include <string>

class QByteArray;

namespace meshwright {

/// Declines every prompt, because there is no user.
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

/// The real window with a plan and default settings. It neither reads nor changes the user's settings. Needs a
/// QApplication with the theme applied; with the "offscreen" platform, no window appears on a display.
class UnattendedWindow {
public:
    UnattendedWindow(const nlohmann::ordered_json &plan, const Library &library, const QSize &size);

    MainWindow &window() { return m_window; }
    void resize(const QSize &size);
    /// Processes events until the plan and its fixes are evaluated, `isDone` returns true and the layout is complete,
    /// or until the timeout. @returns false on timeout
    bool settle(std::chrono::milliseconds timeout, const std::function<bool()> &isDone);

private:
    QTemporaryDir m_folder;
    Settings m_settings;
    NoPrompts m_prompts;
    MainWindow m_window;
};

/// Lets a command that needs Qt's widgets run without a display. Chooses the "offscreen" platform unless the
/// environment names one. Suppresses Qt's messages about the environment, so that standard error has only one line.
/// Call it before constructing the QApplication.
void prepareWithoutDisplay();

/// Writes a command's output file (report or SVG). @throws Failure
void writeFile(const std::string &file, const QByteArray &bytes);

} // namespace meshwright
