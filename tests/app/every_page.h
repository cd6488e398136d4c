// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "painted_text.h"
#include "window_fixture.h"

#include <functional>

namespace meshwright {

/// Adds one row of test data per plan to walk through: with one stage and with many, dense and MoE, with many sites,
/// and two that do not fit.
void addWalkedPlans();

/// Shows every page of every view in turn and calls the function once the page has all its results.
void showEachPage(WindowFixture &fixture, const std::function<void(const QString &)> &look);

/// Calls a function for every number on the visible page, except in widgets for typing and in those that declare that
/// they show no figures.
/// @param read  receives the widget, the figure that the number opens (null if it opens none) and the number
void readPage(WindowFixture &fixture,
              const std::function<void(QWidget *, const FigureSource *, const PaintedNumber &)> &read);

} // namespace meshwright
