// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "painted_text.h"
#include "window_fixture.h"

#include <functional>

namespace meshwright {

/// A row of test data for each plan that pages are walked with: one stage and many, dense and experts, many sites, and
/// some that do not fit.
void addWalkedPlans();

/// Shows every page of every view in turn, each when it has all its answers.
void showEachPage(WindowFixture &fixture, const std::function<void(const QString &)> &look);

/// Calls for every number that the page in sight paints where figures may stand: not where a person types, nor where a
/// widget says itself that it shows none.
/// @param read  takes the widget, what opens in it (null for nothing) and the number
void readPage(WindowFixture &fixture,
              const std::function<void(QWidget *, const FigureSource *, const PaintedNumber &)> &read);

} // namespace meshwright
