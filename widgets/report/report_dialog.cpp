// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_dialog.h"

#include "controls/dialog_size.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "report/page_preview.h"
#include "report/report.h"
#include "theme/control_states.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {
namespace {

constexpr QSize startSize(1080, 760);
constexpr int choicesWidth = 300;
constexpr int previewWidth = 620; ///< width of a page's preview in logical pixels

TextLabel *heading(const QString &text, QWidget *parent) {
    return new TextLabel(text, TypeRole::Body, ColourRole::Text, TextWeight::SemiBold, parent);
}

} // namespace

ReportDialog::ReportDialog(ReportInput input, const ReportOptions &options, QWidget *parent)
    : QDialog(parent)
    , m_paper(new QComboBox(this))
    , m_form(new QComboBox(this))
    , m_state(new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this))
    , m_scroll(new QScrollArea(this))
    , m_preview(new PagePreview(this))
    , m_export(new QPushButton(tr("Export …"), this)) {
    setObjectName(QStringLiteral("reportDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Report"));
    resize(sizeOnScreen(*this, startSize));
    showsNoFigures(m_preview, NotFigures::name); // the preview is a picture of pages
    showsNoFigures(m_state, NotFigures::statistic);
    m_scroll->setWidget(m_preview);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setAccessibleName(tr("Preview"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(24, 24, 24, 16);
    row->setSpacing(24);
    row->addWidget(newChoices(options));
    row->addWidget(m_scroll, 1);
    connect(m_export, &QPushButton::clicked, this, &ReportDialog::accept);
    // The data gathered so far. Only the worker's thread accesses it.
    auto gathered = std::make_shared<ReportDataPointer>();
    m_worker = std::make_unique<Worker>(
        this,
        [input = std::move(input), gathered](const Asked &asked, const std::stop_token &stop) mutable {
            if (*gathered == nullptr) {
                if (input.search == nullptr)
                    input.search = searchForReport(*input.result, stop);
                *gathered = gatherReport(input, ReportChapters::all(), stop);
            }
            const Report report(*gathered, asked.options);
            Pages pages{*gathered, {}, Report::chaptersOf(**gathered)};
            for (int page = 0; page < report.pageCount(); ++page)
                pages.images.push_back(report.pageImage(page, asked.scale));
            return pages;
        },
        [this](const Pages &pages) { receive(pages); });
    ask();
}

ReportDialog::~ReportDialog() = default;

QWidget *ReportDialog::newChoices(const ReportOptions &options) {
    auto *panel = new QWidget(this);
    panel->setFixedWidth(choicesWidth);
    auto *column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(heading(tr("Sections"), panel));
    for (const ReportChapterEntry &entry : reportChapters()) {
        auto *box = new QCheckBox(tr(entry.title), panel);
        box->setObjectName(QStringLiteral("section.") + QLatin1String(entry.name));
        box->setToolTip(tr(entry.content));
        box->setChecked(options.chapters.has(entry.chapter));
        connect(box, &QCheckBox::toggled, this, &ReportDialog::ask);
        column->addWidget(box);
        m_boxes.emplace_back(entry.chapter, box);
    }
    m_paper->setObjectName(QStringLiteral("reportPaper"));
    m_paper->setAccessibleName(tr("Paper"));
    m_paper->addItems({tr("A4"), tr("US Letter")});
    m_paper->setCurrentIndex(static_cast<int>(options.paper));
    connect(m_paper, &QComboBox::currentIndexChanged, this, &ReportDialog::ask);
    m_form->setObjectName(QStringLiteral("reportForm"));
    m_form->setAccessibleName(tr("Format"));
    m_form->addItems({tr("PDF"), tr("HTML, one file"), tr("Markdown")});
    column->addSpacing(8);
    column->addWidget(heading(tr("Paper"), panel));
    column->addWidget(m_paper);
    column->addWidget(heading(tr("Format"), panel));
    column->addWidget(m_form);
    column->addStretch(1);
    column->addWidget(m_state);
    m_export->setObjectName(QStringLiteral("exportReport"));
    m_export->setDefault(true);
    setButtonRole(m_export, ButtonRole::Primary);
    auto *close = new QPushButton(tr("Close"), panel);
    connect(close, &QPushButton::clicked, this, &ReportDialog::reject);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_export);
    buttons->addWidget(close);
    buttons->addStretch(1);
    column->addLayout(buttons);
    return panel;
}

ReportOptions ReportDialog::options() const {
    ReportOptions options{.chapters = {}, .paper = static_cast<PaperSize>(m_paper->currentIndex())};
    for (const auto &[chapter, box] : m_boxes)
        options.chapters.set(chapter, box->isChecked());
    return options;
}

ReportForm ReportDialog::form() const {
    return static_cast<ReportForm>(m_form->currentIndex());
}

void ReportDialog::ask() {
    const ReportOptions chosen = options();
    m_export->setEnabled(m_data != nullptr && !chosen.chapters.isEmpty());
    if (m_worker == nullptr)
        return;
    if (chosen.chapters.isEmpty()) {
        m_worker->cancel();
        m_preview->setPages({});
        m_state->setText(tr("Choose at least one section."));
        return;
    }
    m_state->setText(m_data == nullptr ? tr("Simulating and searching …") : tr("Laying out the pages …"));
    const qreal scale = previewWidth / (8.5 * 96) * devicePixelRatioF(); // Letter pages are wider than A4 pages
    m_worker->ask({chosen, scale});
}

void ReportDialog::receive(const Pages &pages) {
    m_data = pages.data;
    bool isEmpty = true;
    for (const auto &[chapter, box] : m_boxes) {
        const bool has = std::find(pages.available.begin(), pages.available.end(), chapter) != pages.available.end();
        isEmpty = isEmpty && !(has && box->isChecked());
        box->setEnabled(has);
        if (!has)
            box->setToolTip(tr("This plan has nothing to show here."));
    }
    std::vector<QImage> images = isEmpty ? std::vector<QImage>() : pages.images;
    for (QImage &image : images)
        image.setDevicePixelRatio(devicePixelRatioF());
    const auto count = static_cast<int>(images.size());
    m_preview->setPages(std::move(images));
    m_export->setEnabled(!isEmpty);
    m_state->setText(isEmpty          ? tr("This plan has nothing to show in these sections.")
                         : count == 1 ? tr("1 page")
                                      : tr("%1 pages").arg(count));
    Q_EMIT previewed();
}

void ReportDialog::accept() {
    Q_EMIT exportWanted(options(), form(), m_data);
}

} // namespace meshwright
