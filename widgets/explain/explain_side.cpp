// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/explain_side.h"

#include "controls/card.h"
#include "explain/derivation_words.h"
#include "explain/influence_card.h"
#include "explain/influence_runner.h"
#include "explain/node_card.h"
#include "theme/theme.h"

#include <QTimer>
#include <QVBoxLayout>

namespace meshwright {

ExplainSide::ExplainSide(QWidget *parent)
    : QWidget(parent)
    , m_runner(new InfluenceRunner(this))
    , m_late(new QTimer(this))
    , m_node(new NodeCard(this))
    , m_influences(new InfluenceCard(this))
    , m_curve(new Card(this))
    , m_chart(new LineChart(m_curve)) {
    m_curve->setObjectName(QStringLiteral("figureCurve"));
    m_curve->contentLayout()->addWidget(m_chart);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    for (QWidget *card :
         {static_cast<QWidget *>(m_node), static_cast<QWidget *>(m_influences), static_cast<QWidget *>(m_curve)}) {
        card->setAutoFillBackground(false);
        // A short card stays as high as what it says.
        card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
        column->addWidget(card, 0, Qt::AlignTop);
    }
    column->addStretch(1);
    m_influences->hide();
    m_curve->hide();
    m_late->setSingleShot(true);
    m_late->setInterval(Theme::StaleAfter);
    connect(m_late, &QTimer::timeout, this, [this] { m_influences->showComputing(m_title); });
    connect(m_runner, &InfluenceRunner::answered, this, [this](const std::vector<Influence> &influences) {
        m_late->stop();
        m_influences->showInfluences(m_title, influences);
    });
}

bool ExplainSide::isSettled() const {
    return !m_runner->isBusy();
}

void ExplainSide::setFieldQuestion(const std::function<bool(const QString &)> &hasField) {
    m_node->setFieldQuestion(hasField);
    m_influences->setFieldQuestion(hasField);
}

void ExplainSide::showFigure(const std::shared_ptr<const Result> &result, const Derivation &figure) {
    if (result == m_result && figure.name == m_figure)
        return;
    m_result = result;
    m_figure = figure.name;
    m_title = titleOf(figure);
    if (!result || !figure_value(*result, figure.name)) {
        m_runner->forget();
        m_late->stop();
        m_influences->showInfluences(m_title, {});
        return;
    }
    m_runner->ask(result, figure.name);
    m_late->start();
}

void ExplainSide::showNode(const NodePath &path, bool elsewhere) {
    m_node->showNode(*path.back(), elsewhere);
    const std::optional<LineChartView> view = figureCurve(path);
    m_curve->setVisible(view.has_value());
    if (!view)
        return;
    m_curve->setTitle(view->y.title);
    m_curve->setSubtitle(tr("against this"));
    m_chart->setView(*view);
}

} // namespace meshwright
