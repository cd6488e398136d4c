// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/step_card.h"

#include "canvases/legend.h"
#include "canvases/step_bar.h"
#include "figures/figure_text.h"
#include "views/view_mapping.h"

namespace meshwright {

StepCard::StepCard(QWidget *parent)
    : ResultCard(tr("Step time"), parent)
    , m_bar(new StepBar(this)) {
    setObjectName(QStringLiteral("stepCard"));
    m_bar->setObjectName(QStringLiteral("stepBar"));
    auto *legend = new Legend(this);
    connect(m_bar, &StackedBars::legendChanged, legend, &Legend::setEntries);
    addLegend(legend);
    setBody(m_bar);
}

void StepCard::showResult(const Result &result) {
    setSubtitle(filled(tr("terms add up to %1; overlap already subtracted"),
                       said(figureText(result.step.seconds, Quantity::seconds), "step.seconds")));
    m_bar->setView(stepBarView(result));
}

} // namespace meshwright
