// SPDX-License-Identifier: GPL-3.0-or-later
#include "format_title.h"

namespace meshwright {

QString formatTitle(std::string_view id, std::string_view title) {
    QString text = QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
    if (!title.starts_with(id) && !text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace meshwright
