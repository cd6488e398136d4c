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

/// Keeps a copy of unsaved edits in the program's data, so that a crash costs one edit at most. Each session writes a
/// file of its own and holds a lock on it; a file that nobody holds was left behind by a crash, and the first window
/// that finds it holds it from then on.
///
/// Every undo step is written at once, and what is done while that takes is written together. What joins a step that
/// was just written waits a moment: a drag does not keep the disk busy.
class Autosave : public QObject {
    Q_OBJECT

public:
    /// @param folder  made if it is missing
    Autosave(PlanDocument &document, const QString &folder, QObject *parent = nullptr);
    ~Autosave() override;

    /// The newest plan that was left behind and that no other window offers. Clears away what else killed sessions left
    /// in the folder, and sets aside under another name what does not read: unreadable() says so.
    std::optional<LeftBehind> leftBehind();
    /// The document was recovered from this copy: it goes once a newer one is on the disk, or nothing is unsaved.
    void adopt(const LeftBehind &left);
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
    /// They can be kept again, or there are none.
    void recovered();
    /// A copy of an earlier session cannot be offered; it is still there. @param what  one sentence with its file
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
    std::unique_ptr<FileLock> m_lock; ///< null where none can be held yet
    std::optional<LeftBehind> m_adopted;
    int m_adoptedBefore = 0; ///< the number of the first copy that holds the adopted document
    int m_number = 0; ///< of the last copy that was given to the writer
    QTimer m_again; ///< runs until a copy that failed is tried again
    bool m_failing = false;
    bool m_stays = false; ///< the copy, when this ends
    CopyWriter m_writer; ///< last: its reports come here
};

} // namespace meshwright
