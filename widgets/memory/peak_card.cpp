// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/peak_card.h"

#include "controls/card.h"
#include "controls/fact_list.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "memory/memory_list.h"
#include "timeline/time_ticks.h"
#include "views/view_mapping.h"

#include <QScrollArea>
#include <QVBoxLayout>

#include <cmath>

namespace meshwright {
namespace {

QString sentence(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

FigureRef ownFigure(const QString &name) {
    return FigureRef::ofView(name, FigureView::memory);
}

QString stagePath(int stage) {
    return QStringLiteral("memory.stages.%1.total_bytes").arg(stage);
}

} // namespace

PeakCard::PeakCard(QWidget *parent)
    : QWidget(parent)
    , m_card(new Card(tr("Peak memory"), {}, this))
    , m_operation(new TextLabel({}, TypeRole::Body, ColourRole::Text, TextWeight::SemiBold, this))
    , m_room(new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_kinds(new MemoryList(this))
    , m_figures(new FactList(this))
    , m_heading(new TextLabel(tr("Tensors"), TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this))
    , m_tensors(new MemoryList) {
    setFixedWidth(Width);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_card);
    m_operation->setWordWrap(true);
    m_operation->setObjectName(QStringLiteral("peakOperation"));
    showsNoFigures(m_operation, NotFigures::name);
    m_kinds->setAccessibleName(tr("Peak memory by kind"));
    m_tensors->setObjectName(QStringLiteral("peakTensors"));
    m_tensors->setAccessibleName(tr("Tensors at the peak"));
    auto *scroll = new QScrollArea(m_card);
    scroll->setWidget(m_tensors);
    scroll->setWidgetResizable(true);
    scroll->setAccessibleName(tr("Tensors at the peak"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    m_tensors->setAutoFillBackground(false);
    QVBoxLayout *content = m_card->contentLayout();
    content->addWidget(m_operation);
    content->addWidget(m_room);
    content->addWidget(m_kinds);
    content->addWidget(m_figures);
    content->addSpacing(4);
    content->addWidget(m_heading);
    content->addWidget(scroll, 1);
}

void PeakCard::showRun(const MemoryRun &run) {
    const StepMemory &memory = run.trace->memory();
    const MemoryPoint &peak = run.trace->peak();
    const double left = memory.capacity_bytes - peak.total();
    const QString when = timeText(peak.seconds, run.trace->whole());
    m_card->setSubtitle(filled(tr("%1 into the step"), said(when, ownFigure(QStringLiteral("peak_seconds")))));
    m_operation->setText(sentence(QString::fromStdString(memory.operation(memory.peak))));
    const QString total = figureText(peak.total(), Quantity::bytes);
    const QString room = figureText(std::abs(left), Quantity::bytes);
    m_room->setSentence(filled(left < 0 ? tr("%1, %2 over capacity") : tr("%1, %2 headroom"),
                               said(total, ownFigure(QStringLiteral("peak_bytes"))),
                               said(room, ownFigure(QStringLiteral("peak_room")))));
    m_room->setColour(left < 0 ? ColourRole::Bad : ColourRole::Text2);
    std::vector<MemoryEntry> kinds;
    for (std::size_t i = step_memory_kind_count; i-- > 0;) {
        const auto kind = static_cast<StepMemoryKind>(i);
        if (peak.bytes[i] > 0)
            kinds.push_back({stepMemoryKindText(kind), peak.bytes[i], stepMemoryColour(kind),
                             ownFigure(QStringLiteral("kind_%1").arg(i))});
    }
    m_kinds->setEntries(kinds);
    std::vector<MemoryEntry> tensors;
    for (const PeakTensors &held : memory.peak_tensors)
        tensors.push_back({QString::fromStdString(held.name), held.bytes, stepMemoryColour(held.kind),
                           ownFigure(QStringLiteral("tensors_%1").arg(tensors.size()))});
    m_tensors->setEntries(tensors);
}

void PeakCard::showPlan(const PlanView &view, const MemoryRun &run) {
    const auto rank = static_cast<std::size_t>(run.rank);
    const bool known = view.result != nullptr && view.valid && view.result->plan == run.plan
        && rank < view.result->memory.stages.size();
    std::vector<Fact> facts;
    if (known)
        facts.push_back(
            {.name = tr("Stage %1 in the memory model").arg(run.rank),
             .value = figureText(view.result->memory.stages[rank].total_bytes, Quantity::bytes),
             .toolTip =
                 tr("Peak memory of this rank in the memory model of the Plan view and the search, which treats each "
                    "forward and backward pass as a whole."),
             .figure = stagePath(run.rank)});
    m_figures->setFacts(facts);
    m_figures->setVisible(!facts.empty());
}

} // namespace meshwright
