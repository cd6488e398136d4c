// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace meshwright {

/// Renames a file that does not read, so that it is out of the way and still there: FILE.unread, FILE.unread-2 ...
/// @return the new name; empty where it cannot be renamed
QString setAside(const QString &file);

} // namespace meshwright
