// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calculators/plan_values.h"
#include "catalog/library.h"
#include "palette/palette_model.h"
#include "panels/panel_column.h"

#include <QList>
#include <QString>
#include <QVector>

#include <functional>

class QAction;
class QMenuBar;

namespace meshwright {

struct Plan;
struct Result;

/// What the palette's items lead to.
struct PaletteWays {
    std::function<void(const QString &path)> showFigure;
    /// Has the plan take a model, cluster, accelerator or software.
    std::function<void(PresetKind kind, const QString &id)> usePreset;
    /// @param texts  that its fields are to have; empty: those of the plan
    std::function<void(const QString &id, const ArgumentTexts &texts)> openFormula;
    std::function<PlanPlaces(const Formula &)> planValues;
    std::function<void(const QString &id)> openPreset;
    std::function<void(const QString &pointer)> showField;
    std::function<void(const QString &id)> showCurve;
};

// What the palette finds, in groups.

/// Every formula, by its title and the names, letters and meanings of its symbols and results.
QVector<PaletteItem> formulaItems(const PaletteWays &ways);
/// The key figures of the plan with their values, by all their names.
QVector<PaletteItem> figureItems(const Result &result, const PaletteWays &ways);
QVector<PaletteItem> viewItems(const QList<QAction *> &views);
QVector<PaletteItem> fieldItems(const QVector<PanelColumn::Field> &fields, const PaletteWays &ways);
/// Every curve of the plan's run, by its title and what its formulas are called.
QVector<PaletteItem> curveItems(const Result &result, const PaletteWays &ways);
/// The library's accelerators, clusters, models and software, which the plan can take, and the plans that can be
/// opened.
/// @param shown  the present plan, whose own presets are marked
QVector<PaletteItem> presetItems(const Library &library, const Plan &shown, const PaletteWays &ways);
/// What the menus offer at present, but for `others`, which have groups of their own. An action is also found by the
/// words that people use for it elsewhere.
QVector<PaletteItem> actionItems(const QMenuBar &menus, const QList<QAction *> &others);

} // namespace meshwright
