// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/assumptions_page.h"

#include "controls/card.h"
#include "controls/text_label.h"
#include "controls/text_undo.h"
#include "evidence/assumption.h"
#include "evidence/assumptions_model.h"
#include "evidence/column_widths.h"
#include "explain/influence_card.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "models/figures_table.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/surfaces.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <array>

namespace meshwright {

namespace {

constexpr int rowHeight = 26;
constexpr int sideWidth = 348;
constexpr int filterWidth = 180;
constexpr int nameWidth = 200; ///< wide enough to tell constants with the same prefix apart
constexpr std::array spare{int(AssumptionsModel::StepBar)}; ///< column that is hidden if names need the space

/// Draws the effect of a constant on step time, relative to the largest one.
class ShareBarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const Theme &theme = Theme::of(option.widget);
        QRectF rail = QRectF(option.rect).adjusted(8, 0, -4, 0);
        rail = QRectF(rail.left(), rail.center().y() - 3, rail.width(), 6);
        surfaces::rounded(*painter, rail, 3, theme.colour(ColourRole::Raised));
        if (const double share = index.data(AssumptionsModel::ShareRole).toDouble(); share > 0) {
            rail.setWidth(std::max(6.0, rail.width() * share));
            surfaces::rounded(*painter, rail, 3, theme.colour(ColourRole::AccentFill));
        }
        painter->restore();
    }
};

/// Combo box for enumerations, line edit for numbers.
class ChoiceDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem & /*option*/,
                          const QModelIndex &index) const override {
        const QStringList choices = index.data(AssumptionsModel::ChoicesRole).toStringList();
        if (choices.isEmpty()) { // Qt's own editor would grow with the text and leave the old value visible next to it
            auto *line = new QLineEdit(parent);
            line->setFrame(false);
            leaveUndoToPlan(line, line);
            line->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
            return line;
        }
        auto *box = new QComboBox(parent);
        box->addItems(choices);
        connect(box, &QComboBox::activated, box, &QWidget::clearFocus); // losing focus commits the choice
        return box;
    }

    void setEditorData(QWidget *editor, const QModelIndex &index) const override {
        if (auto *box = qobject_cast<QComboBox *>(editor))
            box->setCurrentText(index.data(Qt::EditRole).toString());
        else
            QStyledItemDelegate::setEditorData(editor, index);
    }

    void setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const override {
        if (auto *box = qobject_cast<QComboBox *>(editor))
            model->setData(index, box->currentText(), Qt::EditRole);
        else
            QStyledItemDelegate::setModelData(editor, model, index);
    }
};

} // namespace

AssumptionsPage::AssumptionsPage(QWidget *parent)
    : QWidget(parent)
    , m_model(new AssumptionsModel(this))
    , m_proxy(new QSortFilterProxyModel(this))
    , m_table(new FiguresTable(this))
    , m_filter(new QLineEdit(this))
    , m_reset(new QPushButton(tr("Reset"), this))
    , m_resetAll(new QPushButton(tr("Reset all"), this))
    , m_meaning(new TextLabel({}, TypeRole::Body, ColourRole::Text, TextWeight::Regular, this))
    , m_source(new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this))
    , m_step(new InfluenceCard(this))
    , m_memory(new InfluenceCard(this))
    , m_nothing(new TextLabel(tr("The most influential inputs appear here once the plan is valid."), TypeRole::Body,
                              ColourRole::Text2, TextWeight::Regular, this)) {
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    row->addWidget(newTable(), 1);
    row->addWidget(newSide());
    connect(m_model, &AssumptionsModel::edited, this, &AssumptionsPage::edited);
    connect(m_model, &AssumptionsModel::refused, this, &AssumptionsPage::refused);
    m_step->hide();
    m_memory->hide();
}

Card *AssumptionsPage::newTable() {
    m_card = new Card(tr("Assumptions"), {}, this);
    m_proxy->setSourceModel(m_model);
    m_proxy->setFilterRole(AssumptionsModel::WordsRole);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    // An edited row stays until the filter changes, although its origin becomes this plan.
    m_proxy->setDynamicSortFilter(false);
    m_filter->setObjectName(QStringLiteral("assumptionFilter"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter assumptions"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(filterWidth);
    m_filter->addAction(icons::icon(QStringLiteral("filter"), ColourRole::Text3), QLineEdit::LeadingPosition);
    connect(m_filter, &QLineEdit::textChanged, m_proxy, &QSortFilterProxyModel::setFilterFixedString);
    m_resetAll->setObjectName(QStringLiteral("resetAssumptions"));
    setButtonRole(m_resetAll, ButtonRole::Flat);
    connect(m_resetAll, &QPushButton::clicked, m_model, &AssumptionsModel::resetAll);
    m_card->addTrailing(m_resetAll);
    m_card->addTrailing(m_filter);
    m_table->setObjectName(QStringLiteral("assumptionTable"));
    m_table->setAccessibleName(tr("Assumptions of the model"));
    m_table->setModel(m_proxy);
    m_table->setItemDelegateForColumn(AssumptionsModel::StepBar, new ShareBarDelegate(m_table));
    m_table->setItemDelegateForColumn(AssumptionsModel::Value, new ChoiceDelegate(m_table));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    QHeaderView *header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(AssumptionsModel::Name, QHeaderView::Stretch);
    header->setSectionResizeMode(AssumptionsModel::StepBar, QHeaderView::Fixed);
    header->resizeSection(AssumptionsModel::StepBar, 72);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &AssumptionsPage::showCurrent);
    m_reset->setObjectName(QStringLiteral("resetAssumption"));
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (const int chosen = currentRow(); chosen >= 0)
            m_model->reset(chosen);
    });
    for (TextLabel *words : {m_meaning, m_source}) {
        words->setWordWrap(true);
        // The text describes the selected constant, whose derivation opens from its number in the table.
        showsNoFigures(words, NotFigures::name);
    }
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_meaning);
    words->addWidget(m_source);
    auto *below = new QHBoxLayout;
    below->addLayout(words, 1);
    below->addWidget(m_reset, 0, Qt::AlignTop);
    m_card->contentLayout()->addWidget(m_table, 1);
    m_card->contentLayout()->addLayout(below);
    m_table->setCurrentIndex(m_proxy->index(0, AssumptionsModel::Value));
    return m_card;
}

QWidget *AssumptionsPage::newSide() {
    auto *scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Most influential inputs"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(sideWidth);
    auto *board = new QWidget(scroll);
    board->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    auto *column = new QVBoxLayout(board);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    m_step->setObjectName(QStringLiteral("stepInfluences"));
    m_memory->setObjectName(QStringLiteral("memoryInfluences"));
    m_nothing->setWordWrap(true);
    column->addWidget(m_nothing);
    column->addWidget(m_step);
    column->addWidget(m_memory);
    column->addStretch(1);
    scroll->setWidget(board);
    return scroll;
}

int AssumptionsPage::currentRow() const {
    const QModelIndex index = m_proxy->mapToSource(m_table->currentIndex());
    return index.isValid() ? index.row() : -1;
}

void AssumptionsPage::showCurrent() {
    const int row = currentRow();
    m_reset->setEnabled(row >= 0 && m_model->isOverridden(row));
    m_resetAll->setVisible(m_model->overridden() > 0);
    if (row < 0) {
        m_meaning->setText({});
        m_source->setText({});
        return;
    }
    const Assumption assumption = Assumption::at(row);
    const QString meaning = assumption.meaning();
    m_meaning->setText(m_model->isOverridden(row)
                           ? tr("%1. Value without this plan's override: %2.")
                                 .arg(meaning, assumption.text(assumption.shipped(m_model->plan())))
                           : tr("%1.").arg(meaning));
    m_source->setText(assumption.source(m_model->plan()));
}

void AssumptionsPage::showPlan(const PlanView &view) {
    m_model->showPlan(view);
    const auto fitted = std::count_if(constants().begin(), constants().end(), [](const Constant &constant) {
        return constant.provenance == Provenance::fitted;
    });
    const QString all = QString::number(constants().size());
    const QString some = QString::number(fitted);
    const QString fields = QString::number(stack_fields().size());
    m_card->setSubtitle(tr("%1 constants, %2 of them fitted, and %3 fields of %4")
                            .arg(all, some, fields, QString::fromStdString(view.plan.stack.name)));
    showCurrent();
}

void AssumptionsPage::showAnswer(const EvidenceAnswer &answer) {
    m_model->setInfluences(answer.step, answer.memory);
    fitColumns(*m_table);
    showColumnsThatFit(*m_table, nameWidth, spare);
    m_nothing->setVisible(answer.step.empty());
    const QString step = QStringLiteral("step.seconds");
    const QString memory = QStringLiteral("memory.peak_bytes");
    m_step->showInfluences(tr("step time"), shownInfluences(answer.step, {.figure = step.toStdString()}, step),
                           Preference::lower);
    m_memory->showInfluences(
        tr("peak memory"), shownInfluences(answer.memory, {.figure = memory.toStdString()}, memory), Preference::lower);
}

void AssumptionsPage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    showColumnsThatFit(*m_table, nameWidth, spare);
}

void AssumptionsPage::setFieldQuestion(const std::function<bool(const QString &)> &hasField) {
    const auto either = [hasField](const QString &pointer) {
        return Assumption::rowOf(pointer) >= 0 || hasField(pointer);
    };
    m_step->setFieldQuestion(either);
    m_memory->setFieldQuestion(either);
}

bool AssumptionsPage::showConstant(const QString &pointer) {
    const int row = Assumption::rowOf(pointer);
    if (row < 0)
        return false;
    m_filter->clear();
    m_table->setCurrentIndex(m_proxy->mapFromSource(m_model->index(row, AssumptionsModel::Value)));
    m_table->setFocus();
    return true;
}

} // namespace meshwright
