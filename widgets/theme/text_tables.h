// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTextFrame;

namespace meshwright {

class Theme;

/// Gives the tables of a text thin lines, padding and a tinted first row. Qt draws tables of Markdown with double
/// lines and without padding. @param root  frame of the whole text
void formatTables(QTextFrame &root, const Theme &theme);

} // namespace meshwright
