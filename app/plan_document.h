// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edit_command.h"
#include "panels/plan_edit.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

namespace meshwright {

class Library;

/// The plan's document as its user wrote it, where it lies, and the steps that can be undone. Views never change it
/// but through apply().
class PlanDocument : public QObject {
    Q_OBJECT

public:
    explicit PlanDocument(const Library &library, QObject *parent = nullptr);

    DocumentPointer json() const { return m_json; }
    QUndoStack *undoStack() { return &m_undo; }
    /// The file; empty for a preset or a new plan.
    QString path() const { return m_path; }
    /// What the title bar calls it: the plan's name, else the file's.
    QString name() const;
    bool isModified() const { return m_unsavedOrigin || !m_undo.isClean(); }

    /// Applies one edit as an undo step, joined to the step before it while a drag lasts. An edit that changes nothing
    /// makes no step. @throws InputError if the patch is not JSON
    void apply(const PlanEdit &edit);
    /// Ends the drag: the next edit of the same field starts a new step.
    void seal();

    /// A document of its own: the undo steps of the old one go. `path` is empty for presets.
    void replace(nlohmann::ordered_json document, const QString &path);
    /// As replace(), but it counts as unsaved: it came from a crash and not from a file.
    void recover(nlohmann::ordered_json document, const QString &path);

    /// @throws InputError, FileError; the document is then as it was
    void open(const QString &path);
    /// @throws FileError
    void save(const QString &path);

Q_SIGNALS:
    /// Another document altogether is about to take this one's place.
    void replaced();
    void changed();
    /// Another path, another clean state, or another document altogether.
    void originChanged();

private:
    void setJson(DocumentPointer json);
    EditCommand *lastCommand();

    const Library &m_library;
    DocumentPointer m_json;
    QString m_path;
    QUndoStack m_undo;
    bool m_unsavedOrigin = false;
};

} // namespace meshwright
