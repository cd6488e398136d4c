// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "launch/export_question.h"
#include "main_window.h"
#include "prompts.h"
#include "settings.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace meshwright {

inline constexpr int patience = 60'000; ///< milliseconds until a view has calculated its contents, on a busy machine

/// Answers in place of dialogs, and records the questions.
class ScriptedPrompts : public Prompts {
public:
    SaveAnswer askToSave(QWidget *, const QString &) override {
        ++saveQuestions;
        return answer;
    }
    std::optional<QString> askForText(QWidget *, const TextQuestion &question) override {
        asked = question;
        return text;
    }
    ConflictAnswer askAboutConflict(QWidget *, const FileConflict &conflict) override {
        conflicts.push_back(conflict);
        return conflictAnswer;
    }
    std::optional<ColumnMapping> askForColumns(QWidget *parent, const ColumnQuestion &question) override {
        columnQuestions.push_back(question);
        return columnAnswer ? columnAnswer(parent, question) : std::nullopt;
    }
    QString fileToOpen(QWidget *, const QString &, const QString &, const QString &) override { return path; }
    QStringList filesToOpen(QWidget *, const QString &, const QString &, const QString &) override {
        return path.isEmpty() ? QStringList() : QStringList{path};
    }
    QString fileToSave(QWidget *, const QString &, const QString &, const QString &) override { return path; }
    QString folderToSave(QWidget *, const QString &, const QString &) override { return path; }
    std::optional<ImportAnswer> askAboutImport(QWidget *parent, const ImportQuestion &question,
                                               const Library &) override {
        imports.push_back(question);
        return importAnswer ? importAnswer(parent, question) : std::nullopt;
    }
    void showExport(QWidget *parent, const ExportQuestion &question) override {
        exports.push_back(question);
        if (lookAtExport)
            lookAtExport(parent, question);
    }

    SaveAnswer answer = SaveAnswer::Cancel;
    QString path;
    std::optional<QString> text; ///< answer to a question for a text
    TextQuestion asked;
    int saveQuestions = 0;
    ConflictAnswer conflictAnswer = ConflictAnswer::Cancel;
    std::vector<FileConflict> conflicts; ///< that were asked about
    std::function<std::optional<ColumnMapping>(QWidget *, const ColumnQuestion &)> columnAnswer; ///< none: cancelled
    std::vector<ColumnQuestion> columnQuestions; ///< that were asked
    std::function<std::optional<ImportAnswer>(QWidget *, const ImportQuestion &)> importAnswer; ///< none: canceled
    std::vector<ImportQuestion> imports; ///< that were asked about
    std::function<void(QWidget *, const ExportQuestion &)> lookAtExport;
    std::vector<ExportQuestion> exports; ///< that were shown
};

/// A window with a plan, and with its own settings and autosave folder.
class WindowFixture {
public:
    static inline const QString startPage = QStringLiteral("start page");

    /// @param plan if omitted or empty, a plan with several sites; startPage for no plan
    explicit WindowFixture(const QString &plan = {}, QSize size = {1600, 1000});
    ~WindowFixture();

    /// Opens the window again, as after a restart; the old one is closed without a question.
    void restart();
    /// Waits until the answer to the present plan is complete and laid out.
    bool settle();

    /// Waits until a figure's derivation is calculated.
    FigureBook::Found explained(const FigureRef &figure);

    MainWindow &window() { return *m_window; }
    PlanSession &session() { return *m_window->session(); }
    PlanDocument &document() { return *m_window->session()->document(); }
    const nlohmann::ordered_json &json() { return *document().json(); }
    int edits() { return document().undoStack()->count(); }
    QString file(const QString &name) const { return m_folder.filePath(name); }
    void write(const QString &name, const nlohmann::ordered_json &content) const;
    /// Opens the section that holds a control, so that it can be clicked.
    void reveal(QWidget *control);
    /// Shows a view by its shortcut. @param name name of the view on the rail
    void showView(const QString &name);

    template <typename Widget>
    Widget *find(const char *name) {
        auto *found = m_window->findChild<Widget *>(QLatin1String(name));
        if (found == nullptr)
            qWarning("no widget is called %s", name);
        return found;
    }

    ScriptedPrompts prompts;

private:
    QTemporaryDir m_folder;
    QString m_plan;
    QSize m_size;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace meshwright
