// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/preset_items.h"

#include "catalog/own_presets.h"

namespace meshwright {

QVector<ComboItem> presetItems(const Library &library, PresetKind kind) {
    QVector<ComboItem> items;
    for (const PresetEntry &entry : library.entries()) {
        if (entry.kind != kind || !entry.evaluable)
            continue;
        items.append({.id = QString::fromStdString(entry.id),
                      .text = QString::fromStdString(listed_name(entry, library)),
                      .detail = QString::fromStdString(entry.id),
                      .group = {}});
    }
    return items;
}

} // namespace meshwright
