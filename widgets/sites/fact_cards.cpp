// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/fact_cards.h"

#include "canvases/axis.h"
#include "evaluate/result.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "glossary/term_text.h"
#include "outer/definition.h"
#include "outer/wan_pipeline.h"

#include <fmt/format.h>

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

QString textOf(const std::string &text) {
    QString read = QString::fromStdString(text);
    if (!read.isEmpty())
        read[0] = read[0].toUpper();
    return read;
}

QString rate(double value) {
    return std::isfinite(value) ? figureText(value, Quantity::bits_per_second)
                                : FactCard::tr("not reachable at any link rate");
}

QString seconds(double value) {
    return figureText(value, Quantity::seconds);
}

Fact opening(const char *figure, const QString &name, const QString &value, const QString &toolTip = {}) {
    return {name, value, ColourRole::Text, toolTip, QLatin1String(figure)};
}

/// An infinite link rate has no derivation.
Fact rateFact(const QString &figure, const QString &name, double value) {
    return {name, rate(value), ColourRole::Text, {}, std::isfinite(value) ? figure : QString()};
}

double tokensPerStep(const Plan &plan) {
    return static_cast<double>(plan.batch.global_sequences) * static_cast<double>(plan.batch.sequence_length);
}

} // namespace

FactCard::FactCard(const QString &title, const QString &subtitle, QWidget *parent)
    : Card(title, subtitle, parent)
    , m_facts(new FactList(this)) {
    contentLayout()->addWidget(m_facts);
    contentLayout()->addStretch(1);
}

void FactCard::setFacts(const std::vector<Fact> &facts) {
    m_facts->setFacts(facts);
}

void FactCard::setSentences(const std::vector<Sentence> &sentences) {
    while (m_sentences.size() < sentences.size()) {
        auto *label = new FigureSentence(TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this);
        contentLayout()->insertWidget(contentLayout()->count() - 1, label);
        m_sentences.push_back(label);
    }
    for (std::size_t i = 0; i < m_sentences.size(); ++i) {
        m_sentences[i]->setVisible(i < sentences.size());
        if (i >= sentences.size())
            continue;
        m_sentences[i]->setSentence(withTerms(sentences[i].text));
        m_sentences[i]->setColour(sentences[i].colour);
    }
}

void showQuality(FactCard &card, const SitesFacts &facts) {
    const OuterQuality &quality = facts.quality;
    if (quality.penalty_source.empty()) {
        card.setFacts({});
        card.setSentences({{FactCard::tr(
            "Synchronous data parallelism across sites trains the same model, so there is no loss penalty.")}});
        return;
    }
    const Suggestion &learning = quality.outer_learning_rate;
    const QString powerLaw = FactCard::tr(
        "Effective compute as a fraction of the run's compute, under the power law L ~ C^-0.0477 (arXiv 2503.09799)");
    const QString withFloor = FactCard::tr("Effective compute as a fraction of the run's compute, under a law with an "
                                           "irreducible loss: Besiroglu et al., arXiv 2404.10102");
    card.setFacts(
        {opening("outer.loss_penalty_low", FactCard::tr("Minimum loss penalty"), shareText(quality.penalty.low)),
         opening("outer.loss_penalty_high", FactCard::tr("Maximum loss penalty"), shareText(quality.penalty.high)),
         opening("outer.quality.power_law_worst", FactCard::tr("Effective compute (power law), worst case"),
                 shareText(quality.effective_by_power_law.low), powerLaw),
         opening("outer.quality.power_law_best", FactCard::tr("Effective compute (power law), best case"),
                 shareText(quality.effective_by_power_law.high), powerLaw),
         opening("outer.quality.with_a_floor_worst", FactCard::tr("Effective compute (irreducible loss), worst case"),
                 shareText(quality.effective_by_parametric_law.low), withFloor),
         opening("outer.quality.with_a_floor_best", FactCard::tr("Effective compute (irreducible loss), best case"),
                 shareText(quality.effective_by_parametric_law.high), withFloor),
         opening("outer.quality.learning_rate", FactCard::tr("Outer learning rate"),
                 QStringLiteral("%1, %2 … %3")
                     .arg(figureText(learning.value, Quantity::number), figureText(learning.low, Quantity::number),
                          figureText(learning.high, Quantity::number)),
                 QString::fromStdString(learning.source)),
         opening("outer.quality.batch_tokens", FactCard::tr("Optimal batch per site"),
                 FactCard::tr("%1 tokens, plan %2")
                     .arg(figureText(quality.batch_tokens, Quantity::tokens),
                          figureText(tokensPerStep(facts.question.plan), Quantity::tokens)),
                 FactCard::tr("From the joint scaling law of arXiv 2503.09799, fitted to smaller models"))});
    std::vector<FactCard::Sentence> sentences{
        {FactCard::tr("Source: %1.").arg(QString::fromStdString(quality.penalty_source))}};
    for (const Sentence &outside : quality.outside_evidence)
        sentences.push_back(
            {filled(FactCard::tr("Beyond published results: %1."), shownText(outside)), ColourRole::Warn});
    for (const std::string &text : quality.warnings)
        sentences.push_back({textOf(text) + QLatin1Char('.'), ColourRole::Bad});
    card.setSentences(sentences);
}

void showUpkeep(FactCard &card, const SitesFacts &facts) {
    const OuterRequirements &upkeep = facts.upkeep;
    std::vector<Fact> rows;
    if (facts.question.plan.aggregation.topology == Topology::star)
        rows = {
            opening("outer.upkeep.aggregator_memory_bytes", FactCard::tr("Memory per aggregator, FP32"),
                    figureText(upkeep.aggregator_memory_bytes, Quantity::bytes)),
            opening("outer.upkeep.mean_ingress", FactCard::tr("Mean ingress"),
                    rate(upkeep.mean_ingress_bits_per_second)),
            opening("outer.upkeep.mean_egress", FactCard::tr("Mean egress"), rate(upkeep.mean_egress_bits_per_second)),
            opening("outer.upkeep.aggregator_rate", FactCard::tr("Aggregators' rate, links saturated"),
                    rate(upkeep.aggregator_bits_per_second)),
            opening("outer.upkeep.egress_bytes", FactCard::tr("Egress over the run"),
                    figureText(upkeep.egress_bytes, Quantity::bytes)),
            opening("outer.upkeep.egress_dollars", FactCard::tr("Egress cost"),
                    figureText(upkeep.egress_dollars, Quantity::dollars))};
    std::vector<Fact> sites{
        opening("outer.upkeep.first_weights_seconds", FactCard::tr("Initial weight download"),
                seconds(upkeep.first_weights_seconds)),
        opening("outer.upkeep.rejoin_seconds", FactCard::tr("Rejoin time"), seconds(upkeep.rejoin_seconds))};
    if (upkeep.site_state_bytes > 0) {
        sites.push_back(opening("outer.upkeep.site_state_bytes", FactCard::tr("Outer state per site"),
                                figureText(upkeep.site_state_bytes, Quantity::bytes),
                                FactCard::tr("FP32 outer weights, momentum and, if enabled, error feedback")));
        sites.push_back(opening("outer.upkeep.host_bytes_per_second", FactCard::tr("Host bandwidth per device"),
                                figureText(upkeep.host_bytes_per_second, Quantity::bytes_per_second),
                                FactCard::tr("Bandwidth to read and write one fragment of the outer state per step")));
    }
    sites.push_back(
        opening("outer.upkeep.availability", FactCard::tr("Site availability"), shareText(upkeep.availability)));
    sites.push_back(opening("outer.upkeep.quorum_probability", FactCard::tr("Quorum availability"),
                            shareText(upkeep.quorum_probability)));
    sites.push_back(opening("outer.upkeep.availability_for_quorum", FactCard::tr("Site availability needed for quorum"),
                            shareText(upkeep.availability_for_quorum),
                            FactCard::tr("Site availability at which a quorum is available 99% of the time")));
    rows.insert(rows.end(), sites.begin(), sites.end());
    card.setFacts(rows);
}

void showGuards(FactCard &card, const SitesFacts &facts) {
    const OuterGuards &guards = facts.guards;
    std::vector<Fact> rows{
        opening("outer.closed_form.utilisation", FactCard::tr("Compute utilization"), shareText(guards.utilisation)),
        opening("outer.closed_form.utilisation_bound", FactCard::tr("Link limit"), shareText(guards.utilisation_bound),
                FactCard::tr("Maximum compute utilization that the links allow, with full overlap")),
        opening("outer.closed_form.lag_seconds", FactCard::tr("Fragment round trip"), seconds(guards.lag_seconds),
                FactCard::tr("Time from sending a fragment to receiving its average")),
        opening("outer.closed_form.overlap_steps", FactCard::tr("Overlap needed"),
                FactCard::tr("%1 steps").arg(countText(guards.least_overlap_steps)),
                FactCard::tr("Minimum overlap (tau) that hides the round trip of a fragment")),
        opening("outer.closed_form.inner_steps", FactCard::tr("Inner steps needed"),
                countText(guards.least_inner_steps),
                FactCard::tr("Minimum number of inner steps (H) that take at least as long as a round's transfers"))};
    for (const NeededRate &needed : guards.needed)
        rows.push_back(rateFact(
            QStringLiteral("outer.closed_form.needed_%1").arg(std::lround(100 * needed.utilisation)),
            FactCard::tr("Link rate for %1 utilization").arg(shareText(needed.utilisation)), needed.bits_per_second));
    card.setFacts(rows);
    card.setSentences(guards.disagreement.empty()
                          ? std::vector<FactCard::Sentence>{{FactCard::tr(
                              "The simulation and the closed form agree within two percentage points.")}}
                          : std::vector<FactCard::Sentence>{
                              {capitalised(shownText(guards.disagreement)) + QStringLiteral("."), ColourRole::Warn}});
}

void showPipelineInstead(FactCard &card, const Result &result) {
    const WanPipeline pipeline = wan_pipeline(result.plan, result.parameters.active, result.parameters.total,
                                              result.flops.per_step / result.step.seconds);
    card.setFacts({opening("outer.stage_a_site.utilisation", FactCard::tr("Maximum compute utilization"),
                           shareText(pipeline.utilisation)),
                   rateFact(QStringLiteral("outer.stage_a_site.needed"), FactCard::tr("Link rate for 90% utilization"),
                            pipeline.needed_bits_per_second),
                   opening("outer.stage_a_site.bytes", FactCard::tr("Activations per step, each way"),
                           figureText(pipeline.sent_bytes, Quantity::bytes)),
                   opening("outer.stage_a_site.seconds", FactCard::tr("Transfer time"), seconds(pipeline.seconds)),
                   opening("outer.stage_a_site.parameters", FactCard::tr("Parameters per site"),
                           figureText(pipeline.parameters, Quantity::parameters))});
    card.setSentences(
        {{FactCard::tr("With one pipeline stage per site, the model does not have to fit on a single site and there is "
                       "no loss penalty, but every step's activations cross every link in 16 bits.")},
         {FactCard::tr("Based on SWARM, arXiv 2301.11913. Warm-up, drain and site absences are not included."),
          ColourRole::Text3}});
}

void showDefinition(FactCard &card, const Result &result) {
    const ClusterEstimate &cluster = result.cluster;
    constexpr double many = 100;
    const auto equivalents = [](double value) { return fixedText(value, value < many ? 2 : 0); };
    card.setFacts({{FactCard::tr("Node"),
                    equivalents(cluster.node_h100_equivalents),
                    ColourRole::Text,
                    {},
                    QStringLiteral("cluster.node_h100_equivalents")},
                   {FactCard::tr("Site"),
                    equivalents(cluster.site_h100_equivalents),
                    ColourRole::Text,
                    {},
                    QStringLiteral("cluster.site_h100_equivalents")},
                   {FactCard::tr("All sites"),
                    equivalents(cluster.total_h100_equivalents),
                    ColourRole::Text,
                    {},
                    QStringLiteral("cluster.total_h100_equivalents")},
                   opening("cluster.threshold_h100_equivalents", FactCard::tr("Threshold"),
                           equivalents(cluster.threshold_h100_equivalents))});
    std::vector<FactCard::Sentence> sentences;
    for (const DefinitionPart &part :
         definition_parts(result.plan, cluster.site_h100_equivalents, cluster.total_h100_equivalents,
                          cluster.threshold_h100_equivalents))
        sentences.push_back({filled(QStringLiteral("%1: %2."), capitalised(shownText(part.part)), shownText(part.says)),
                             part.above ? ColourRole::Text : ColourRole::Text2});
    sentences.push_back({filled(FactCard::tr("%1. For information only, not an optimization objective."),
                                shownText(cluster.definition)),
                         ColourRole::Text3});
    card.setSentences(sentences);
}

} // namespace meshwright
