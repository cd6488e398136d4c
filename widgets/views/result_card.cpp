// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/result_card.h"

#include "controls/pill.h"

#include <QGraphicsOpacityEffect>
#include <QVBoxLayout>

namespace meshwright {

namespace {
constexpr qreal staleOpacity = 0.55;
}

ResultCard::ResultCard(const QString &title, QWidget *parent)
    : Card(title, {}, parent)
    , m_note(new Pill(tr("stale: from the last valid plan"), Tone::Warn, this)) {
    m_note->setIconName(QStringLiteral("warn"));
    m_note->hide();
    addTrailing(m_note);
}

void ResultCard::setBody(QWidget *body) {
    m_body = body;
    contentLayout()->addWidget(body);
    body->hide();
}

void ResultCard::addLegend(QWidget *legend) {
    m_legend = legend;
    addTrailing(legend);
    legend->hide();
}

void ResultCard::showPlan(const PlanView &view) {
    if (m_body != nullptr)
        m_body->setVisible(view.result != nullptr);
    if (m_legend != nullptr)
        m_legend->setVisible(view.result != nullptr);
    if (view.result == nullptr)
        setSubtitle(tr("appears with the first valid plan"));
    else if (view.result != m_shown)
        showResult(*view.result);
    m_shown = view.result;
    setStale(view.result != nullptr ? view.freshness : Freshness::Fresh);
}

void ResultCard::setStale(Freshness freshness) {
    const bool stale = meshwright::isStale(freshness);
    // While an evaluation runs, only the tint marks the content as stale. A note that comes and goes would move its
    // neighbors.
    m_note->setVisible(freshness == Freshness::Invalid);
    if (stale == m_stale)
        return;
    m_stale = stale;
    if (m_body == nullptr)
        return;
    if (stale) {
        auto *effect = new QGraphicsOpacityEffect(m_body);
        effect->setOpacity(staleOpacity);
        m_body->setGraphicsEffect(effect);
    } else {
        m_body->setGraphicsEffect(nullptr);
    }
}

} // namespace meshwright
