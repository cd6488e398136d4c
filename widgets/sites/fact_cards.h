// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "controls/fact_list.h"
#include "figures/sentence_text.h"
#include "sites/sites_run.h"

#include <vector>

namespace meshwright {

class FigureSentence;
struct Result;

class FactCard : public Card {
    Q_OBJECT

public:
    FactCard(const QString &title, const QString &subtitle, QWidget *parent = nullptr);
    void setFacts(const std::vector<Fact> &facts);
    struct Sentence {
        SentenceText text;
        ColourRole colour = ColourRole::Text2;
    };
    void setSentences(const std::vector<Sentence> &sentences);
    const std::vector<Fact> &facts() const { return m_facts->facts(); }

private:
    FactList *m_facts;
    std::vector<FigureSentence *> m_sentences;
};

void showQuality(FactCard &card, const SitesFacts &facts);
/// Shows aggregator memory and traffic, the cost of joining sites, and the availability of a quorum.
void showUpkeep(FactCard &card, const SitesFacts &facts);
/// Shows closed forms: the overlap that hides a fragment's round trip, and the link rate needed for a given
/// utilization.
void showGuards(FactCard &card, const SitesFacts &facts);
/// Shows the alternative of one pipeline across all sites instead of a replica per site.
void showPipelineInstead(FactCard &card, const Result &result);
/// Compares H100-equivalents with the threshold of a cluster definition, and shows how each part of the definition
/// applies.
void showDefinition(FactCard &card, const Result &result);

} // namespace meshwright
