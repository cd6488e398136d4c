// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/causes_card.h"

#include "compare/causes_model.h"
#include "compare/compared_plan.h"
#include "compare/waterfall_delegate.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "models/figure_table.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QStyle>

#include <algorithm>
#include <array>

namespace meshwright {

namespace {

struct CauseFigure {
    const char *path;
    const char *title;
};
/// The figures that the user can choose, in the order of caused_figure_paths().
constexpr std::array causeFigures{CauseFigure{"step.seconds", QT_TRANSLATE_NOOP("CausesCard", "Step time")},
                                  CauseFigure{"memory.peak_bytes", QT_TRANSLATE_NOOP("CausesCard", "Peak memory")},
                                  CauseFigure{"run.days", QT_TRANSLATE_NOOP("CausesCard", "Run time")},
                                  CauseFigure{"run.rental_dollars", QT_TRANSLATE_NOOP("CausesCard", "Rental cost")}};

constexpr int causeNameWidth = 216;
constexpr int causeValueWidth = 84;
/// Below this width the table shows only the effects in order; tool tips show the rest.
constexpr int allColumnsFrom = 560;

} // namespace

CausesCard::CausesCard(QWidget *parent)
    : Card(tr("What causes the difference"), {}, parent)
    , m_figure(new Segmented(this))
    , m_plan(new Segmented(this))
    , m_model(new CausesModel(this))
    , m_table(new FigureTable(this))
    , m_nothing(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this)) {
    setObjectName(QStringLiteral("causesCard"));
    for (const CauseFigure &figure : causeFigures)
        m_figure->addSegment(tr(figure.title));
    m_figure->setObjectName(QStringLiteral("causesFigure"));
    m_figure->setAccessibleName(tr("Figure to explain"));
    m_plan->setObjectName(QStringLiteral("causesPlan"));
    m_plan->setAccessibleName(tr("Plan to compare with plan A"));
    addTrailing(m_plan);
    auto *choice = new QHBoxLayout;
    choice->addWidget(m_figure);
    choice->addStretch(1);
    contentLayout()->addLayout(choice);
    m_table->setObjectName(QStringLiteral("causesTable"));
    m_table->setAccessibleName(tr("Effects of the changes from plan A to the other plan"));
    m_table->setModel(m_model);
    m_table->setItemDelegateForColumn(CausesModel::Bar, new WaterfallDelegate(m_table));
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(WaterfallDelegate::RowHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(false);
    contentLayout()->addWidget(m_table);
    m_nothing->setWordWrap(true);
    contentLayout()->addWidget(m_nothing);
    connect(m_figure, &Segmented::chosen, this, &CausesCard::choose);
    connect(m_plan, &Segmented::chosen, this, &CausesCard::choose);
}

void CausesCard::showComparison(const ComparisonPointer &run) {
    const int plans = run != nullptr ? static_cast<int>(run->comparison.results.size()) : 0;
    const int chosen = m_plan->currentIndex();
    m_run = run;
    if (m_plan->count() != plans - 1) {
        m_plan->clear();
        for (int plan = 1; plan < plans; ++plan)
            m_plan->addSegment(letterOf(plan), tr("Compare plan %1 with plan A").arg(letterOf(plan)));
        if (plans > 1)
            m_plan->setCurrentIndex(std::clamp(chosen, 0, plans - 2));
    }
    m_plan->setVisible(plans > 2);
    choose();
}

void CausesCard::chooseFigure(const QString &path) {
    for (std::size_t i = 0; i < causeFigures.size(); ++i)
        if (path == QLatin1String(causeFigures[i].path)) {
            m_figure->setCurrentIndex(static_cast<int>(i));
            choose();
        }
}

void CausesCard::choose() {
    const auto figure = static_cast<std::size_t>(std::max(0, m_figure->currentIndex()));
    const int plan = std::max(0, m_plan->currentIndex()) + 1;
    m_model->setComparison(m_run, QLatin1String(causeFigures[figure].path), plan);
    const bool shown = m_model->hasCauses();
    m_table->setVisible(shown);
    m_nothing->setVisible(!shown);
    m_nothing->setText(m_model->rowCount() == 0 ? tr("Only one of the two plans has this figure.")
                                                : tr("The two plans do not differ in this figure."));
    fitColumns();
}

void CausesCard::resizeEvent(QResizeEvent *event) {
    Card::resizeEvent(event);
    fitColumns();
}

void CausesCard::fitColumns() {
    if (m_model->columnCount() == 0)
        return;
    QHeaderView *header = m_table->horizontalHeader();
    const bool all = width() >= allColumnsFrom;
    m_table->setColumnHidden(CausesModel::Alone, !all);
    m_table->setColumnHidden(CausesModel::Interaction, !all);
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(CausesModel::Bar, QHeaderView::Stretch);
    header->resizeSection(CausesModel::Cause, std::min(causeNameWidth, width() / 3));
    for (const int column : {CausesModel::InOrder, CausesModel::Alone, CausesModel::Interaction})
        header->resizeSection(column, causeValueWidth);
    fitRows();
}

/// Makes each row high enough for its wrapped name. A group of fields that can only change together has a long name.
void CausesCard::fitRows() {
    const QFontMetrics metrics = m_table->fontMetrics();
    const int sides = 2 * (m_table->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, m_table) + 1);
    const QRect room(0, 0, std::max(1, m_table->columnWidth(CausesModel::Cause) - sides), QWIDGETSIZE_MAX);
    int height = m_table->horizontalHeader()->sizeHint().height() + 2;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QString title = m_model->index(row, CausesModel::Cause).data().toString();
        const int lines = metrics.boundingRect(room, Qt::TextWordWrap, title).height();
        const int more = std::max(0, lines - metrics.height());
        m_table->setRowHeight(row, WaterfallDelegate::RowHeight + more);
        height += WaterfallDelegate::RowHeight + more;
    }
    m_table->setFixedHeight(height);
}

} // namespace meshwright
