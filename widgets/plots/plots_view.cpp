// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plots_view.h"

#include "catalog/library.h"
#include "charts/xy_chart.h"
#include "controls/segmented.h"
#include "plots/plot_card.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <array>

namespace meshwright {

namespace {

/// Short titles, in the order of plot_names().
constexpr std::array shortTitles{
    QT_TRANSLATE_NOOP("PlotsView", "Measured runs"), QT_TRANSLATE_NOOP("PlotsView", "Best configuration"),
    QT_TRANSLATE_NOOP("PlotsView", "Compute by date"), QT_TRANSLATE_NOOP("PlotsView", "Synchronization"),
    QT_TRANSLATE_NOOP("PlotsView", "Bubble")};

} // namespace

PlotsView::PlotsView(const Library &library, QWidget *parent)
    : View({.name = QStringLiteral("plotsView"),
            .title = tr("Plots"),
            .icon = QStringLiteral("plots"),
            .docks = Docks::Hidden,
            .keys = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
           parent)
    , m_pages(new Segmented(this))
    , m_card(new PlotCard(library, this)) {
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(16, 12, 16, 16);
    whole->setSpacing(12);
    m_pages->setObjectName(QStringLiteral("plotPages"));
    m_pages->setAccessibleName(tr("Plot"));
    for (std::size_t i = 0; i < shortTitles.size(); ++i) {
        const std::string_view title = title_of_plot(plot_names()[i]);
        m_pages->addSegment(tr(shortTitles.at(i)),
                            QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())));
    }
    auto *row = new QHBoxLayout;
    row->addWidget(m_pages);
    row->addStretch(1);
    whole->addLayout(row);
    whole->addWidget(m_card, 1);
    connect(m_pages, &Segmented::currentChanged, this, &PlotsView::showPlot);
}

void PlotsView::showPlan(const PlanView &view) {
    m_view = view;
    if (isVisible())
        showPlot();
}

void PlotsView::showEvent(QShowEvent *event) {
    View::showEvent(event);
    showPlot();
}

void PlotsView::showPlot() {
    const auto page = static_cast<std::size_t>(m_pages->currentIndex());
    m_card->showPlot(plot_names()[page], m_view.result != nullptr ? &m_view.result->plan : nullptr);
}

void PlotsView::takeFocus() {
    m_card->chart()->setFocus();
}

bool PlotsView::isSettled() const {
    return !m_card->isBusy() && m_card->plot() != nullptr;
}

} // namespace meshwright
