// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/details_column.h"

#include "controls/folding_section.h"
#include "controls/pill.h"
#include "figures/figure_text.h"
#include "panels/snapshot_list.h"
#include "views/result_facts.h"

#include <QUndoStack>
#include <QUndoView>
#include <QVBoxLayout>

namespace meshwright {

namespace {
constexpr int historyHeight = 176;
}

DetailsColumn::DetailsColumn(QUndoStack *history, QWidget *parent)
    : FoldingColumn({QStringLiteral("betweenSites"), QStringLiteral("runFacts"), QStringLiteral("speed"),
                     QStringLiteral("history"), QStringLiteral("pipeline"), QStringLiteral("threshold")},
                    parent)
    , m_staleRow(new QWidget(this))
    , m_stale(new Pill(tr("stale: from the last valid plan"), Tone::Warn, m_staleRow)) {
    m_stale->setIconName(QStringLiteral("warn"));
    auto *note = new QVBoxLayout(m_staleRow);
    note->setContentsMargins(16, 8, 16, 0);
    note->addWidget(m_stale, 0, Qt::AlignLeft);
    m_staleRow->hide();
    column()->addWidget(m_staleRow);
    addFacts(QStringLiteral("betweenSites"), tr("Outer optimizer"), QStringLiteral("sites"), betweenSitesFacts);
    addFacts(QStringLiteral("speed"), tr("Speed"), QStringLiteral("gauge"), speedFacts);
    addFacts(QStringLiteral("pipeline"), tr("Pipeline"), QStringLiteral("pipeline"), pipelineFacts);
    addFacts(QStringLiteral("runFacts"), tr("Run"), QStringLiteral("calendar"), runFacts);
    addFacts(QStringLiteral("threshold"), tr("H100-equivalents"), QStringLiteral("chip"), clusterFacts);
    addHistory(history);
    column()->addStretch(1);
}

void DetailsColumn::addFacts(const QString &name, const QString &title, const QString &icon, Facts facts) {
    FoldingSection *section = addSection(name, title, icon);
    auto *list = new FactList(section);
    section->contentLayout()->addWidget(list);
    m_parts.push_back({section, list, std::move(facts)});
}

void DetailsColumn::addHistory(QUndoStack *history) {
    FoldingSection *section = addSection(QStringLiteral("history"), tr("History"), QStringLiteral("undo"));
    auto *list = new QUndoView(history, section);
    list->setObjectName(QStringLiteral("history"));
    list->setAccessibleName(tr("Edit history; choose an entry to return to it"));
    list->setEmptyLabel(tr("As opened"));
    list->setFrameShape(QFrame::NoFrame);
    list->setFixedHeight(historyHeight);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setTextElideMode(Qt::ElideRight);
    section->contentLayout()->addWidget(list);
    m_snapshots = new SnapshotList(section);
    section->contentLayout()->addWidget(m_snapshots);
    const auto count = [section, history] {
        section->setSummary(history->count() == 1 ? tr("1 edit") : tr("%1 edits").arg(history->count()));
    };
    connect(history, &QUndoStack::indexChanged, this, count);
    count();
}

void DetailsColumn::showPlan(const PlanView &view) {
    const bool stale = view.result != nullptr && isStale(view.freshness);
    // During an evaluation, only the tint marks the figures as stale, because a row that appears and disappears would
    // move the facts.
    m_staleRow->setVisible(view.result != nullptr && view.freshness == Freshness::Invalid);
    for (const Part &part : m_parts)
        part.list->setEnabled(!stale);
    if (m_everShown && view.result == m_shown)
        return;
    m_everShown = true;
    m_shown = view.result;
    for (const Part &part : m_parts) {
        const std::vector<Fact> facts = m_shown ? part.facts(*m_shown) : std::vector<Fact>();
        part.section->setVisible(!facts.empty());
        part.list->setFacts(facts);
    }
    if (m_shown)
        summarise(*m_shown);
}

void DetailsColumn::summarise(const Result &result) {
    for (const Part &part : m_parts) {
        const QString name = part.section->objectName();
        if (name == QStringLiteral("betweenSites") && result.outer)
            part.section->setSummary(tr("utilization %1").arg(shareText(result.outer->utilisation)), Tone::Neutral,
                                     QStringLiteral("outer.utilisation"));
        else if (name == QStringLiteral("speed"))
            part.section->setSummary(tr("MFU %1").arg(shareText(result.step.mfu)), Tone::Neutral,
                                     QStringLiteral("step.mfu"));
        else if (name == QStringLiteral("pipeline"))
            part.section->setSummary(tr("idle %1").arg(shareText(result.pipeline.idle_of_all_ranks)), Tone::Neutral,
                                     QStringLiteral("pipeline.idle_of_all_ranks"));
        else if (name == QStringLiteral("runFacts"))
            part.section->setSummary(figureText(result.run.seconds, Quantity::seconds), Tone::Neutral,
                                     QStringLiteral("run.seconds"));
        else if (name == QStringLiteral("threshold"))
            part.section->setSummary(plainText(result.cluster.total_h100_equivalents), Tone::Neutral,
                                     QStringLiteral("cluster.total_h100_equivalents"));
    }
}

} // namespace meshwright
