// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/parameters_card.h"

#include "panels/fact_list.h"
#include "panels/figure_text.h"
#include "panels/result_facts.h"

namespace meshwright {

ParametersCard::ParametersCard(QWidget *parent)
    : ResultCard(tr("Parameters"), parent)
    , m_facts(new FactList(this)) {
    setObjectName(QStringLiteral("parametersCard"));
    connect(m_facts, &FactList::figureWanted, this, &ParametersCard::figureWanted);
    setBody(m_facts);
}

void ParametersCard::showResult(const Result &result) {
    const QString name = QString::fromStdString(result.plan.model.name);
    setSubtitle(name.isEmpty() ? tr("by what they are") : name);
    m_facts->setFacts(parameterFacts(result));
}

} // namespace meshwright
