// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_question.h"
#include "field_differences.h"
#include "launch/import_question.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QWidget;

namespace meshwright {

class Library;
struct ExportQuestion;

enum class SaveAnswer { Save, Discard, Cancel };

enum class ConflictAnswer { Overwrite, SaveAs, Reload, Cancel };

/// The file being saved has changed on disk since it was opened.
struct FileConflict {
    QString file;
    std::vector<FieldDifference> differences; ///< differences between file and plan; empty if the file is unreadable
    QString unreadable; ///< reason why the file is unreadable; empty if it was read
};

struct TextQuestion {
    enum class Lines { One, Many };
    QString title;
    QString label;
    QString text;
    Lines lines = Lines::One;
};

/// All modal dialogs of the window. Tests replace this class so that no dialog blocks them.
class Prompts {
public:
    virtual ~Prompts() = default;
    /// Asks what to do with unsaved changes. @param name  the plan's name
    virtual SaveAnswer askToSave(QWidget *parent, const QString &name) = 0;
    /// Asks for text; empty if canceled.
    virtual std::optional<QString> askForText(QWidget *parent, const TextQuestion &question) = 0;
    virtual ConflictAnswer askAboutConflict(QWidget *parent, const FileConflict &conflict) = 0;
    /// Asks for a table's column mapping; empty if canceled.
    virtual std::optional<ColumnMapping> askForColumns(QWidget *parent, const ColumnQuestion &question) = 0;
    /// Asks for a file to read; empty if canceled.
    virtual QString fileToOpen(QWidget *parent, const QString &title, const QString &folder, const QString &filter) = 0;
    /// Asks for one or more files that belong together; empty if canceled.
    virtual QStringList filesToOpen(QWidget *parent, const QString &title, const QString &folder,
                                    const QString &filter) = 0;
    /// Asks for a file to write; empty if canceled.
    virtual QString fileToSave(QWidget *parent, const QString &title, const QString &suggestion,
                               const QString &filter) = 0;
    /// Asks for the target folder of several files; empty if canceled.
    virtual QString folderToSave(QWidget *parent, const QString &title, const QString &folder) = 0;
    /// Shows the content of imported files; empty if canceled.
    virtual std::optional<ImportAnswer> askAboutImport(QWidget *parent, const ImportQuestion &question,
                                                       const Library &library) = 0;
    virtual void showExport(QWidget *parent, const ExportQuestion &question) = 0;
};

class DialogPrompts : public Prompts {
public:
    SaveAnswer askToSave(QWidget *parent, const QString &name) override;
    std::optional<QString> askForText(QWidget *parent, const TextQuestion &question) override;
    ConflictAnswer askAboutConflict(QWidget *parent, const FileConflict &conflict) override;
    std::optional<ColumnMapping> askForColumns(QWidget *parent, const ColumnQuestion &question) override;
    QString fileToOpen(QWidget *parent, const QString &title, const QString &folder, const QString &filter) override;
    QStringList filesToOpen(QWidget *parent, const QString &title, const QString &folder,
                            const QString &filter) override;
    QString fileToSave(QWidget *parent, const QString &title, const QString &suggestion,
                       const QString &filter) override;
    QString folderToSave(QWidget *parent, const QString &title, const QString &folder) override;
    std::optional<ImportAnswer> askAboutImport(QWidget *parent, const ImportQuestion &question,
                                               const Library &library) override;
    void showExport(QWidget *parent, const ExportQuestion &question) override;
};

} // namespace meshwright
