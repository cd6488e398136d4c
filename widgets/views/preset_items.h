// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"
#include "controls/combo_item.h"

#include <QVector>

namespace meshwright {

/// The library's presets of one kind as choices. Cards are omitted, because they cannot be evaluated.
QVector<ComboItem> presetItems(const Library &library, PresetKind kind);

} // namespace meshwright
