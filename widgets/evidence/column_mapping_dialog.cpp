// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/column_mapping_dialog.h"

#include "controls/card.h"
#include "controls/page_scroll.h"
#include "controls/text_label.h"
#include "evidence/cell_text.h"
#include "evidence/mapping_form.h"
#include "evidence/mapping_line.h"
#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "theme/control_states.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace meshwright {

namespace {

constexpr QSize mappingSize(1220, 640);
constexpr int choicesWidth = 624;
constexpr int previewRowHeight = 24;
constexpr int verdictWidth = 420;
constexpr int numberWidth = 44;
constexpr int longestFileName = 60;

QString rowsText(std::size_t rows) {
    return countText(static_cast<double>(rows));
}

/// The whole table if it is small, otherwise its first rows, because every change of the mapping rereads them.
std::shared_ptr<const CsvTable> headOf(const std::shared_ptr<const CsvTable> &table) {
    if (table->rows.size() <= maxRowsLookedAt)
        return table;
    auto head = std::make_shared<CsvTable>();
    head->columns = table->columns;
    head->rows.assign(table->rows.begin(), table->rows.begin() + static_cast<std::ptrdiff_t>(maxRowsLookedAt));
    return head;
}

} // namespace

ColumnMappingDialog::ColumnMappingDialog(const ColumnQuestion &question, QWidget *parent)
    : QDialog(parent)
    , m_question(question)
    , m_head(headOf(question.table))
    , m_form(new MappingForm(*question.table, question.mapping, this))
    , m_preview(new MappingPreview(m_head, this))
    , m_table(new QTableView(this))
    , m_count(new TextLabel({}, TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, this))
    , m_saved(new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this))
    , m_worker(
          this, [](const Asked &asked, const std::stop_token &) { return verdictOn(*asked.head, asked.mapping); },
          [this](const MappingVerdict &verdict) { receive(verdict); }) {
    setObjectName(QStringLiteral("columnMapping"));
    setWindowTitle(tr("Columns of %1").arg(cellText(question.file.toStdString(), longestFileName)));
    resize(mappingSize);
    showsNoFigures(this, NotFigures::setting); // the numbers are raw values of a file
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 16);
    column->setSpacing(8);
    m_count->setObjectName(QStringLiteral("mappingCount"));
    m_count->setText(tr("Match the columns"));
    column->addWidget(m_count);
    auto *hint = new TextLabel(tr("Columns and units are guessed from the names. Your choice is remembered for files "
                                  "with the same columns."),
                               TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
    hint->setWordWrap(true);
    column->addWidget(hint);
    auto *halves = new QHBoxLayout;
    halves->setSpacing(16);
    halves->addWidget(newChoices());
    halves->addWidget(newRows(), 1);
    column->addLayout(halves, 1);
    column->addWidget(newButtons());
    connect(m_form, &MappingForm::changed, this, &ColumnMappingDialog::ask);
    if (MappingLine *const missing = m_form->firstMissing(); missing != nullptr)
        missing->focusField();
    ask();
}

QWidget *ColumnMappingDialog::newChoices() {
    auto *scroll = new QScrollArea(this);
    scrollPage(scroll, m_form);
    auto *card = new Card(this);
    card->setFixedWidth(choicesWidth);
    card->contentLayout()->addWidget(scroll, 1);
    return card;
}

QWidget *ColumnMappingDialog::newRows() {
    m_table->setObjectName(QStringLiteral("mappingPreview"));
    m_table->setAccessibleName(tr("First rows of the file and how they are read"));
    m_table->setModel(m_preview);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(previewRowHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->resizeColumnsToContents();
    m_table->setColumnWidth(MappingPreview::Number, numberWidth);
    m_table->setColumnWidth(MappingPreview::Verdict, verdictWidth);
    auto *card = new Card(tr("First rows"), {}, this);
    card->contentLayout()->addWidget(m_table, 1);
    return card;
}

QWidget *ColumnMappingDialog::newButtons() {
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 8, 0, 0);
    row->setSpacing(8);
    auto *form = new QPushButton(tr("Save &template"), bar);
    form->setObjectName(QStringLiteral("mappingTemplate"));
    form->setToolTip(tr("CSV with all columns, an explanation of each, and an example run"));
    form->setAutoDefault(false);
    setButtonRole(form, ButtonRole::Outline);
    connect(form, &QPushButton::clicked, this, [this] {
        if (m_question.saveTemplate)
            m_saved->setText(m_question.saveTemplate(this));
    });
    m_saved->setTextFormat(Qt::PlainText);
    m_saved->setElided(true);
    auto *cancel = new QPushButton(tr("Cancel"), bar);
    cancel->setObjectName(QStringLiteral("mappingCancel"));
    cancel->setAutoDefault(false);
    setButtonRole(cancel, ButtonRole::Outline);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_read = new QPushButton(tr("Read"), bar);
    m_read->setObjectName(QStringLiteral("mappingRead"));
    setButtonRole(m_read, ButtonRole::Primary);
    m_read->setDefault(true);
    m_read->setEnabled(false);
    connect(m_read, &QPushButton::clicked, this, &QDialog::accept);
    row->addWidget(form);
    row->addWidget(m_saved, 1);
    row->addWidget(cancel);
    row->addWidget(m_read);
    return bar;
}

ColumnMapping ColumnMappingDialog::mapping() const {
    return m_form->mapping();
}

QString ColumnMappingDialog::count() const {
    return m_count->text();
}

void ColumnMappingDialog::ask() {
    const ColumnMapping mapping = m_form->mapping();
    m_preview->setMapping(mapping);
    m_worker.ask({m_head, mapping});
}

void ColumnMappingDialog::receive(const MappingVerdict &verdict) {
    m_preview->setVerdict(verdict);
    const std::size_t all = m_question.table->rows.size();
    const QString read = rowsText(verdict.read);
    m_count->setText(all == verdict.lookedAt ? tr("%1 of %2 rows can be read").arg(read, rowsText(all))
                                             : tr("%1 of the first %2 rows can be read; the file has %3")
                                                   .arg(read, rowsText(verdict.lookedAt), rowsText(all)));
    m_read->setText(all != verdict.lookedAt ? tr("&Read the file")
                        : verdict.read == 1 ? tr("&Read 1 row")
                                            : tr("&Read %1 rows").arg(read));
    m_read->setEnabled(verdict.read > 0);
    if (!std::exchange(m_isSeen, true) && m_form->firstMissing() == nullptr)
        m_read->setFocus(); // makes Enter accept the guessed mapping
}

} // namespace meshwright
