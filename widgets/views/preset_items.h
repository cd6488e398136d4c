// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"
#include "controls/combo_item.h"

#include <QVector>

namespace meshwright {

/// The library's presets of one kind as choices. Presets that cannot be evaluated are omitted.
QVector<ComboItem> presetItems(const Library &library, PresetKind kind);

} // namespace meshwright
