// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "copy_writer.h"
#include "recovery_copy.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>

namespace meshwright {

class PlanDocument;

/// Saves unsaved edits to a recovery copy in the program's data folder, so that a crash loses at most one edit. Each
/// session writes and locks its own file. An unlocked file was left by a crash; the first window that finds it locks
/// it.
///
/// Every undo step is written immediately; edits during a write are combined in the next write. Edits that are merged
/// into the last undo step (during a drag) are written with a delay, to limit disk writes.
class Autosave : public QObject {
    Q_OBJECT

public:
    /// @param folder  created if missing
    Autosave(PlanDocument &document, const QString &folder, QObject *parent = nullptr);
    ~Autosave() override;

    /// The newest recovery copy of a crashed session that no other window offers. Removes other leftovers from the
    /// folder and renames unreadable files, which unreadable() reports.
    std::optional<LeftBehind> leftBehind();
    /// Call after recovering the document from this copy. The copy is removed once a newer copy is on disk or the
    /// document has no unsaved changes.
    void adopt(const LeftBehind &left);
    static void discard(const LeftBehind &left);
    void flush();
    /// Writes immediately and keeps the copy on destruction, for a program that is being terminated and cannot ask the
    /// user.
    void leaveBehind();
    static QString standardFolder();

Q_SIGNALS:
    /// Emitted if the recovery copy cannot be written; writing is retried. @param why  file and reason
    void failed(const QString &why);
    /// Emitted when writing works again, or when all edits are saved.
    void recovered();
    /// Emitted if a copy of an earlier session cannot be read; the file is kept.
    /// @param what  a sentence that names the file
    void unreadable(const QString &what);

private:
    std::optional<LeftBehind> offer(const QString &file);
    void hold();
    void schedule();
    void write(CopyWriter::Pace pace);
    void receive(int number, const QString &problem);
    void setFailing(bool failing, const QString &problem = {});
    void remove();
    void forgetAdopted();

    PlanDocument &m_document;
    QString m_folder;
    QString m_file;
    std::unique_ptr<FileLock> m_lock; ///< null until the recovery copy is locked
    std::optional<LeftBehind> m_adopted;
    int m_adoptedBefore = 0; ///< number of the first recovery copy that contains the recovered document
    int m_number = 0; ///< number of the last recovery copy passed to the writer
    QTimer m_again;
    bool m_failing = false;
    bool m_stays = false; ///< whether the recovery copy stays on disk after destruction
    CopyWriter m_writer; ///< last member, because its thread calls receive()
};

} // namespace meshwright
