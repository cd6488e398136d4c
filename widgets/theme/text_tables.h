// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTextFrame;

namespace meshwright {

class Theme;

/// Gives a text's tables thin lines, padding and a tinted first row. Qt draws Markdown tables with double lines and no
/// padding. @param root  frame of the whole text
void formatTables(QTextFrame &root, const Theme &theme);

} // namespace meshwright
