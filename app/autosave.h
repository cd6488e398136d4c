// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edit_command.h"
#include "file_lock.h"
#include "plan_file.h"

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>

#include <memory>
#include <optional>

namespace meshwright {

class PlanDocument;

/// What a session that did not end by itself has left behind.
struct LeftBehind {
    QString file; ///< the autosave itself
    QString name;
    PlanFile origin; ///< where the plan was opened from, if from a file
    QDateTime time;
    DocumentPointer document;
    std::shared_ptr<FileLock> claim; ///< while it lives, no other window offers this
};

/// Keeps a copy of unsaved edits beside the program's data, so that a crash costs seconds at most. Each session writes
/// a file of its own and holds a lock on it; a file that nobody holds was left behind by a crash, and the first window
/// that finds it holds it from then on.
class Autosave : public QObject {
    Q_OBJECT

public:
    /// @param folder  made if it is missing
    Autosave(PlanDocument &document, const QString &folder, QObject *parent = nullptr);
    ~Autosave() override;

    /// The newest plan that was left behind and that no other window offers. Files that do not read are set
    /// aside under another name on the way, and locks that nobody holds are removed.
    std::optional<LeftBehind> leftBehind() const;
    /// Forgets one for good.
    static void discard(const LeftBehind &left);
    /// Writes now what would be written in a moment.
    void flush();
    /// Writes now, and lets the copy stay when this ends: the program is told to end, and nobody can be asked.
    void leaveBehind();
    /// Where QStandardPaths puts it.
    static QString standardFolder();

Q_SIGNALS:
    /// Unsaved edits cannot be kept; it is tried again and again. @param why  names the file and what is wrong
    void failed(const QString &why);
    /// They can be kept again.
    void recovered();

private:
    void receive(const QString &problem);
    void schedule();
    void write();
    void remove();

    PlanDocument &m_document;
    QString m_folder;
    QString m_file;
    std::unique_ptr<FileLock> m_lock;
    QTimer m_timer;
    bool m_failing = false;
    bool m_stays = false; ///< the copy, when this ends
    QThreadPool m_writer; ///< one thread: a write and the removal after it keep their order
};

} // namespace meshwright
