// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/own_presets.h"
#include "controls/notice_strip.h"
#include "main_window.h"

namespace meshwright {

/// Warns once, when the window opens, of user presets that override built-in ones (they change the results of all plans
/// that use them) and of invalid ones (they are missing from the lists).
void MainWindow::sayOwnPresets() {
    const Library &library = m_session.library();
    QStringList hiding;
    for (const PresetEntry &entry : library.entries())
        if (hidden_by(entry, library))
            hiding << QString::fromStdString(entry.id);
    QStringList said;
    if (!hiding.isEmpty())
        said << tr("Your presets override built-in ones: %1.").arg(hiding.join(QStringLiteral(", ")));
    if (const auto &invalid = library.invalid(); !invalid.empty()) {
        const QString first = QString::fromStdString(invalid.front().problem);
        said << (invalid.size() == 1 ? tr("A preset is invalid: %1").arg(first)
                                     : tr("%1 presets are invalid. The first: %2").arg(invalid.size()).arg(first));
    }
    if (!said.isEmpty())
        m_presetBar->announce(Tone::Warn, said.join(QLatin1Char(' ')), {}, tr("Dismiss"));
}

} // namespace meshwright
