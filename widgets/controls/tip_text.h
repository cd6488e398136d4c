// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace meshwright {

/// Breaks a tool tip into lines of at most 72 characters, because Qt wraps rich text only. Existing line breaks stay.
QString tipText(const QString &text);

} // namespace meshwright
