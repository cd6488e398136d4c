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

/// Contents of a recovery copy. Pointers are shared because another thread serializes the copy.
struct RecoveryCopy {
    QString name;
    PlanFile origin; ///< the plan's file, if any
    DocumentPointer document; ///< document without its snapshots
    PlanSnapshots snapshots;
};

/// A recovery copy that a crashed session left behind.
struct LeftBehind {
    QString file;
    QString name;
    PlanFile origin; ///< the plan's file, if any
    QDateTime time;
    DocumentPointer document; ///< document with its snapshots
    std::shared_ptr<FileLock> claim; ///< lock on the copy; while it exists, no other window offers this copy
};

/// Thrown for a copy in a newer version's format.
class NewerCopy : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Serializes the copy with the schema meshwright.recovery/1.
std::string textOf(const RecoveryCopy &copy);

/// Reads a copy of this or an earlier version, without locking it.
/// @throws NewerCopy with the plan's name, FileError if the file cannot be read, InputError if it is not a recovery
/// copy
LeftBehind readCopy(const QString &file);

} // namespace meshwright
