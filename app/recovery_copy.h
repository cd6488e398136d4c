// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edit_command.h"
#include "file_lock.h"
#include "plan_file.h"
#include "plan_snapshot.h"

#include <QDateTime>
#include <QString>

#include <memory>
#include <stdexcept>
#include <string>

namespace meshwright {

/// Unsaved edits as a recovery copy holds them. All shared: the text is made in another thread.
struct RecoveryCopy {
    QString name;
    PlanFile origin; ///< where the plan was opened from, if from a file
    DocumentPointer document; ///< without its snapshots
    PlanSnapshots snapshots;
};

/// What a session that did not end by itself has left behind.
struct LeftBehind {
    QString file; ///< the copy itself
    QString name;
    PlanFile origin; ///< where the plan was opened from, if from a file
    QDateTime time;
    DocumentPointer document; ///< with its snapshots
    std::shared_ptr<FileLock> claim; ///< while it lives, no other window offers this
};

/// A copy that a newer version of the program has written in a way of its own.
class NewerCopy : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The copy's text, of the schema meshwright.recovery/1.
std::string textOf(const RecoveryCopy &copy);

/// Reads a copy of this version or of one before, without a claim.
/// @throws NewerCopy with the plan's name, FileError where the file cannot be read now, InputError where it is no copy
LeftBehind readCopy(const QString &file);

} // namespace meshwright
