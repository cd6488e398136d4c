// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edit_command.h"
#include "plan_file.h"
#include "plan_snapshot.h"
#include "views/plan_edit.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

namespace meshwright {

class Library;

/// Where a document that lies in no file comes from.
enum class PlanOrigin { Preset, New };

/// The plan's document as its user wrote it, where it lies, and the steps that can be undone. Views never change it
/// but through apply().
class PlanDocument : public QObject {
    Q_OBJECT

public:
    explicit PlanDocument(const Library &library, QObject *parent = nullptr);
    ~PlanDocument() override;

    DocumentPointer json() const { return m_json; }
    QUndoStack *undoStack() { return &m_undo; }
    /// The file; empty for a preset or a new plan.
    QString path() const { return m_file.path(); }
    const PlanFile &file() const { return m_file; }
    PlanOrigin origin() const { return m_origin; }
    /// What the title bar calls it: the plan's name, else the file's.
    QString name() const;
    /// No name was given to it: name() makes do with something else.
    bool isUnnamed() const;
    bool isModified() const { return m_unsavedOrigin || m_snapshotsChanged || !m_undo.isClean(); }
    /// The last change is part of a drag, which more of the same may follow.
    bool isDragged() const { return m_isDragged; }
    /// What is written about the plan; a preset's may be a list, which reads as lines.
    QString notes() const;
    /// The document as its file holds it, snapshots and all.
    nlohmann::ordered_json whole() const;

    /// Named states, oldest first. They are no part of what undo goes through: undoing past one does not lose it.
    const PlanSnapshots &snapshots() const { return m_snapshots; }
    void addSnapshot(const QString &name);
    void insertSnapshot(std::size_t index, PlanSnapshot snapshot);
    void removeSnapshot(std::size_t index);
    /// One undo step, from the plan as it is now.
    void restoreSnapshot(std::size_t index);

    /// Applies one edit as an undo step, joined to the step before it while a drag lasts. An edit that changes nothing
    /// makes no step. @throws InputError if the patch is not JSON
    void apply(const PlanEdit &edit);
    /// Ends the drag: the next edit of the same field starts a new step.
    void seal();

    /// A document of its own, in no file: the undo steps of the old one go.
    void replace(nlohmann::ordered_json document, PlanOrigin origin);
    /// As replace(), but it counts as unsaved: it came from a crash and not from its file, which held what `file` saw.
    void recover(nlohmann::ordered_json document, const PlanFile &file);

    /// @throws InputError also for JSON that is no plan, FileError; the document is then as it was
    void open(const QString &path);
    /// Takes what another program has written in the file, as one undo step. @throws as open()
    void reload();
    /// Replaces whatever the file holds. @throws InputError for a document that is no plan, FileError
    void save(const QString &path);
    /// A plan's document as its file holds it. @throws as open()
    static nlohmann::ordered_json read(const QString &path);

Q_SIGNALS:
    /// Another document altogether is about to take this one's place.
    void replaced();
    void changed();
    /// Another path, another clean state, or another document altogether.
    void originChanged();
    void snapshotsChanged();

private:
    void setJson(DocumentPointer json);
    void replaceWith(nlohmann::ordered_json document, const PlanFile &file);
    void push(const PlanEdit &edit, DocumentPointer after);
    /// Another document in this one's place, as one step.
    void pushWhole(const QString &subject, DocumentPointer after);
    void setSnapshots(PlanSnapshots snapshots, bool changed);
    EditCommand *lastCommand();

    const Library &m_library;
    DocumentPointer m_json;
    PlanFile m_file;
    PlanOrigin m_origin = PlanOrigin::Preset;
    QUndoStack m_undo;
    PlanSnapshots m_snapshots;
    bool m_snapshotsChanged = false; ///< since they were read or written
    bool m_unsavedOrigin = false;
    bool m_isDragged = false;
};

} // namespace meshwright
