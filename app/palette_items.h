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

struct PaletteWays {
    std::function<void(const QString &path)> showFigure;
    std::function<void(PresetKind kind, const QString &id)> usePreset;
    /// @param texts  texts for the calculator's fields; if there are none, the calculator takes the plan's values
    std::function<void(const QString &id, const ArgumentTexts &texts)> openFormula;
    std::function<PlanPlaces(const Formula &)> planValues;
    std::function<void(const QString &id)> openPreset;
    std::function<void(const QString &pointer)> showField;
    std::function<void(const QString &id)> showCurve;
    std::function<void(const QString &id)> showTerm;
};

/// All formulas, searchable by title and by the names, letters and meanings of their symbols and results.
QVector<PaletteItem> formulaItems(const PaletteWays &ways);
/// The plan's key figures with their values, searchable by all their names.
QVector<PaletteItem> figureItems(const Result &result, const PaletteWays &ways);
QVector<PaletteItem> viewItems(const QList<QAction *> &views);
QVector<PaletteItem> fieldItems(const QVector<PanelColumn::Field> &fields, const PaletteWays &ways);
/// All curves of the plan's run, searchable by their titles and formulas.
QVector<PaletteItem> curveItems(const Result &result, const PaletteWays &ways);
QVector<PaletteItem> termItems(const PaletteWays &ways);
/// Presets: accelerators, clusters, models and software for the plan, and plans to open.
/// @param shown  the current plan, whose presets are marked
QVector<PaletteItem> presetItems(const Library &library, const Plan &shown, const PaletteWays &ways);
/// The menus' enabled actions except `others`, which have their own groups. Actions are also searchable by other common
/// names.
QVector<PaletteItem> actionItems(const QMenuBar &menus, const QList<QAction *> &others);

} // namespace meshwright
