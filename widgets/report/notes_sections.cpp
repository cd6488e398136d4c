// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/device.h"
#include "evidence/assumption.h"
#include "glossary/glossary.h"
#include "report/report_sections.h"

#include <algorithm>
#include <string_view>

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

// --- Glossary --------------------------------------------------------------------------------------------------------

constexpr qreal TermColumn = 112;
constexpr qreal TermGap = 1.5;

enum class Extent { FirstSentence, Whole };

/// A term that the report uses, and what its tables call it.
struct ReportTerm {
    const char *id;
    const char *label;
    Extent extent = Extent::FirstSentence; ///< of the definition
};

std::vector<ReportTerm> reportTerms(const Result &result) {
    std::vector<ReportTerm> terms{{"mfu", "MFU", Extent::Whole},
                                  {"hfu", "HFU"},
                                  {"six-nd", "6ND"},
                                  {"full-attention-convention", "Full attention"},
                                  {"exposed-communication", "Exposed"}};
    if (result.plan.parallelism.pipeline > 1)
        terms.insert(terms.end(),
                     {{"bubble-of-ideal", "Bubble of ideal"},
                      {"bubble-of-total", "Bubble of total"},
                      {"bubble-of-span", "Bubble of span"}});
    terms.insert(terms.end(),
                 {{"goodput", "Goodput"},
                  {"h100-equivalent", "H100-equivalent"},
                  {"interval-80", "80% interval", Extent::Whole}});
    return terms;
}

ReportBlock definitionBlock(const QString &term, const QString &meaning) {
    const QStringList lines = paperLines(meaning, paper::ContentWidth - TermColumn, TypeRole::Caption);
    return {.height = qreal(lines.size()) * Theme::lineHeight(TypeRole::Caption) + TermGap,
            .paint =
                [=](Paper &paper, qreal x, qreal y) {
                    paper.text(x, y, term, TypeRole::Caption, ColourRole::Text, TextWeight::SemiBold);
                    paper.lines(x + TermColumn, y, lines, TypeRole::Caption, ColourRole::Text2);
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

ReportSection glossarySection(const Result &result) {
    ReportSection section{
        QStringLiteral("Glossary"),
        QStringLiteral("gigabytes are decimal; memory capacity is what the device offers to programs"),
        {}};
    for (const ReportTerm &shown : reportTerms(result)) {
        const GlossaryTerm *const term = Glossary::standard().find(shown.id);
        if (term == nullptr) // the file is missing or broken
            continue;
        QString meaning =
            text(shown.extent == Extent::Whole ? std::string_view(term->definition) : term->first_sentence());
        if (term->id == "h100-equivalent" && !result.cluster.definition.empty())
            meaning += QStringLiteral(" Threshold: ") + text(result.cluster.definition.text);
        section.blocks.push_back(definitionBlock(text(shown.label), meaning));
    }
    return section;
}

} // namespace meshwright
