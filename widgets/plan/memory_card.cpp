// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/memory_card.h"

#include "canvases/legend.h"
#include "canvases/memory_bars.h"
#include "controls/small_marks.h"
#include "figures/figure_label.h"
#include "figures/figure_text.h"
#include "theme/control_states.h"
#include "views/view_mapping.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace meshwright {

MemoryCard::MemoryCard(QWidget *parent)
    : ResultCard(tr("Memory per accelerator"), parent)
    , m_bars(new MemoryBars(this))
    , m_fit(new QPushButton(tr("Minimal changes that fit …"), this))
    , m_hostRow(new QWidget(this))
    , m_host(new FigureLabel(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this)) {
    setObjectName(QStringLiteral("memoryCard"));
    m_bars->setObjectName(QStringLiteral("memoryBars"));
    m_fit->setObjectName(QStringLiteral("smallestFit"));
    setButtonRole(m_fit, ButtonRole::Primary);
    m_fit->hide();
    reserveHeading(m_fit->sizeHint().height());
    connect(m_fit, &QPushButton::clicked, this, &MemoryCard::smallestFitWanted);

    auto *legend = new Legend(this);
    connect(m_bars, &StackedBars::legendChanged, legend, &Legend::setEntries);
    addTrailing(m_fit); // before the legend, so that the legend does not move with the button
    addLegend(legend);

    auto *host = new QHBoxLayout(m_hostRow);
    host->setContentsMargins(0, 0, 0, 0);
    host->setSpacing(8);
    host->addWidget(new IconLabel(QStringLiteral("hint"), ColourRole::Text3, 16, m_hostRow));
    host->addWidget(m_host, 1);
    m_host->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);

    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_bars);
    column->addWidget(m_hostRow);
    setBody(body);
}

void MemoryCard::setFixable(bool fixable) {
    m_fixable = fixable;
    m_fit->setVisible(fixable && !m_fits);
}

void MemoryCard::setMaxBarsHeight(int height) {
    m_bars->setMaxHeight(height);
}

void MemoryCard::setCompact(bool compact) {
    m_compact = compact;
    m_hostRow->setVisible(m_usesHost && !m_compact);
}

void MemoryCard::showResult(const Result &result) {
    setSubtitle(result.memory.stages.size() == 1 ? tr("at the peak") : tr("by stage, at the peak"));
    m_bars->setView(memoryBarsView(result.memory));
    m_fits = result.verdict.fits;
    setFixable(m_fixable);
    showHost(result);
}

void MemoryCard::showHost(const Result &result) {
    const double used = result.memory.host_bytes;
    m_usesHost = used > 0;
    m_hostRow->setVisible(m_usesHost && !m_compact);
    const double host = result.plan.cluster.accelerator.host_memory_bytes;
    const QString amount = figureText(used, Quantity::bytes);
    m_host->setFigure(
        host > 0 ? tr("Host memory holds %1 of %2 per accelerator.").arg(amount, figureText(host, Quantity::bytes))
                 : tr("Host memory holds %1 per accelerator.").arg(amount),
        QStringLiteral("memory.host_bytes"));
}

} // namespace meshwright
