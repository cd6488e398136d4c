// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/constants.h"
#include "panels/figure_text.h"
#include "report/report_sections.h"

#include <array>

namespace meshwright {
namespace {

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
}

// --- Assumptions -----------------------------------------------------------------------------------------------------

constexpr qreal ValueColumn = 290;
constexpr qreal SourceColumn = ValueColumn + 90;

/// The sustained share of the peak that this plan's accelerators reach.
ConstantId matrixEfficiency(const Plan &plan) {
    const std::string &architecture = plan.cluster.accelerator.architecture;
    if (architecture == "ampere")
        return ConstantId::matrix_efficiency_ampere;
    if (architecture == "hopper")
        return ConstantId::matrix_efficiency_hopper;
    if (architecture == "blackwell")
        return ConstantId::matrix_efficiency_blackwell;
    if (architecture == "cdna3")
        return ConstantId::matrix_efficiency_cdna3;
    return architecture == "tpu" ? ConstantId::matrix_efficiency_tpu : ConstantId::matrix_efficiency_other;
}

/// Those that move the figures of the first page most, and all that the plan has set itself.
std::vector<const Constant *> shownConstants(const Plan &plan) {
    const std::array most{matrixEfficiency(plan),
                          ConstantId::memory_bandwidth_efficiency,
                          ConstantId::link_efficiency,
                          ConstantId::network_efficiency,
                          ConstantId::accelerator_mtbf_seconds,
                          ConstantId::power_usage_effectiveness,
                          ConstantId::energy_dollars_per_kilowatt_hour};
    std::vector<const Constant *> shown;
    shown.reserve(most.size() + plan.assumptions.size());
    for (const ConstantId id : most)
        shown.push_back(&constants()[static_cast<size_t>(id)]);
    for (const auto &[name, value] : plan.assumptions) {
        const Constant *const constant = find_constant(name);
        if (constant != nullptr && std::find(shown.begin(), shown.end(), constant) == shown.end())
            shown.push_back(constant);
    }
    return shown;
}

double valueOf(ConstantId id, const Plan &plan) {
    const Constant &constant = constants()[static_cast<size_t>(id)];
    const auto own = plan.assumptions.find(std::string(constant.name));
    return own == plan.assumptions.end() ? constant.value : own->second;
}

QString valueText(const Constant &constant, const Plan &plan) {
    const double value = valueOf(constant.id, plan);
    if (constant.unit == "s")
        return figureText(value, Quantity::seconds);
    const QString number = QString::number(value, 'g', 4);
    return constant.unit == "1" ? number : number + QLatin1Char(' ') + text(constant.unit);
}

/// The registry's rows lean on their neighbours, which are not all shown here.
QString meaningText(const Constant &constant) {
    const QString words = text(constant.meaning);
    if (words.startsWith(QStringLiteral("the same on")))
        return QStringLiteral("sustained share of the dense matrix peak") + words.mid(8);
    return words;
}

QString provenanceText(Provenance provenance) {
    switch (provenance) {
    case Provenance::physics:
        return QStringLiteral("by definition");
    case Provenance::published:
        return QStringLiteral("published");
    case Provenance::fitted:
        return QStringLiteral("fitted");
    case Provenance::assumed:
        break;
    }
    return QStringLiteral("assumed");
}

ReportBlock constantBlock(const Constant &constant, const Plan &plan) {
    const std::string name(constant.name);
    const bool isOwn = plan.assumptions.contains(name);
    const QString value = valueText(constant, plan);
    const QString origin = plan.own_assumptions().contains(name) ? QStringLiteral("set by this plan")
        : isOwn                                                  ? QStringLiteral("measured on this machine")
                                                                 : provenanceText(constant.provenance);
    const QStringList meaning = paperLines(meaningText(constant), ValueColumn - 16, TypeRole::Caption);
    const QString from = text(constant.source);
    const QStringList source = paperLines(isOwn                         ? origin
                                              : from.startsWith(origin) ? from
                                                                        : origin + QStringLiteral(": ") + from,
                                          paper::ContentWidth - SourceColumn, TypeRole::Caption);
    const qreal height = qreal(std::max(meaning.size(), source.size())) * Theme::lineHeight(TypeRole::Caption) + 4;
    return {.height = height,
            .paint =
                [=](Paper &paper, qreal x, qreal y) {
                    paper.lines(x, y, meaning, TypeRole::Caption);
                    paper.text(x + SourceColumn - 16, y, value, TypeRole::Caption,
                               isOwn ? ColourRole::Accent : ColourRole::Text, TextWeight::SemiBold, Qt::AlignRight);
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
     "Model FLOPs of a step over what the accelerators could do in its time at their dense peak. No recomputation, "
     "causal attention at half, the head included. By 6ND: six FLOPs a parameter and token. Attention in full: "
     "the masked half counted too."},
    {"HFU", "The same with the operations that recomputation repeats."},
    {"Exposed", "Communication that no computation hides; the terms of a step add up to its length."},
    {"Bubble",
     "Time in which a pipeline rank waits: of ideal time (a pipeline without waiting), of total time, and of the "
     "busiest rank's span from its first to its last operation."},
    {"Memory",
     "Bytes on one accelerator at the moment of its peak. Capacity is what the device really offers. "
     "1 GB is 10^9 bytes."},
    {"Goodput", "The share of the run's time that failures, restarts and checkpoints leave for training."},
    {"H100-equivalents", "Peak dense FP16 rate over that of one H100."},
    {"80 % interval",
     "The bars under the figures of the first page: where four of five runs like those in the evidence fall. Run and "
     "rent "
     "have the interval of the step."},
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
    ReportSection section{
        QStringLiteral("Assumptions"), QStringLiteral("the constants that move the figures most"), {}};
    for (const Constant *constant : shownConstants(result.plan))
        section.blocks.push_back(constantBlock(*constant, result.plan));
    return section;
}

ReportSection definitionsSection(const Result &result) {
    ReportSection section{QStringLiteral("Words"), QString(), {}};
    for (const Definition &definition : definitions) {
        QString meaning = QString::fromUtf8(definition.meaning);
        if (text(definition.term) == QStringLiteral("H100-equivalents") && !result.cluster.definition.empty())
            meaning += QStringLiteral(" Threshold: ") + text(result.cluster.definition);
        section.blocks.push_back(definitionBlock(text(definition.term), meaning));
    }
    return section;
}

} // namespace meshwright
