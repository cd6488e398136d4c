// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace meshwright {

/// A copy of an OpenType font, renamed to `family`, with tabular figures as the default.
///
/// Inter's default figures are proportional, and Qt cannot enable the font feature `tnum` before 6.7. The copy renames
/// the feature to `rlig`, which every shaper always applies, so that changing figures do not move. Outlines and all
/// other tables are unchanged. Returns an empty array if the font lacks `tnum`, already uses `rlig`, or cannot be read.
QByteArray withTabularFigures(const QByteArray &font, const QString &family);

/// Loads the interface font once and returns its family: Inter with tabular figures if the system has Inter's files,
/// otherwise Inter as installed, otherwise DejaVu Sans, which has tabular figures. Requires a QGuiApplication.
QString interfaceFamily();

QString paperFamily();

} // namespace meshwright
