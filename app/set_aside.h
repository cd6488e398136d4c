// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace meshwright {

/// Renames an unreadable file to FILE.unread, FILE.unread-2 and so on, so that it is kept but not read again.
/// @return the new name; empty if it cannot be renamed
QString setAside(const QString &file);

} // namespace meshwright
