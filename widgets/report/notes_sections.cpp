// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/device.h"
#include "evidence/assumption.h"
#include "report/report_sections.h"

#include <algorithm>
#include <array>

namespace meshwright {
namespace {

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
}

// --- Assumptions -----------------------------------------------------------------------------------------------------

constexpr qreal ValueColumn = 290;
constexpr qreal SourceColumn = ValueColumn + 90;

/// The constants with the most influence on the first page, and all that the plan or its machine overrides.
std::vector<Assumption> shownAssumptions(const Plan &plan) {
    std::vector<ConstantId> most = matrix_efficiency(plan.cluster.accelerator, plan.precision.compute).times;
    most.insert(most.end(),
                {ConstantId::memory_bandwidth_efficiency, ConstantId::link_efficiency, ConstantId::network_efficiency,
                 ConstantId::accelerator_mtbf_seconds, ConstantId::power_usage_effectiveness,
                 ConstantId::energy_dollars_per_kilowatt_hour});
    std::vector<int> rows;
    for (const ConstantId id : most)
        rows.push_back(static_cast<int>(id));
    for (int row = 0; row < Assumption::count(); ++row)
        if (Assumption::at(row).isChanged(plan) && std::find(rows.begin(), rows.end(), row) == rows.end())
            rows.push_back(row);
    std::vector<Assumption> shown;
    shown.reserve(rows.size());
    for (const int row : rows)
        shown.push_back(Assumption::at(row));
    return shown;
}

ReportBlock assumptionBlock(const Assumption &assumption, const Plan &plan) {
    const bool isChanged = assumption.isChanged(plan);
    const QString value = assumption.text(assumption.value(plan));
    const QStringList meaning = paperLines(assumption.meaning(), ValueColumn - 16, TypeRole::Caption);
    const QString from = !isChanged     ? assumption.source(plan)
        : assumption.isOverridden(plan) ? QStringLiteral("set by this plan")
                                        : QStringLiteral("measured on this machine");
    const QStringList source = paperLines(from, paper::ContentWidth - SourceColumn, TypeRole::Caption);
    const qreal height = qreal(std::max(meaning.size(), source.size())) * Theme::lineHeight(TypeRole::Caption) + 4;
    return {.height = height,
            .paint =
                [=](Paper &paper, qreal x, qreal y) {
                    paper.lines(x, y, meaning, TypeRole::Caption);
                    paper.text(x + SourceColumn - 16, y, value, TypeRole::Caption,
                               isChanged ? ColourRole::Accent : ColourRole::Text, TextWeight::SemiBold, Qt::AlignRight);
                    paper.lines(x + SourceColumn, y, source, TypeRole::Caption, ColourRole::Text3);
                },
            .staysWithNext = false,
            .states = true};
}

// --- Definitions -----------------------------------------------------------------------------------------------------

struct Definition {
    const char *term;
    const char *meaning;
};

constexpr std::array<Definition, 8> definitions{{
    {"MFU",
     "Model FLOPs per step divided by what the accelerators could do in the step time at dense peak. Excludes "
     "recomputation, counts causal attention at half, includes the head. By 6ND: six FLOPs per parameter and token. "
     "Full attention: counts the masked half too."},
    {"HFU", "Like MFU, but counts recomputed operations too."},
    {"Exposed", "Communication not overlapped with computation. The terms add up to the step time."},
    {"Bubble",
     "Time in which a pipeline rank waits, as a fraction of the ideal time (without waiting), of the total time, or of "
     "the busiest rank's span from its first to its last operation."},
    {"Memory", "Bytes on one accelerator at its peak. Capacity is the usable device memory. 1 GB is 10^9 bytes."},
    {"Goodput", "Fraction of the run time left for training after failures, restarts and checkpoints."},
    {"H100-equivalents", "Dense FP16 peak divided by that of one H100."},
    {"80% interval",
     "Bars under the figures on the first page: the range that contains eight of ten runs like those in the evidence. "
     "Run time and rental cost have the interval of the step time."},
}};

ReportBlock definitionBlock(const QString &term, const QString &meaning) {
    constexpr qreal indent = 120;
    const QStringList lines = paperLines(meaning, paper::ContentWidth - indent, TypeRole::Caption);
    return {.height = qreal(lines.size()) * Theme::lineHeight(TypeRole::Caption) + 4,
            .paint =
                [=](Paper &paper, qreal x, qreal y) {
                    paper.text(x, y, term, TypeRole::Caption, ColourRole::Text, TextWeight::SemiBold);
                    paper.lines(x + indent, y, lines, TypeRole::Caption, ColourRole::Text2);
                },
            .staysWithNext = false,
            .states = true};
}

} // namespace

ReportSection assumptionsSection(const Result &result) {
    ReportSection section{QStringLiteral("Assumptions"),
                          QStringLiteral("constants with the most influence, and those that this plan overrides"),
                          {}};
    for (const Assumption &assumption : shownAssumptions(result.plan))
        section.blocks.push_back(assumptionBlock(assumption, result.plan));
    return section;
}

ReportSection definitionsSection(const Result &result) {
    ReportSection section{QStringLiteral("Glossary"), QString(), {}};
    for (const Definition &definition : definitions) {
        QString meaning = QString::fromUtf8(definition.meaning);
        if (text(definition.term) == QStringLiteral("H100-equivalents") && !result.cluster.definition.empty())
            meaning += QStringLiteral(" Threshold: ") + text(result.cluster.definition.text);
        section.blocks.push_back(definitionBlock(text(definition.term), meaning));
    }
    return section;
}

} // namespace meshwright
