// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets of the compare view, and the distribution of the view's width among them.
#include "canvases/legend.h"
#include "canvases/memory_bars.h"
#include "canvases/step_bar.h"
#include "compare/causes_card.h"
#include "compare/compare_view.h"
#include "compare/compared_bars.h"
#include "compare/fields_model.h"
#include "compare/figure_cell_delegate.h"
#include "compare/figures_model.h"
#include "compare/invitation.h"
#include "compare/plan_header.h"
#include "compare/plan_heads.h"
#include "compare/timelines_card.h"
#include "controls/page_scroll.h"
#include "controls/pill.h"
#include "controls/text_label.h"
#include "controls/toggle_switch.h"
#include "figures/figure_event.h"
#include "models/figure_table.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "views/view_mapping.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int twoColumnsFrom = 1180;
constexpr int figureNameWidth = 216; ///< pixels for the longest name of a figure
constexpr int narrowNameWidth = 168; ///< name width in pixels if five plans share a small window
constexpr int leastPlanWidth = 96; ///< pixels for the value and the change of a figure
constexpr int tableMargins = 60; ///< total space between the view's edges and the table, left and right
constexpr int fieldNameWidth =
    232; ///< minimum width in pixels; longer names get width that the plan columns do not need
constexpr int nameSides = 16;
constexpr int fieldRowHeight = 26;
constexpr int maxFieldRows = 18; ///< maximum number of rows before the table scrolls
constexpr int maxBarsHeight = 320;

void prepareTable(QTableView *table, const QString &name, int rowHeight) {
    table->setAccessibleName(name);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setHorizontalHeader(new PlanHeader(table));
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
}

/// @param room  width of the whole table
void shareWidth(QTableView *table, int nameWidth, int room) {
    auto *header = static_cast<PlanHeader *>(table->horizontalHeader());
    if (header->count() == 0)
        return;
    header->fitPlans((room - nameWidth) / std::max(1, header->count() - 1));
    header->setSectionResizeMode(QHeaderView::Stretch);
    header->setSectionResizeMode(0, QHeaderView::Fixed);
    header->resizeSection(0, nameWidth);
}

} // namespace

QWidget *CompareView::newToolbar() {
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(new TextLabel(tr("Compare"), TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, bar));
    m_state = new Pill(tr("comparing"), Tone::Neutral, bar);
    m_state->hide();
    row->addWidget(m_state);
    row->addStretch(1);
    auto *label = new TextLabel(tr("Differences only"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, bar);
    m_onlyLabel = label;
    m_only = new ToggleSwitch(label->text(), bar);
    m_only->setObjectName(QStringLiteral("differencesOnly"));
    m_only->setCheckable(true);
    m_only->setToolTip(tr("Hide figures that are the same in all plans"));
    row->addWidget(label);
    row->addWidget(m_only);
    row->addSpacing(8);
    m_ready = new QPushButton(tr("Ready-Made Comparisons"), bar);
    m_ready->setObjectName(QStringLiteral("readyComparisons"));
    m_ready->setMenu(m_tradeOffMenu);
    m_ready->setAutoDefault(false);
    setButtonRole(m_ready, ButtonRole::Outline);
    for (const TradeOff which : allTradeOffs) {
        QAction *action = m_tradeOffMenu->addAction(titleOf(which));
        action->setToolTip(descriptionOf(which));
        connect(action, &QAction::triggered, this, [this, which] { openTradeOff(which); });
    }
    m_add = new QPushButton(icons::icon(QStringLiteral("plus")), tr("Add Plan"), bar);
    m_add->setObjectName(QStringLiteral("addComparedPlan"));
    m_add->setMenu(m_addMenu);
    m_add->setAutoDefault(false);
    setButtonRole(m_add, ButtonRole::Outline);
    row->addWidget(m_ready);
    row->addWidget(m_add);
    return bar;
}

void CompareView::prepareTables() {
    m_figuresTable = new FigureTable(m_content);
    m_figuresTable->setObjectName(QStringLiteral("comparedFigures"));
    m_figuresTable->setModel(m_figures);
    m_figuresTable->setItemDelegate(new FigureCellDelegate(m_figuresTable));
    m_figuresTable->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    prepareTable(m_figuresTable, tr("Figures of the compared plans"), FigureCellDelegate::RowHeight);
    m_figuresTable->setWordWrap(true); // a figure's name may take two lines
    m_fieldsTable = new FiguresTable(m_content);
    m_fieldsTable->setObjectName(QStringLiteral("comparedFields"));
    m_fieldsTable->setModel(m_fields);
    m_fieldsTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    prepareTable(m_fieldsTable, tr("Fields that differ"), fieldRowHeight);
    connect(m_fieldsTable, &QTableView::activated, this, &CompareView::openField);
}

void CompareView::buildCards() {
    prepareTables();
    auto *figuresCard = new Card(tr("Figures"), tr("change from plan A; bars on one scale per row"), m_content);
    figuresCard->contentLayout()->addWidget(m_figuresTable);
    m_fieldsCard = new Card(tr("Fields that differ"), {}, m_content);
    m_fieldsCard->contentLayout()->addWidget(m_fieldsTable);
    m_causes = new CausesCard(m_content);
    m_memory = new MemoryBars(m_content);
    m_memory->setAccessibleName(tr("Memory per accelerator of the compared plans"));
    m_memory->setMaxHeight(maxBarsHeight);
    m_steps = new StepBar(m_content);
    m_steps->setAccessibleName(tr("Step time of the compared plans, by term"));
    m_steps->setMaxHeight(maxBarsHeight);
    auto *memoryCard = new Card(tr("Memory per accelerator"), tr("each plan's stage with the highest peak"), m_content);
    memoryCard->contentLayout()->addWidget(m_memory);
    auto *stepCard =
        new Card(tr("Step time"), tr("terms add up to the step time; only exposed communication counts"), m_content);
    stepCard->contentLayout()->addWidget(m_steps);
    const auto addLegend = [](Card *card, StackedBars *bars) {
        auto *legend = new Legend(card);
        connect(bars, &StackedBars::legendChanged, legend, &Legend::setEntries);
        card->addTrailing(legend);
    };
    addLegend(memoryCard, m_memory);
    addLegend(stepCard, m_steps);
    m_timelines = new TimelinesCard(m_content);

    m_columns = new QBoxLayout(QBoxLayout::TopToBottom);
    m_columns->setSpacing(12);
    auto *left = new QVBoxLayout;
    left->setSpacing(12);
    left->addWidget(figuresCard);
    left->addWidget(m_fieldsCard);
    left->addStretch(1);
    auto *right = new QVBoxLayout;
    right->setSpacing(12);
    right->addWidget(stepCard);
    right->addWidget(memoryCard);
    right->addWidget(m_causes);
    right->addWidget(m_timelines);
    right->addStretch(1);
    m_columns->addLayout(left, 1);
    m_columns->addLayout(right, 1);
    auto *page = new QVBoxLayout(m_content);
    page->setContentsMargins(0, 0, 4, 0);
    page->addLayout(m_columns);
    scrollPage(m_scroll, m_content);
    m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // the width of the scroll bar is always reserved
    m_scroll->hide();
}

void CompareView::connectParts() {
    connect(m_only, &QAbstractButton::toggled, this, [this](bool only) {
        m_figures->setDifferencesOnly(only);
        fitTables();
    });
    connect(m_invitation, &Invitation::tradeOffWanted, this, &CompareView::openTradeOff);
    connect(m_heads, &PlanHeads::removeWanted, this, &CompareView::remove);
    connect(m_heads, &PlanHeads::openWanted, this, &CompareView::openWanted);
    connect(m_memory, &MemoryBars::segmentActivated, this, [this](int plan, MemoryKind kind) {
        if (m_run != nullptr)
            wantFigure(
                m_memory,
                comparedFigure(
                    figurePathOf(shownStage(*m_run->comparison.results[static_cast<std::size_t>(plan)]), kind), plan));
    });
    connect(m_steps, &StepBar::termActivated, this,
            [this](int plan, const QString &term) { wantFigure(m_steps, comparedFigure(figurePathOf(term), plan)); });
    connect(&m_late, &QTimer::timeout, this, &CompareView::showState);
    setFormulaLines({});
}

void CompareView::setFormulaLines(const std::function<QString(const FigureRef &)> &lines) {
    const auto stageOf = [this](int plan) {
        return m_run == nullptr ? 0 : shownStage(*m_run->comparison.results[static_cast<std::size_t>(plan)]);
    };
    m_memory->setFigures(
        {[stageOf](SegmentIndex at) {
             return comparedFigure(figurePathOf(stageOf(at.row), static_cast<MemoryKind>(at.segment)), at.row);
         },
         [stageOf](int row) {
             return comparedFigure(QStringLiteral("memory.stages.%1.total_bytes").arg(stageOf(row)), row);
         },
         lines});
    m_steps->setFigures(
        {[](SegmentIndex at) {
             return comparedFigure(
                 figurePathOf(QString::fromStdString(step_term_names()[static_cast<std::size_t>(at.segment)])), at.row);
         },
         [](int row) { return comparedFigure(QStringLiteral("step.seconds"), row); }, lines});
}

void CompareView::openField(const QModelIndex &index) {
    const QString pointer = index.data(ComparedFieldsModel::PointerRole).toString();
    if (!pointer.isEmpty()) {
        wantFigure(m_fieldsTable, PlanField(pointer));
        return;
    }
    m_fields->toggle(index.row());
    fitTables();
    m_fieldsTable->setCurrentIndex(m_fields->index(index.row(), index.column()));
}

void CompareView::fitTables() {
    const int fields = m_fields->rowCount();
    m_fieldsTable->setVisible(fields > 0);
    // Fixed height: on a scrolling page, bars that can shrink would always have their minimum height.
    for (StackedBars *bars : std::initializer_list<StackedBars *>{m_memory, m_steps})
        bars->setFixedHeight(bars->sizeHint().height());
    // Use the view's width, because the table may not be laid out yet.
    const int room = (m_wide ? width() / 2 : width()) - tableMargins;
    const int plans = std::max(1, m_figures->columnCount() - 1);
    shareWidth(m_figuresTable, (room - figureNameWidth) / plans >= leastPlanWidth ? figureNameWidth : narrowNameWidth,
               room);
    int names = fieldNameWidth;
    for (int row = 0; row < fields; ++row)
        names = std::max(names,
                         m_fieldsTable->fontMetrics().horizontalAdvance(m_fields->index(row, 0).data().toString())
                             + nameSides);
    shareWidth(m_fieldsTable, std::min(names, std::max(fieldNameWidth, room - plans * leastPlanWidth)), room);
    const auto heightOf = [](const QTableView *table, int rows, int rowHeight) {
        return table->horizontalHeader()->sizeHint().height() + rows * rowHeight + 2;
    };
    m_figuresTable->setFixedHeight(heightOf(m_figuresTable, m_figures->rowCount(), FigureCellDelegate::RowHeight));
    m_fieldsTable->setFixedHeight(heightOf(m_fieldsTable, std::clamp(fields, 1, maxFieldRows), fieldRowHeight));
}

void CompareView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    arrange();
    fitTables();
}

void CompareView::arrange() {
    const bool wide = width() >= twoColumnsFrom;
    if (wide == m_wide)
        return;
    m_wide = wide;
    m_columns->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

} // namespace meshwright
