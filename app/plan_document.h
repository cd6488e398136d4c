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

/// Origin of a document without a file.
enum class PlanOrigin { Preset, New };

/// The plan's document (as the user wrote it), its file and its undo steps. Views change it only through apply().
class PlanDocument : public QObject {
    Q_OBJECT

public:
    explicit PlanDocument(const Library &library, QObject *parent = nullptr);
    ~PlanDocument() override;

    DocumentPointer json() const { return m_json; }
    QUndoStack *undoStack() { return &m_undo; }
    /// File path; empty for a preset or a new plan.
    QString path() const { return m_file.path(); }
    const PlanFile &file() const { return m_file; }
    PlanOrigin origin() const { return m_origin; }
    QString name() const;
    bool isUnnamed() const;
    bool isModified() const { return m_unsavedOrigin || m_snapshotsChanged || !m_undo.isClean(); }
    /// Whether the last change belongs to a drag that may continue.
    bool isDragged() const { return m_isDragged; }
    /// Notes on the plan. A preset's list of notes is joined as lines.
    QString notes() const;
    /// The document with its snapshots, as it is written to the file.
    nlohmann::ordered_json whole() const;

    /// Named snapshots, oldest first. Undo does not affect them.
    const PlanSnapshots &snapshots() const { return m_snapshots; }
    void addSnapshot(const QString &name);
    void insertSnapshot(std::size_t index, PlanSnapshot snapshot);
    void removeSnapshot(std::size_t index);
    void restoreSnapshot(std::size_t index);

    /// Applies an edit as an undo step, merged with the previous step during a drag. An edit without effect adds no
    /// step. @throws InputError if the patch is not JSON
    void apply(const PlanEdit &edit);
    /// The document after the first `steps` steps of the undo stack; 0 gives the document as opened.
    nlohmann::ordered_json documentAt(int steps) const;
    /// Ends the drag: the next edit of the same field starts a new undo step.
    void seal();

    /// Replaces the document by one without a file; discards the undo steps.
    void replace(nlohmann::ordered_json document, PlanOrigin origin);
    /// Like replace(), but the document counts as unsaved because it was recovered after a crash.
    /// @param file  the document's file, with the content that the crashed session last read or wrote
    void recover(nlohmann::ordered_json document, const PlanFile &file);

    /// @throws InputError (also for JSON that is not a plan), FileError; the document is then unchanged
    void open(const QString &path);
    /// Reloads the file after another program has changed it, as one undo step. @throws as open()
    void reload();
    /// Saves the plan, replacing the file's content. @throws InputError for a document that is not a plan, FileError
    void save(const QString &path);
    /// Reads a plan's document from a file. @throws as open()
    static nlohmann::ordered_json read(const QString &path);

Q_SIGNALS:
    /// Emitted before the document is replaced by another one.
    void replaced();
    void changed();
    /// Emitted if the path, the modified state or the whole document has changed.
    void originChanged();
    void snapshotsChanged();

private:
    void setJson(DocumentPointer json);
    void replaceWith(nlohmann::ordered_json document, const PlanFile &file);
    void push(const PlanEdit &edit, DocumentPointer after);
    void pushWhole(const QString &subject, DocumentPointer after);
    void setSnapshots(PlanSnapshots snapshots, bool changed);
    EditCommand *lastCommand();

    const Library &m_library;
    DocumentPointer m_json;
    PlanFile m_file;
    PlanOrigin m_origin = PlanOrigin::Preset;
    QUndoStack m_undo;
    PlanSnapshots m_snapshots;
    bool m_snapshotsChanged = false; ///< whether snapshots have changed since the file was read or written
    bool m_unsavedOrigin = false;
    bool m_isDragged = false;
};

} // namespace meshwright
