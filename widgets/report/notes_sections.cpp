// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary/glossary.h"
#include "report/report_sections.h"

#include <algorithm>
#include <string_view>

namespace meshwright {
namespace {

/// A term that the report uses. The report's tables may use a shorter name for it.
struct ReportTerm {
    std::string_view id;
    const char *label = nullptr; ///< name in the report; null to use the glossary's name
};

std::vector<ReportTerm> termsOf(const Result &result) {
    const Parallelism &parallelism = result.plan.parallelism;
    std::vector<ReportTerm> terms{{"mfu"},
                                  {"hfu"},
                                  {"six-nd", "6ND"},
                                  {"full-attention-convention", "Full attention"},
                                  {"activations"},
                                  {"goodput"},
                                  {"exposed-communication"},
                                  {"headroom"},
                                  {"peak-memory"},
                                  {"cuda-context"},
                                  {"optimizer-states"},
                                  {"checkpoint-interval"},
                                  {"h100-equivalent"},
                                  {"interval-80"},
                                  {"microbatch"},
                                  {"recomputation"}};
    const auto add = [&terms](bool uses, std::initializer_list<ReportTerm> more) {
        if (uses)
            terms.insert(terms.end(), more);
    };
    add(parallelism.tensor > 1, {{"tensor-parallelism"}});
    add(parallelism.context > 1, {{"context-parallelism"}});
    add(parallelism.expert > 1, {{"expert-parallelism"}});
    add(parallelism.data > 1, {{"data-parallelism"}, {"zero"}});
    add(parallelism.pipeline > 1,
        {{"pipeline-parallelism"},
         {"bubble-of-ideal"},
         {"bubble-of-total"},
         {"bubble-of-span"},
         {"microbatches-in-flight"},
         {"makespan"},
         {name_of(parallelism.schedule)}});
    add(result.outer.has_value(),
        {{"diloco"},
         {"inner-step"},
         {"fragment"},
         {"outer-overlap"},
         {"compute-utilization"},
         {"stall-time"},
         {"loss-penalty"}});
    return terms;
}

} // namespace

ReportSection glossarySection(const ReportDataPointer &data) {
    ReportSection section{ReportChapter::glossary,
                          titleOf(ReportChapter::glossary),
                          QStringLiteral("gigabytes are decimal; memory capacity is the part available to programs"),
                          {}};
    for (const ReportTerm &shown : termsOf(data->result())) {
        const GlossaryTerm *const term = Glossary::standard().find(shown.id);
        if (term == nullptr) // the glossary's file is missing or broken
            continue;
        QString meaning = QString::fromStdString(term->definition);
        if (term->id == "h100-equivalent" && !data->result().cluster.definition.empty())
            meaning += QStringLiteral(" Threshold: ") + QString::fromStdString(data->result().cluster.definition.text);
        section.parts.emplace_back(GlossaryPart{
            shown.label != nullptr ? QString::fromLatin1(shown.label) : QString::fromStdString(term->term), meaning});
    }
    std::sort(section.parts.begin(), section.parts.end(), [](const ReportPart &a, const ReportPart &b) {
        return std::get<GlossaryPart>(a.what()).term.compare(std::get<GlossaryPart>(b.what()).term, Qt::CaseInsensitive)
            < 0;
    });
    return section;
}

} // namespace meshwright
