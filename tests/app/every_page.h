// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "painted_text.h"
#include "window_fixture.h"

#include <functional>

namespace meshwright {

/// Adds a row of test data for each plan whose pages are visited: with one stage and many, dense and with experts, with
/// many sites, and some that do not fit.
void addWalkedPlans();

/// Shows every page of every view in turn, and waits until each page has all its answers.
void showEachPage(WindowFixture &fixture, const std::function<void(const QString &)> &look);

/// Calls `read` for every number that the visible page paints, except in input fields and in widgets that declare that
/// they show no figures. @param read receives the widget, the figure that the number opens (null for none) and the
/// number
void readPage(WindowFixture &fixture,
              const std::function<void(QWidget *, const FigureSource *, const PaintedNumber &)> &read);

} // namespace meshwright
