// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/sites_card.h"

#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "sites/sites_legend.h"
#include "sites/sites_question.h"
#include "theme/theme.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_canvas.h"

#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {
constexpr std::size_t maxSites = 4;
constexpr int rowsHeight = 216; ///< height of four sites with their links, plus the ruler
} // namespace

SitesCard::SitesCard(QWidget *parent)
    : ResultCard(tr("Sites"), parent)
    , m_axis(new TimelineAxis(this))
    , m_worker(this, drawSites, [this](const DrawnSites &drawn) { receive(drawn); }) {
    setObjectName(QStringLiteral("sitesCard"));
    auto *open = new LinkButton(tr("open view"), this);
    open->setAccessibleName(tr("Open the Sites view"));
    open->setTrailingIcon(QStringLiteral("chevr"));
    addTrailing(open);
    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_canvas = new TimelineCanvas(m_axis, TimelineCanvas::Ruler::Shown, body);
    m_canvas->setAccessibleName(tr("Sample of sites: steps, uplink and downlink"));
    m_canvas->setFixedHeight(rowsHeight);
    m_canvas->setCrowdedRows(CrowdedRows::Squeeze);
    m_canvas->setDescribe([this](SpanIndex span) {
        return m_run == nullptr ? HoverContent{}
                                : describeSite(*m_run, m_rows, span, m_axis->visible(), Theme::of(this));
    });
    m_note = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, body);
    m_note->setWordWrap(true);
    showsNoFigures(m_note, NotFigures::name);
    m_note->hide();
    m_legend = new SitesLegend(body);
    column->addWidget(m_canvas);
    column->addWidget(m_note);
    column->addWidget(m_legend);
    setBody(body);
    hide();
    connect(open, &QAbstractButton::clicked, this, &SitesCard::viewWanted);
}

void SitesCard::showPlan(const PlanView &view) {
    ResultCard::showPlan(view);
    setVisible(view.result != nullptr && view.result->outer.has_value());
}

void SitesCard::showResult(const Result &result) {
    setSubtitle(tr("one round of a sample of sites, simulated"));
    const std::optional<SitesQuestion> question = sitesQuestionOf(result);
    if (question == m_question)
        return;
    m_question = question;
    m_asked = !question;
    m_canvas->setEnabled(false); // the drawing shows the previous plan
    if (isVisible())
        ask();
}

void SitesCard::showEvent(QShowEvent *event) {
    ResultCard::showEvent(event);
    ask();
}

void SitesCard::setHeld(bool held) {
    m_held = held;
    if (isVisible())
        ask();
}

void SitesCard::ask() {
    if (m_asked || m_held || !m_question)
        return;
    m_asked = true;
    m_worker.ask(*m_question);
}

void SitesCard::receive(const DrawnSites &drawn) {
    if (drawn.run == nullptr)
        return;
    m_run = drawn.run;
    m_canvas->setEnabled(true);
    m_canvas->setVisible(m_run->drawable);
    m_legend->setVisible(m_run->drawable);
    m_note->setVisible(!m_run->drawable);
    m_note->setText(tr("A round has too many transfers to draw; the Sites view has the figures."));
    if (!m_run->drawable)
        return;
    m_rows = closeTimelineOf(*m_run, sitesToShow(*m_run, maxSites));
    m_axis->setWhole(drawn.all.model->whole);
    if (m_run->roundStarts.size() > 1)
        m_axis->show({0, m_run->roundStarts[1]});
    m_legend->setAbsences(m_run->question.plan.faults.site_mtbf_seconds.has_value());
    m_canvas->setModel(m_rows.model);
}

} // namespace meshwright
