// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/report_parts.h"

#include <QString>

#include <vector>

namespace meshwright {

// A report's sections as Markdown and HTML. Texts of a plan are escaped.

/// GitHub-flavored Markdown without references to other files. Pictures are replaced by tables of their values.
QString markdownOf(const std::vector<ReportSection> &sections);

/// A page of HTML without references to other files and without scripts, for screen and print.
QString htmlOf(const std::vector<ReportSection> &sections, const QString &title);

/// A picture with its legend as an SVG element for HTML. The SVG sets the width of each text, so that it looks the same
/// if the font is missing.
QString svgOf(const PicturePart &picture, qreal width);

} // namespace meshwright
