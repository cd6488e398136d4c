// SPDX-License-Identifier: GPL-3.0-or-later
#include "export_menu.h"

#include "evaluate/evaluate.h"
#include "exchange/perfetto.h"
#include "input/json_document.h"
#include "input/stop_scope.h"
#include "prompts.h"
#include "report/report.h"
#include "report/report_dialog.h"
#include "settings.h"
#include "theme/icon.h"
#include "view_menu.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDate>
#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QThread>

#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <string_view>

namespace meshwright {

namespace {

using namespace std::chrono_literals;
constexpr auto unannounced = 300ms; ///< duration after which a running export is announced
constexpr auto longestSettling = 700ms; ///< maximum wait for an export, so that a window closes within a second

QString version() {
    return QCoreApplication::applicationVersion();
}

QByteArray json(const Result &result) {
    return QByteArray::fromStdString(to_json(result).dump(2) + "\n");
}

QByteArray trace(const Result &result) {
    return QByteArray::fromStdString(perfetto_trace(simulate_pipeline(result.plan)));
}

QByteArray firstPage(const ReportInput &input) {
    const ReportChapters first = ReportChapters().set(ReportChapter::summary);
    const Report report(gatherReport(input, first), {.chapters = first});
    constexpr qreal pixelsPerUnit = 2;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    report.pageImage(0, pixelsPerUnit).save(&buffer, "PNG");
    return bytes;
}

void writeFile(const QString &path, const QByteArray &bytes) {
    write_file_atomically(std::filesystem::path(path.toStdString()),
                          std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace

ExportMenu::ExportMenu(Settings &settings, Prompts &prompts, QWidget *window)
    : QMenu(tr("&Export"), window)
    , m_settings(settings)
    , m_prompts(prompts)
    , m_window(window)
    , m_worker(
          this, [](const Wanted &wanted, const std::stop_token &) { return write(wanted); },
          [this](const Written &written) { receive(written); }) {
    setIcon(icons::icon(QStringLiteral("export")));
    addReport();
    add(QStringLiteral("svg"), tr("Memory and step time as &SVG …"), QStringLiteral("svg"), tr("SVG drawing (*.svg)"),
        reportSvg);
    add(QStringLiteral("json"), tr("Result as &JSON …"), QStringLiteral("json"), tr("JSON (*.json)"), json);
    add(QStringLiteral("perfetto"), tr("Pipeline as a &Trace for Perfetto …"), QStringLiteral("json"),
        tr("Perfetto trace (*.json)"), trace);
    addSeparator();
    addOfView();
    addStop();
    setEnabled(false);
}

void ExportMenu::add(const QString &id, const QString &text, const QString &suffix, const QString &filter,
                     const Writer &writer) {
    QAction *action = addAction(text);
    action->setObjectName(QStringLiteral("export.") + id);
    connect(action, &QAction::triggered, this, [this, suffix, filter, writer] { write(suffix, filter, writer); });
}

void ExportMenu::addReport() {
    QAction *report = addAction(icons::icon(QStringLiteral("pdf")), tr("&Report …"));
    report->setObjectName(QStringLiteral("export.report"));
    report->setToolTip(tr("Choose the sections of a report, preview its pages, and write it as PDF, HTML or Markdown"));
    connect(report, &QAction::triggered, this, &ExportMenu::openReport);
    QAction *page = addAction(tr("First Page of the Report as P&NG …"));
    page->setObjectName(QStringLiteral("export.png"));
    connect(page, &QAction::triggered, this, [this] {
        write(QStringLiteral("png"), tr("PNG image (*.png)"),
              [input = reportInput()](const Result &) { return firstPage(input); });
    });
}

ReportInput ExportMenu::reportInput() const {
    ReportInput input = m_source ? m_source() : ReportInput();
    input.result = m_result;
    input.date = QDate::currentDate();
    input.version = version();
    return input;
}

void ExportMenu::openReport() {
    if (m_result == nullptr)
        return;
    QStringList unknown;
    ReportOptions options{
        .chapters = ReportChapters::named(m_settings.value(Setting::ReportSections).toString(), unknown),
        .paper = m_settings.value(Setting::ReportPaper).toString() == QLatin1String("letter") ? PaperSize::Letter
                                                                                              : PaperSize::A4};
    if (options.chapters.isEmpty())
        options.chapters = ReportChapters::all();
    auto *dialog = new ReportDialog(reportInput(), options, m_window);
    connect(dialog, &ReportDialog::exportWanted, this,
            [this](const ReportOptions &chosen, ReportForm form, const ReportDataPointer &gathered) {
                m_settings.set(Setting::ReportSections, chosen.chapters.names());
                m_settings.set(Setting::ReportPaper,
                               chosen.paper == PaperSize::Letter ? QStringLiteral("letter") : QStringLiteral("a4"));
                writeReport(chosen, form, gathered);
            });
    dialog->open();
}

void ExportMenu::writeReport(const ReportOptions &options, ReportForm form, const ReportDataPointer &gathered) {
    const QString suffix = form == ReportForm::Pdf ? QStringLiteral("pdf")
        : form == ReportForm::Html                 ? QStringLiteral("html")
                                                   : QStringLiteral("md");
    const QString filter = form == ReportForm::Pdf ? tr("PDF (*.pdf)")
        : form == ReportForm::Html                 ? tr("HTML page (*.html)")
                                                   : tr("Markdown (*.md)");
    write(suffix, filter,
          [options, form, gathered](const Result &) { return Report(gathered, options).written(form); });
}

void ExportMenu::addOfView() {
    auto *view = new ViewMenu(m_settings, m_prompts, m_window);
    view->setView([this] { return m_view ? m_view() : m_window; }, [this] { return m_name; });
    view->setTable([this] { return m_table ? m_table() : ViewTable(); });
    connect(view, &ViewMenu::noticed, this, &ExportMenu::noticed);
    connect(view, &ViewMenu::written, this, &ExportMenu::written);
    addMenu(view);
}

void ExportMenu::setResult(std::shared_ptr<const Result> result, const QString &name) {
    m_result = std::move(result);
    m_name = name;
    setEnabled(m_result != nullptr);
}

void ExportMenu::addStop() {
    m_stop = addAction(tr("St&op Writing"));
    m_stop->setObjectName(QStringLiteral("export.stop"));
    m_stop->setEnabled(false);
    connect(m_stop, &QAction::triggered, this, &ExportMenu::stop);
    m_slow.setSingleShot(true);
    m_slow.setInterval(unannounced);
    connect(&m_slow, &QTimer::timeout, this, [this] {
        if (isBusy())
            Q_EMIT writing(m_path);
    });
}

void ExportMenu::write(const QString &suffix, const QString &filter, const Writer &writer) {
    if (isBusy()) {
        Q_EMIT writing(m_path);
        return;
    }
    // The user may edit the plan while the dialog is open; export the result that was shown before.
    const std::shared_ptr<const Result> result = m_result;
    const QString path = result != nullptr ? askForFile(suffix, filter) : QString();
    if (path.isEmpty())
        return;
    m_path = path;
    m_stop->setEnabled(true);
    m_slow.start();
    m_worker.ask({.result = result, .writer = writer, .path = path});
}

ExportMenu::Written ExportMenu::write(const Wanted &wanted) {
    try {
        writeFile(wanted.path, wanted.writer(*wanted.result));
    } catch (const Stopped &) {
        throw;
    } catch (const std::exception &error) {
        return {wanted.path, QString::fromUtf8(error.what())};
    }
    return {wanted.path, {}};
}

void ExportMenu::receive(const Written &written) {
    m_slow.stop();
    m_stop->setEnabled(false);
    if (!written.problem.isEmpty()) {
        Q_EMIT noticed(Tone::Bad, written.problem);
        return;
    }
    m_settings.set(Setting::LastFolder, QFileInfo(written.path).absolutePath());
    Q_EMIT this->written(written.path);
}

void ExportMenu::stop() {
    if (!isBusy())
        return;
    m_worker.cancel();
    m_slow.stop();
    m_stop->setEnabled(false);
    Q_EMIT noticed(Tone::Neutral, tr("Stopped: %1 was not written.").arg(QFileInfo(m_path).fileName()));
}

void ExportMenu::settle() {
    const QDeadlineTimer longest(longestSettling);
    while (isBusy() && !longest.hasExpired()) {
        QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
        QThread::msleep(5);
    }
    stop();
}

QString ExportMenu::askForFile(const QString &suffix, const QString &filter) {
    QString name = m_name;
    name.replace(QLatin1Char('/'), QLatin1Char('-'));
    const QDir folder(m_settings.value(Setting::LastFolder).toString());
    const QString path =
        m_prompts.fileToSave(m_window, tr("Export"), folder.filePath(name + QLatin1Char('.') + suffix), filter);
    return path.isEmpty() || !QFileInfo(path).suffix().isEmpty() ? path : path + QLatin1Char('.') + suffix;
}

} // namespace meshwright
