// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_question.h"
#include "field_differences.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QWidget;

namespace meshwright {

enum class SaveAnswer { Save, Discard, Cancel };

enum class ConflictAnswer { Overwrite, SaveAs, Reload, Cancel };

/// A file that was written elsewhere since it was opened here, and is about to be saved.
struct FileConflict {
    QString file; ///< its name
    std::vector<FieldDifference> differences; ///< empty if `unreadable` says why there are none
    QString unreadable;
};

/// A text to write.
struct TextQuestion {
    enum class Lines { One, Many };
    QString title;
    QString label;
    QString text; ///< to begin with
    Lines lines = Lines::One;
};

/// Everything that the window asks in a dialog of its own. Tests answer in its place, so that nothing blocks.
class Prompts {
public:
    virtual ~Prompts() = default;
    /// What to do with unsaved changes to the plan of this name.
    virtual SaveAnswer askToSave(QWidget *parent, const QString &name) = 0;
    /// Nothing if cancelled.
    virtual std::optional<QString> askForText(QWidget *parent, const TextQuestion &question) = 0;
    virtual ConflictAnswer askAboutConflict(QWidget *parent, const FileConflict &conflict) = 0;
    /// What a table's columns are; nothing if cancelled.
    virtual std::optional<ColumnMapping> askForColumns(QWidget *parent, const ColumnQuestion &question) = 0;
    /// A file to read; empty if cancelled.
    virtual QString fileToOpen(QWidget *parent, const QString &title, const QString &folder, const QString &filter) = 0;
    /// A file to write; empty if cancelled.
    virtual QString fileToSave(QWidget *parent, const QString &title, const QString &suggestion,
                               const QString &filter) = 0;
};

/// Asks in dialogs.
class DialogPrompts : public Prompts {
public:
    SaveAnswer askToSave(QWidget *parent, const QString &name) override;
    std::optional<QString> askForText(QWidget *parent, const TextQuestion &question) override;
    ConflictAnswer askAboutConflict(QWidget *parent, const FileConflict &conflict) override;
    std::optional<ColumnMapping> askForColumns(QWidget *parent, const ColumnQuestion &question) override;
    QString fileToOpen(QWidget *parent, const QString &title, const QString &folder, const QString &filter) override;
    QString fileToSave(QWidget *parent, const QString &title, const QString &suggestion,
                       const QString &filter) override;
};

} // namespace meshwright
