// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace meshwright {

/// One choice of a SearchableCombo: `id` is stored, `text` is shown, `detail` is shown next to it in gray and is
/// searched too. Consecutive items of the same `group` are listed under one heading, the name of the group.
struct ComboItem {
    QString id;
    QString text;
    QString detail;
    QString group;
};

} // namespace meshwright
