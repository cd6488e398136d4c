// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/parameters_card.h"

#include "controls/fact_list.h"
#include "figures/figure_text.h"
#include "views/result_facts.h"

namespace meshwright {

ParametersCard::ParametersCard(QWidget *parent)
    : ResultCard(tr("Parameters"), parent)
    , m_facts(new FactList(this)) {
    setObjectName(QStringLiteral("parametersCard"));
    setBody(m_facts);
}

void ParametersCard::showResult(const Result &result) {
    const QString name = QString::fromStdString(result.plan.model.name);
    setSubtitle(name.isEmpty() ? tr("by module type") : name);
    m_facts->setFacts(parameterFacts(result));
}

} // namespace meshwright
