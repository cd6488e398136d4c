// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plot_card.h"

#include "catalog/library.h"
#include "charts/xy_chart.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "input/diagnostic.h"
#include "plots/plot_chart.h"

#include <QVBoxLayout>

namespace meshwright {

namespace {
constexpr QSize leastChart{280, 140};
} // namespace

PlotCard::PlotCard(const Library &library, QWidget *parent)
    : Card(parent)
    , m_caption(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_chart(new XyChart(this))
    , m_source(new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this))
    , m_worker(std::make_unique<LatestWorker<Question, Answer>>(
          this,
          [&library](const Question &question, const std::stop_token &stop) {
              try {
                  const Plan none;
                  const Plan &plan = question.plan ? *question.plan : none;
                  return std::make_shared<const Plot>(
                      plot_of(question.name, {.plan = plan, .library = library, .stop = stop}));
              } catch (const InputError &error) {
                  Plot plot{.name = question.name, .title = std::string(title_of_plot(question.name))};
                  plot.problem = error.what();
                  return std::make_shared<const Plot>(std::move(plot));
              }
          },
          [this](const Answer &answer) { receive(answer); })) {
    setObjectName(QStringLiteral("plotCard"));
    // The values of a plot belong to many runs or configurations, not to the plan.
    showsNoFigures(this, NotFigures::statistic);
    m_caption->setWordWrap(true);
    m_source->setWordWrap(true);
    m_chart->setObjectName(QStringLiteral("plotChart"));
    m_chart->setStretching(leastChart);
    contentLayout()->addWidget(m_caption);
    contentLayout()->addWidget(m_chart, 1);
    contentLayout()->addWidget(m_source);
}

PlotCard::~PlotCard() = default;

void PlotCard::showPlot(const std::string &name, const Plan *plan) {
    Question question{.name = name, .plan = {}};
    const bool isOfPlan = is_plot_of_plan(name);
    if (isOfPlan && plan != nullptr)
        question.plan = *plan;
    if (m_question == question)
        return;
    if (!m_question || m_question->name != name) {
        const std::string_view title = title_of_plot(name);
        setTitle(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())));
        m_caption->clear();
        m_source->clear();
        ChartView waiting;
        waiting.nothing = isOfPlan && plan == nullptr ? tr("This plan cannot be evaluated.") : tr("Calculating …");
        m_chart->setView(waiting);
    }
    m_question = question;
    if (isOfPlan && plan == nullptr)
        m_worker->cancel();
    else
        m_worker->ask(question);
}

void PlotCard::receive(const Answer &answer) {
    m_plot = answer;
    m_caption->setText(QString::fromStdString(m_plot->caption));
    m_source->setText(tr("Source: %1").arg(QString::fromStdString(m_plot->source)));
    m_source->setVisible(!m_plot->source.empty());
    m_chart->setView(plotChart(*m_plot));
}

} // namespace meshwright
