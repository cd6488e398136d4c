// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/cell_text.h"

namespace meshwright {

QString cellText(std::string_view cell, int letters) {
    constexpr int maxBytes = 4; // maximum number of bytes per character in UTF-8
    const std::string_view head =
        cell.substr(0, static_cast<std::size_t>(maxBytes) * static_cast<std::size_t>(letters));
    QString text = QString::fromUtf8(head.data(), static_cast<qsizetype>(head.size())).simplified();
    for (QChar &each : text)
        if (!each.isPrint())
            each = QChar::ReplacementCharacter;
    if (text.size() <= letters && head.size() == cell.size())
        return text;
    return text.left(letters - 1) + QChar(0x2026);
}

} // namespace meshwright
