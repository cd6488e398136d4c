// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace meshwright {

/// Marks a widget as the editor or the row of a plan field. F1 on it then explains the field.
/// @param pointer  JSON pointer of the field; an empty one removes the mark
void markAsField(QWidget *widget, const QString &pointer);
/// The nearest marked widget, searching from `widget` outward; null if there is none.
QWidget *markedField(QWidget *widget);
/// JSON pointer of a marked widget; empty for any other.
QString fieldOf(const QWidget *widget);

} // namespace meshwright
