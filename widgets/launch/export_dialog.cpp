// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/export_dialog.h"

#include "controls/card.h"
#include "controls/dialog_size.h"
#include "controls/page_scroll.h"
#include "controls/segmented.h"
#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "launch/export_lines.h"
#include "theme/control_states.h"
#include "theme/icon.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr QSize exportSize(1180, 720); ///< wide enough for the longest line, 100 characters
constexpr int lineHeight = 20;
constexpr int numberWidth = 44;
constexpr int fromWidth = 240;
constexpr int maxLostHeight = 120;

} // namespace

ExportDialog::ExportDialog(ExportQuestion question, QWidget *parent)
    : QDialog(parent)
    , m_question(std::move(question))
    , m_lines(new ExportLines(m_question, this))
    , m_files(new Segmented(this))
    , m_table(new QTableView(this)) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export"));
    resize(sizeOnScreen(*this, exportSize));
    showsNoFigures(this, NotFigures::setting); // the numbers are part of a file's text
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 16);
    column->setSpacing(12);
    column->addWidget(newHeading());
    column->addWidget(newPreview(), 1);
    column->addWidget(newButtons());
    m_table->installEventFilter(this);
    showFile(0);
    m_table->setFocus();
}

QWidget *ExportDialog::newHeading() {
    auto *heading = new QWidget(this);
    auto *column = new QVBoxLayout(heading);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(
        new TextLabel(m_question.title, TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, heading));
    auto *plan = new TextLabel(m_question.plan, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, heading);
    plan->setTextFormat(Qt::PlainText); // a plan's name is plain text, even if it contains markup
    plan->setElided(true);
    column->addWidget(plan);
    const auto &lost = m_question.exported.lost;
    if (lost.empty())
        return heading;
    QStringList lines;
    for (const Loss &each : lost)
        lines << QStringLiteral("• ") + QString::fromStdString(each.sentence);
    auto *title = new QHBoxLayout;
    title->setSpacing(8);
    title->addWidget(new IconLabel(QStringLiteral("warn"), ColourRole::Warn, 16, heading));
    title->addWidget(new TextLabel(tr("Not supported by this target"), TypeRole::Body, ColourRole::Text,
                                   TextWeight::SemiBold, heading),
                     1);
    column->addLayout(title);
    m_lost = new TextLabel(lines.join(QLatin1Char('\n')), TypeRole::Body, ColourRole::Text2, TextWeight::Regular);
    m_lost->setTextFormat(Qt::PlainText);
    m_lost->setWordWrap(true);
    m_lost->setContentsMargins(24, 0, 0, 0);
    m_lost->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto *scroll = new QScrollArea(heading);
    scrollPage(scroll, m_lost);
    const int wanted = m_lost->heightForWidth(exportSize.width() - 80);
    scroll->setFixedHeight(std::min(maxLostHeight, wanted + 4));
    column->addWidget(scroll);
    return heading;
}

QWidget *ExportDialog::newPreview() {
    auto *card = new Card(this);
    for (const ExportFile &file : m_question.exported.files)
        m_files->addSegment(QString::fromStdString(file.name));
    m_files->setObjectName(QStringLiteral("exportFiles"));
    m_files->setAccessibleName(tr("File"));
    auto *top = new QHBoxLayout;
    top->addWidget(m_files);
    top->addStretch(1);
    m_table->setObjectName(QStringLiteral("exportLines"));
    m_table->setAccessibleName(tr("Lines of the file and their plan fields"));
    m_table->setModel(m_lines);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setTextElideMode(Qt::ElideNone);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(lineHeight);
    m_table->verticalHeader()->setMinimumSectionSize(lineHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    // The plan field is to the left of the text, so that it stays visible next to long lines.
    m_table->horizontalHeader()->moveSection(ExportLines::From, ExportLines::Text);
    card->contentLayout()->addLayout(top);
    card->contentLayout()->addWidget(m_table, 1);
    connect(m_files, &Segmented::chosen, this, &ExportDialog::showFile);
    return card;
}

QWidget *ExportDialog::newButtons() {
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    const auto add = [&](const QString &name, const QString &text, ButtonRole role, const auto &act) {
        auto *button = new QPushButton(text, bar);
        button->setObjectName(name);
        button->setAutoDefault(false);
        setButtonRole(button, role);
        connect(button, &QPushButton::clicked, this, act);
        row->addWidget(button);
        return button;
    };
    add(QStringLiteral("exportCopy"), tr("&Copy"), ButtonRole::Outline, [this] {
        copyFile();
    })->setIcon(icons::icon(QStringLiteral("copy")));
    m_said = new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, bar);
    m_said->setTextFormat(Qt::PlainText);
    m_said->setElided(true);
    row->addWidget(m_said, 1);
    add(QStringLiteral("exportClose"), tr("Close"), ButtonRole::Outline, [this] { reject(); });
    const bool several = m_question.exported.files.size() > 1;
    add(QStringLiteral("exportSave"), tr("&Save As …"), several ? ButtonRole::Outline : ButtonRole::Primary,
        [this] { save(m_lines->file()); });
    if (several)
        add(QStringLiteral("exportSaveAll"), tr("Save &All to a Folder …"), ButtonRole::Primary, [this] { save(-1); });
    return bar;
}

QString ExportDialog::lost() const {
    return m_lost != nullptr ? m_lost->text() : QString();
}

QString ExportDialog::said() const {
    return m_said->text();
}

/// Copies the selected lines; without this filter, the table would copy its current cell.
bool ExportDialog::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->matches(QKeySequence::Copy)) {
        copyLines();
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

void ExportDialog::showFile(int file) {
    m_lines->setFile(file);
    fitColumns();
}

void ExportDialog::fitColumns() {
    const QFont font = m_lines->index(0, ExportLines::Text).data(Qt::FontRole).value<QFont>();
    const int character = QFontMetrics(font).horizontalAdvance(QLatin1Char('m'));
    m_table->setColumnWidth(ExportLines::Number, numberWidth);
    m_table->setColumnWidth(ExportLines::From, fromWidth);
    const int room = exportSize.width() - numberWidth - fromWidth - 100;
    m_table->setColumnWidth(ExportLines::Text, std::max(room, (m_lines->longestLine() + 2) * character));
}

void ExportDialog::copyFile() {
    if (m_lines->shown() == nullptr)
        return;
    QGuiApplication::clipboard()->setText(QString::fromStdString(m_lines->shown()->text()));
    m_said->setText(tr("Copied: %1").arg(QString::fromStdString(m_lines->shown()->name)));
}

void ExportDialog::copyLines() {
    QList<int> rows;
    for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
        rows << index.row();
    if (rows.isEmpty()) {
        copyFile();
        return;
    }
    std::sort(rows.begin(), rows.end());
    QString text;
    for (const int row : std::as_const(rows))
        text += m_lines->index(row, ExportLines::Text).data().toString() + QLatin1Char('\n');
    QGuiApplication::clipboard()->setText(text);
    m_said->setText(rows.size() == 1 ? tr("Line copied") : tr("%1 lines copied").arg(rows.size()));
}

void ExportDialog::save(int file) {
    if (!m_question.save)
        return;
    const QString said = m_question.save(this, file);
    if (!said.isEmpty())
        m_said->setText(said);
}

} // namespace meshwright
