// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/device.h"
#include "evidence/assumption.h"
#include "report/report_sections.h"

#include <algorithm>

namespace meshwright {
namespace {

std::vector<int> influentialRows(const Plan &plan) {
    std::vector<ConstantId> most = matrix_efficiency(plan.cluster.accelerator, plan.precision.compute).times;
    most.insert(most.end(),
                {ConstantId::memory_bandwidth_efficiency, ConstantId::link_efficiency, ConstantId::network_efficiency,
                 ConstantId::accelerator_mtbf_seconds, ConstantId::power_usage_effectiveness,
                 ConstantId::energy_dollars_per_kilowatt_hour});
    std::vector<int> rows;
    for (const ConstantId id : most)
        if (const auto row = static_cast<int>(id); std::find(rows.begin(), rows.end(), row) == rows.end())
            rows.push_back(row);
    return rows;
}

TablePart tableOf(const std::vector<int> &rows, const Plan &plan, bool areChanged) {
    TablePart table{{{QStringLiteral("constant"), 4, Qt::AlignLeft}, {QStringLiteral("value"), 1.2}}, {}};
    if (areChanged)
        table.columns.push_back({QStringLiteral("default"), 1.2});
    table.columns.push_back({QStringLiteral("source"), 4, Qt::AlignLeft});
    for (const int row : rows) {
        const Assumption assumption = Assumption::at(row);
        std::vector<SentenceText> cells{assumption.meaning(), assumption.text(assumption.value(plan))};
        if (areChanged)
            cells.emplace_back(assumption.text(assumption.shipped(plan)));
        cells.emplace_back(!areChanged                         ? assumption.source(plan)
                               : assumption.isOverridden(plan) ? QStringLiteral("set by this plan")
                                                               : QStringLiteral("measured on this machine"));
        table.rows.push_back(cells);
    }
    return table;
}

} // namespace

ReportSection assumptionsSection(const ReportDataPointer &data) {
    const Plan &plan = data->plan();
    std::vector<int> changed;
    for (int row = 0; row < Assumption::count(); ++row)
        if (Assumption::at(row).isChanged(plan))
            changed.push_back(row);
    ReportSection section{
        ReportChapter::assumptions,
        titleOf(ReportChapter::assumptions),
        changed.empty()
            ? QStringLiteral("this plan changes none of the constants; these have the most influence")
            : QStringLiteral("constants changed from their defaults (%1), and those with the most influence")
                  .arg(changed.size()),
        {}};
    if (!changed.empty()) {
        section.parts.emplace_back(HeadingPart{QStringLiteral("Constants changed from their defaults")});
        section.parts.emplace_back(tableOf(changed, plan, true));
        section.parts.emplace_back(HeadingPart{QStringLiteral("Constants with the most influence")});
    }
    std::vector<int> others = influentialRows(plan);
    std::erase_if(others, [&](int row) { return std::find(changed.begin(), changed.end(), row) != changed.end(); });
    section.parts.emplace_back(tableOf(others, plan, false));
    return section;
}

} // namespace meshwright
