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

/// Facts, and under them sentences.
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

/// What the outer loop means for the model, with where that is known from.
void showQuality(FactCard &card, const SitesFacts &facts);
/// Aggregators, the way in for sites, and a quorum's chances.
void showUpkeep(FactCard &card, const SitesFacts &facts);
/// The closed forms: what hides a fragment's way, and the link's rate for a share of the time.
void showGuards(FactCard &card, const SitesFacts &facts);
/// One pipeline over all sites in place of a copy of the model on each.
void showPipelineInstead(FactCard &card, const Result &result);
/// H100-equivalents against a definition of a cluster, and what its parts say of this plan.
void showDefinition(FactCard &card, const Result &result);

} // namespace meshwright
