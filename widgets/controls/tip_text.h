// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace meshwright {

/// Breaks a tool tip into lines of at most 72 characters: Qt wraps rich text only. Keeps existing line breaks.
QString tipText(const QString &text);

} // namespace meshwright
