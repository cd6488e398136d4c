// SPDX-License-Identifier: GPL-3.0-or-later
#include "published/published_dialog.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr QSize startSize(1240, 640);

} // namespace

PublishedDialog::PublishedDialog(const Library &library, QWidget *parent)
    : QDialog(parent)
    , m_model(new PublishedModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_table(new QTableView(this))
    , m_state(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_worker(
          this,
          [](const Question &question, const std::stop_token &stop) { return preset_rows(*question.library, stop); },
          [this](const std::vector<PresetRow> &rows) { receive(rows); }) {
    setObjectName(QStringLiteral("publishedRuns"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Published runs"));
    resize(startSize);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(PublishedModel::SortRole);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(PublishedModel::Name, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->setAccessibleName(tr("Published and predicted figures of all plans"));
    showsNoFigures(m_table, NotFigures::name); // plans that are not open have no derivations here
    showsNoFigures(m_state, NotFigures::name);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton *open = buttons->addButton(tr("Open"), QDialogButtonBox::ActionRole);
    open->setObjectName(QStringLiteral("openPublished"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 16);
    column->setSpacing(12);
    column->addWidget(m_state);
    column->addWidget(m_table, 1);
    column->addWidget(buttons);
    m_state->setText(tr("Evaluating all plans of the library…"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(open, &QPushButton::clicked, this, [this] { choose(m_table->currentIndex()); });
    connect(m_table, &QTableView::activated, this, &PublishedDialog::choose);
    m_worker.ask({&library});
}

void PublishedDialog::receive(const std::vector<PresetRow> &rows) {
    m_model->setRows(rows);
    m_table->resizeColumnsToContents();
    const auto reporting =
        std::count_if(rows.begin(), rows.end(), [](const PresetRow &row) { return row.main() != nullptr; });
    const auto inside = std::count_if(rows.begin(), rows.end(), [](const PresetRow &row) {
        return row.main() != nullptr && row.main()->inside().value_or(false);
    });
    m_state->setText(tr("%1 of these %2 plans have published figures; for %3 of them, the main figure lies in the "
                        "prediction's 80% interval.")
                         .arg(reporting)
                         .arg(rows.size())
                         .arg(inside));
    if (m_sorted->rowCount() > 0)
        m_table->setCurrentIndex(m_sorted->index(0, 0));
    m_table->setFocus();
    Q_EMIT ready();
}

void PublishedDialog::choose(const QModelIndex &index) {
    if (!index.isValid())
        return;
    Q_EMIT chosen(index.data(PublishedModel::IdRole).toString());
    accept();
}

} // namespace meshwright
