// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/explain_side.h"

#include "charts/xy_chart.h"
#include "controls/card.h"
#include "explain/derivation_text.h"
#include "explain/explain.h"
#include "explain/influence_card.h"
#include "explain/node_card.h"
#include "explain/node_picture.h"
#include "explain/simulation_values.h"
#include "figures/figure_ref.h"
#include "theme/theme.h"

#include <QTimer>
#include <QVBoxLayout>

namespace meshwright {

ExplainSide::ExplainSide(QWidget *parent)
    : QWidget(parent)
    , m_late(new QTimer(this))
    , m_node(new NodeCard(this))
    , m_influences(new InfluenceCard(this))
    , m_curve(new Card(this))
    , m_chart(new XyChart(m_curve))
    , m_worker(
          this,
          [](const InfluenceQuestion &question, const std::stop_token &stop) {
              return meshwright::influences(question, stop);
          },
          [this](const std::vector<Influence> &influences) { receive(influences); })
    , m_curveWorker(
          this,
          [](const CurveQuestion &question, const std::stop_token &) {
              SimulationValues simulations(question.figure, {question.found.before, question.found.result},
                                           question.found.variedPlans);
              return figureCurve(question.nodes, &simulations);
          },
          [this](const std::optional<ChartView> &view) { showCurve(view); }) {
    m_curve->setObjectName(QStringLiteral("figureCurve"));
    m_curve->contentLayout()->addWidget(m_chart);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    for (QWidget *card :
         {static_cast<QWidget *>(m_node), static_cast<QWidget *>(m_influences), static_cast<QWidget *>(m_curve)}) {
        card->setAutoFillBackground(false);
        // Cards are no taller than their content.
        card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
        column->addWidget(card, 0, Qt::AlignTop);
    }
    column->addStretch(1);
    m_influences->hide();
    m_curve->hide();
    m_late->setSingleShot(true);
    m_late->setInterval(Theme::StaleAfter);
    connect(m_late, &QTimer::timeout, this, [this] { m_influences->showComputing(m_title); });
}

bool ExplainSide::isSettled() const {
    return !m_worker.isBusy() && !m_curveWorker.isBusy();
}

void ExplainSide::setFieldQuestion(const std::function<bool(const QString &)> &hasField) {
    m_node->setFieldQuestion(hasField);
    // An input of another plan has no field here, so pressing it opens the derivation of its effect.
    m_influences->setFieldQuestion(
        [this, hasField](const QString &pointer) { return isOfPresentPlan(m_figure) && hasField(pointer); });
}

void ExplainSide::showFigure(const FigureBook::Found &found, const FigureRef &figure) {
    const InfluenceQuestion &question = found.varied;
    const bool isShown = m_figure == figure && m_found.figure != nullptr && question == m_found.varied
        && found.figure->name == m_found.figure->name
        && (question.result != nullptr || found.figure->value == m_found.figure->value);
    m_found = found;
    if (isShown)
        return;
    m_figure = figure;
    m_title = titleOf(*m_found.figure);
    if (question.result == nullptr) {
        m_worker.cancel();
        receive({});
        return;
    }
    m_worker.ask(question);
    m_late->start();
}

void ExplainSide::receive(const std::vector<Influence> &influences) {
    m_late->stop();
    m_influences->showInfluences(m_title,
                                 influences.empty() ? shownInfluences(*m_found.figure, m_figure)
                                                    : shownInfluences(influences, m_found.varied, m_figure),
                                 preference_of(m_found.figure->name, m_found.figure->quantity));
}

void ExplainSide::showNode(const NodePath &path, bool elsewhere, const QString &fieldTitle) {
    m_node->showNode(*path.back(), elsewhere, fieldTitle);
    m_node->setParagraph(m_found.paragraphOf(*path.back()));
    m_node->setPicture(m_found.result == nullptr ? std::nullopt
                                                 : pictureOf(*path.back(), *m_found.tree, m_found.result->plan));
    m_curveWorker.cancel();
    if (passesSimulation(path) && m_found.result != nullptr) {
        showCurve(std::nullopt);
        m_curveWorker.ask({m_found, m_figure, path});
    } else {
        showCurve(figureCurve(path));
    }
}

void ExplainSide::showCurve(const std::optional<ChartView> &view) {
    m_curve->setVisible(view.has_value());
    if (!view)
        return;
    m_curve->setTitle(view->y.title);
    m_curve->setSubtitle(tr("vs. the selected quantity"));
    m_chart->setView(*view);
}

} // namespace meshwright
