// SPDX-License-Identifier: GPL-3.0-or-later
#include "status_line.h"

#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "evaluate/verdict.h"
#include "figures/figure_event.h"
#include "figures/figure_sentence.h"

#include <QHBoxLayout>

namespace meshwright {

StatusLine::StatusLine(QWidget *parent)
    : QWidget(parent)
    , m_dot(new StatusDot(Tone::Neutral, this))
    , m_text(new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this))
    , m_summary(new FigureSentence(TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this)) {
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 0, 16, 0);
    row->setSpacing(8);
    m_summary->setElided(true);
    row->addWidget(m_dot);
    row->addWidget(m_text);
    row->addSpacing(16);
    row->addWidget(m_summary, 1);
    m_text->setObjectName(QStringLiteral("freshness"));
    showsNoFigures(m_text, NotFigures::statistic);
    m_summary->setObjectName(QStringLiteral("statusSummary"));
}

void StatusLine::showPlan(const PlanView &view) {
    switch (view.freshness) {
    case Freshness::Fresh:
        m_dot->setTone(Tone::Good);
        m_text->setText(tr("Up to date, evaluated in %1 ms").arg(view.milliseconds, 0, 'f', 1));
        break;
    case Freshness::Computing:
    case Freshness::Late:
        m_dot->setTone(Tone::Warn);
        m_text->setText(tr("Computing"));
        break;
    case Freshness::Invalid:
        m_dot->setTone(Tone::Bad);
        m_text->setText(view.result ? tr("Stale: showing the last valid plan") : tr("This plan cannot be evaluated"));
        break;
    }
    if (view.result)
        m_summary->setSentence(shownText(view.result->verdict.summary));
    else
        m_summary->setSentence({});
}

QString StatusLine::text() const {
    return m_text->text();
}

} // namespace meshwright
