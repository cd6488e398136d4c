// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/report_parts.h"

#include <QString>

#include <vector>

namespace meshwright {

// A report's sections as Markdown and HTML. Text from a plan is escaped.

/// GitHub-flavored Markdown without references to other files. Tables of values replace pictures.
QString markdownOf(const std::vector<ReportSection> &sections);

/// An HTML page for screen and print, without scripts or references to other files.
QString htmlOf(const std::vector<ReportSection> &sections, const QString &title);

/// A picture and its legend as an SVG element for HTML. The SVG sets the width of each text, so that it looks the same
/// if the font is missing.
QString svgOf(const PicturePart &picture, qreal width);

} // namespace meshwright
