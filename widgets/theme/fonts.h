// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace meshwright {

/// A copy of an OpenType font under the name `family` in which figures have one width without asking.
///
/// Inter's default figures are proportional, and Qt has no way to ask for the font feature `tnum` before 6.7. The copy
/// renames that feature to `rlig`, which every shaper always applies, so that figures that change keep their places in
/// every label, field and table without any of them knowing. Empty if the font has no such feature, uses `rlig`
/// already, or cannot be read; the outlines and all other tables stay as they are.
QByteArray withTabularFigures(const QByteArray &font, const QString &family);

/// Loads the interface family once and returns its name: Inter with tabular figures where the system has Inter's files,
/// else Inter as installed, else DejaVu Sans (whose figures are tabular anyway). Needs a QGuiApplication.
QString interfaceFamily();

/// The family for PDF and SVG.
QString paperFamily();

} // namespace meshwright
