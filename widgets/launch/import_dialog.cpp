// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/import_dialog.h"

#include "controls/card.h"
#include "controls/choice_box.h"
#include "controls/dialog_size.h"
#include "controls/segmented.h"
#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "launch/import_account.h"
#include "theme/control_states.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace meshwright {

namespace {

constexpr QSize importSize(1080, 640);
constexpr int accountRowHeight = 24;
constexpr int maxOptionWidth = 280;
constexpr int maxValueWidth = 320;
constexpr int columnGap = 16;

QString acceptText(const Imported &imported) {
    if (imported.what == "plan")
        return ImportDialog::tr("&Open as New Plan");
    if (imported.what == "tier")
        return ImportDialog::tr("&Use in This Plan");
    if (imported.what == "node")
        return ImportDialog::tr("&Use in This Plan");
    return imported.what == "run" ? ImportDialog::tr("&Add to My Machine") : ImportDialog::tr("&Use in This Plan");
}

QString hintOf(ImportAccount::Page page) {
    switch (page) {
    case ImportAccount::Page::Understood:
        return ImportDialog::tr("Options of the file that set a field.");
    case ImportAccount::Page::Assumed:
        return ImportDialog::tr("Fields that the file does not set. Double-click a value, or press F2, to change it.");
    case ImportAccount::Page::Ignored:
        return ImportDialog::tr("Options of the file that do not set a field.");
    case ImportAccount::Page::Faults:
        return ImportDialog::tr("Reasons why the file cannot run as it is. The plan opens with the file's values.");
    case ImportAccount::Page::Compared:
        break;
    }
    return ImportDialog::tr(
        "The measured run and the prediction for the current plan. Settings that differ are listed below.");
}

} // namespace

ImportDialog::ImportDialog(const ImportQuestion &question, const Library &library, QWidget *parent)
    : QDialog(parent)
    , m_question(question)
    , m_document(question.imported.document)
    , m_account(new ImportAccount(question, this))
    , m_worker(
          this,
          [&library](const Asked &asked, const std::stop_token &) {
              return previewOf(asked.what, asked.document, library);
          },
          [this](const ImportPreview &preview) { receive(preview); }) {
    setObjectName(QStringLiteral("importDialog"));
    setWindowTitle(tr("Import"));
    resize(sizeOnScreen(*this, importSize));
    showsNoFigures(this, NotFigures::setting); // the numbers come from a file and have no derivation
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 16);
    column->setSpacing(12);
    column->addWidget(newHeading());
    column->addWidget(newPages(), 1);
    column->addWidget(newButtons());
    m_account->setTake(
        [this](const std::string &field, const nlohmann::ordered_json &value) { return take(field, value); });
    const int first = static_cast<int>(std::find(m_order.begin(), m_order.end(), firstPage()) - m_order.begin());
    m_pages->setCurrentIndex(first);
    showPage(first);
    m_accept->setFocus();
    m_worker.ask({m_question.imported.what, m_document});
}

ImportDialog::~ImportDialog() {
    // When the dialog hides, a value still being typed would be committed to a document that no longer exists.
    m_account->setTake({});
}

QWidget *ImportDialog::newHeading() {
    auto *heading = new QWidget(this);
    auto *column = new QVBoxLayout(heading);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    const auto add = [&](const QString &text, TypeRole type, ColourRole colour, TextWeight weight) {
        auto *label = new TextLabel(text, type, colour, weight, heading);
        label->setTextFormat(Qt::PlainText); // names in files are plain text, even if they contain markup
        column->addWidget(label);
        return label;
    };
    add(m_question.kind, TypeRole::Title, ColourRole::Text, TextWeight::SemiBold);
    add(m_question.files, TypeRole::Body, ColourRole::Text2, TextWeight::Regular)->setElided(true);
    m_plan = add({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::Medium);
    m_plan->setWordWrap(true);
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    m_dot = new StatusDot(Tone::Neutral, heading);
    m_verdict = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, heading);
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setWordWrap(true);
    line->addWidget(m_dot);
    line->addWidget(m_verdict, 1);
    column->addLayout(line);
    m_dot->hide();
    if (!m_question.imported.warning.empty()) {
        auto *warning = add(QString::fromStdString(m_question.imported.warning), TypeRole::Body, ColourRole::Warn,
                            TextWeight::Regular);
        warning->setWordWrap(true);
    }
    return heading;
}

QWidget *ImportDialog::newPages() {
    auto *card = new Card(this);
    m_pages = new Segmented(card);
    m_pages->setObjectName(QStringLiteral("importPages"));
    m_pages->setAccessibleName(tr("How the options were used"));
    const std::array titles{tr("Understood %1"), tr("Assumed %1"), tr("Ignored %1"), tr("Faults %1")};
    m_order = {ImportAccount::Page::Understood, ImportAccount::Page::Assumed, ImportAccount::Page::Ignored,
               ImportAccount::Page::Faults};
    for (std::size_t page = 0; page < titles.size(); ++page) {
        const int count = m_account->countOf(m_order[page]);
        m_pages->addSegment(titles[page].arg(count));
        m_pages->setSegmentEnabled(static_cast<int>(page), count > 0);
    }
    if (m_account->countOf(ImportAccount::Page::Compared) > 0) {
        m_order.push_back(ImportAccount::Page::Compared);
        m_pages->addSegment(tr("Compared to this plan"));
    }
    auto *top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(m_pages);
    m_hint = new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, card);
    m_hint->setElided(true);
    top->addWidget(m_hint, 1);
    m_table = new QTableView(card);
    m_table->setObjectName(QStringLiteral("importTable"));
    m_table->setAccessibleName(tr("Options of the file"));
    m_table->setModel(m_account);
    m_table->setShowGrid(false);
    m_table->setWordWrap(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
                             | QAbstractItemView::AnyKeyPressed);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setMinimumSectionSize(accountRowHeight);
    m_table->verticalHeader()->setDefaultSectionSize(accountRowHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    card->contentLayout()->addLayout(top);
    card->contentLayout()->addWidget(m_table, 1);
    connect(m_pages, &Segmented::chosen, this, &ImportDialog::showPage);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, m_table, &QTableView::resizeRowsToContents);
    return card;
}

QWidget *ImportDialog::newButtons() {
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    if (m_question.imported.what == "tier" && !m_question.tiers.isEmpty()) {
        row->addWidget(new TextLabel(tr("Tier"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, bar));
        m_tier = new ChoiceBox(bar);
        m_tier->setObjectName(QStringLiteral("importTier"));
        m_tier->setAccessibleName(tr("Measured tier of the current cluster"));
        m_tier->addItems(m_question.tiers);
        m_tier->setCurrentIndex(std::clamp<int>(m_question.tier, 0, static_cast<int>(m_question.tiers.size()) - 1));
        row->addWidget(m_tier);
    }
    row->addStretch(1);
    auto *cancel = new QPushButton(tr("Cancel"), bar);
    cancel->setObjectName(QStringLiteral("importCancel"));
    cancel->setAutoDefault(false);
    setButtonRole(cancel, ButtonRole::Outline);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_accept = new QPushButton(acceptText(m_question.imported), bar);
    m_accept->setObjectName(QStringLiteral("importAccept"));
    m_accept->setDefault(true);
    setButtonRole(m_accept, ButtonRole::Primary);
    connect(m_accept, &QPushButton::clicked, this, &QDialog::accept);
    row->addWidget(cancel);
    row->addWidget(m_accept);
    return bar;
}

/// The page to show first: the one that most needs attention.
ImportAccount::Page ImportDialog::firstPage() const {
    for (const ImportAccount::Page page :
         {ImportAccount::Page::Faults, ImportAccount::Page::Compared, ImportAccount::Page::Assumed})
        if (m_account->countOf(page) > 0)
            return page;
    return ImportAccount::Page::Understood;
}

void ImportDialog::showPage(int page) {
    const ImportAccount::Page shown = m_order.at(static_cast<std::size_t>(page));
    m_account->setPage(shown);
    m_hint->setText(hintOf(shown));
    // The last column holds the reasons, which take all the remaining width.
    const QAbstractItemView *const asView = m_table; // sizeHintForColumn() is public only in the base class
    for (int column = 0; column + 1 < m_account->columnCount(); ++column) {
        const int wanted =
            std::max(asView->sizeHintForColumn(column), m_table->horizontalHeader()->sectionSizeHint(column));
        m_table->setColumnWidth(column, std::min(wanted + columnGap, column == 0 ? maxOptionWidth : maxValueWidth));
    }
    m_table->resizeRowsToContents();
}

bool ImportDialog::take(const std::string &field, const nlohmann::ordered_json &value) {
    nlohmann::ordered_json changed = m_document;
    try {
        changed[nlohmann::ordered_json::json_pointer(field)] = value;
    } catch (const nlohmann::json::exception &) {
        return false; // the field belongs to a preset that the document refers to by id
    }
    m_document = std::move(changed);
    m_worker.ask({m_question.imported.what, m_document});
    return true;
}

void ImportDialog::receive(const ImportPreview &preview) {
    m_shown = preview;
    m_plan->setText(preview.plan);
    m_plan->setVisible(!preview.plan.isEmpty());
    m_verdict->setText(preview.verdict);
    m_verdict->setVisible(!preview.verdict.isEmpty());
    m_dot->setVisible(!preview.verdict.isEmpty());
    m_dot->setTone(!preview.valid ? Tone::Warn : preview.fits ? Tone::Good : Tone::Bad);
}

ImportAnswer ImportDialog::answer() const {
    return {.document = m_document, .tier = m_tier != nullptr ? m_tier->currentIndex() : 0};
}

} // namespace meshwright
