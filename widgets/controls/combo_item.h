// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace meshwright {

/// One choice of a SearchableCombo. `id` is what is stored, `text` what is shown, `detail` stands quietly beside it and
/// is searched as well; items in a run with the same `group` get its heading.
struct ComboItem {
    QString id;
    QString text;
    QString detail;
    QString group;
};

} // namespace meshwright
