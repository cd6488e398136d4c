// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compared_bars.h"

#include "compare/compared_plan.h"
#include "compare/figures_model.h"
#include "figures/change_tone.h"
#include "views/view_mapping.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

struct ComparedBars {
    Q_DECLARE_TR_FUNCTIONS(ComparedBars)
};

/// Width of the name column left of the bars; the bars get most of the width.
constexpr qsizetype longestName = 18;
/// Capacities whose relative difference is below this belong to the same accelerator.
constexpr double sameCapacity = 1e-6;

QString shortName(const PlanComparison &comparison, int plan) {
    if (plan == 0)
        return ComparedBars::tr("This plan");
    const QString name = QString::fromStdString(comparison.names[static_cast<std::size_t>(plan)]).simplified();
    if (name.size() <= longestName)
        return name;
    // Shortened in the middle, since the names of compared plans often differ only at the end.
    const qsizetype head = (longestName - 1) / 2;
    return name.left(head).trimmed() + QStringLiteral("…") + name.right(longestName - 1 - head).trimmed();
}

} // namespace

int shownStage(const Result &result) {
    const auto &stages = result.memory.stages;
    const auto found = std::find_if(stages.begin(), stages.end(), [&result](const StageMemory &stage) {
        return stage.stage == result.memory.peak_stage;
    });
    return found == stages.end() ? 0 : static_cast<int>(found - stages.begin());
}

MemoryBarsView comparedMemory(const PlanComparison &comparison) {
    MemoryBarsView view;
    view.sublabelTitle = ComparedBars::tr("Plan");
    const double first = comparison.results.front()->memory.capacity_bytes;
    bool isOne = true;
    for (std::size_t i = 0; i < comparison.results.size(); ++i) {
        const Result &result = *comparison.results[i];
        const MemoryBarsView own = memoryBarsView(result.memory);
        if (own.bars.isEmpty())
            continue;
        MemoryBar bar = own.bars.at(shownStage(result));
        bar.sublabel = shortName(comparison, static_cast<int>(i));
        bar.label = own.bars.size() == 1
            ? letterOf(static_cast<int>(i))
            : ComparedBars::tr("%1, stage %2").arg(letterOf(static_cast<int>(i))).arg(result.memory.peak_stage);
        bar.capacityBytes = result.memory.capacity_bytes;
        isOne = isOne && std::abs(result.memory.capacity_bytes - first) <= sameCapacity * first;
        view.bars.append(bar);
    }
    if (isOne)
        view.capacityBytes = first;
    return view;
}

StepBarView comparedSteps(const PlanComparison &comparison) {
    StepBarView view;
    const double first = comparison.results.front()->step.seconds;
    for (std::size_t i = 0; i < comparison.results.size(); ++i) {
        const Result &result = *comparison.results[i];
        StepRow row = stepBarView(result).rows.first();
        row.label = letterOf(static_cast<int>(i));
        row.sublabel = shortName(comparison, static_cast<int>(i));
        if (i > 0) {
            const double change = first > 0 ? result.step.seconds / first - 1 : 0;
            row.note = relativeChangeText(change);
            if (row.note.isEmpty())
                row.note = ComparedBars::tr("same as A");
            else
                row.noteTone = changeTone(preference_of("step.seconds", Quantity::seconds), change);
        }
        view.rows.append(row);
    }
    return view;
}

} // namespace meshwright
