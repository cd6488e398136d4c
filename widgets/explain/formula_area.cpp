// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/formula_area.h"

#include "theme/surfaces.h"

#include <QPainter>

namespace meshwright {

void FormulaArea::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Field), Theme::of(this).colour(ColourRole::Field));
}

} // namespace meshwright
