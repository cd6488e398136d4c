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

inline constexpr int patience = 60'000; ///< milliseconds that a view may take to show its results on a busy machine

/// Answers questions in place of dialogs, and records them.
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
    std::optional<QString> text; ///< answer to a request for text
    TextQuestion asked;
    int saveQuestions = 0;
    ConflictAnswer conflictAnswer = ConflictAnswer::Cancel;
    std::vector<FileConflict> conflicts; ///< conflicts asked about so far
    std::function<std::optional<ColumnMapping>(QWidget *, const ColumnQuestion &)> columnAnswer; ///< cancels if empty
    std::vector<ColumnQuestion> columnQuestions; ///< questions asked so far
    std::function<std::optional<ImportAnswer>(QWidget *, const ImportQuestion &)> importAnswer; ///< cancels if empty
    std::vector<ImportQuestion> imports; ///< imports asked about so far
    std::function<void(QWidget *, const ExportQuestion &)> lookAtExport;
    std::vector<ExportQuestion> exports; ///< exports shown so far
};

/// A window on a plan, with its own settings and autosave folder.
class WindowFixture {
public:
    static inline const QString startPage = QStringLiteral("start page");

    /// @param plan  empty for a plan with several sites; startPage for no plan
    explicit WindowFixture(const QString &plan = {}, QSize size = {1600, 1000});
    ~WindowFixture();

    /// Reopens the window as after a restart; the old one closes without a question.
    void restart();
    /// Waits until the current plan is evaluated completely and the results are laid out.
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
    /// Expands the section that contains a control, so that it can be clicked.
    void reveal(QWidget *control);
    /// Opens a view through its shortcut, by its name on the rail.
    void showView(const QString &name);

    template <typename Widget>
    Widget *find(const char *name) {
        auto *found = m_window->findChild<Widget *>(QLatin1String(name));
        if (found == nullptr)
            qWarning("no widget has the name %s", name);
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
