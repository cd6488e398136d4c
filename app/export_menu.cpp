// SPDX-License-Identifier: GPL-3.0-or-later
#include "export_menu.h"

#include "evaluate/evaluate.h"
#include "exchange/perfetto.h"
#include "input/json_document.h"
#include "prompts.h"
#include "report/report.h"
#include "settings.h"
#include "theme/icon.h"
#include "view_export.h"

#include <QBuffer>
#include <QClipboard>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QTableView>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string_view>

namespace meshwright {

namespace {

QString version() {
    return QCoreApplication::applicationVersion();
}

QByteArray pdf(const Result &result) {
    return reportPdf(result, version());
}

QByteArray json(const Result &result) {
    return QByteArray::fromStdString(to_json(result).dump(2) + "\n");
}

QByteArray trace(const Result &result) {
    return QByteArray::fromStdString(perfetto_trace(simulate_pipeline(result.plan)));
}

QByteArray png(const Result &result) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    reportImage(result, version()).save(&buffer, "PNG");
    return bytes;
}

} // namespace

ExportMenu::ExportMenu(Settings &settings, Prompts &prompts, QWidget *window)
    : QMenu(tr("&Export"), window)
    , m_settings(settings)
    , m_prompts(prompts)
    , m_window(window) {
    setIcon(icons::icon(QStringLiteral("export")));
    add(QStringLiteral("pdf"), tr("Report as &PDF …"), QStringLiteral("pdf"), tr("PDF (*.pdf)"), pdf);
    add(QStringLiteral("png"), tr("Report as P&NG …"), QStringLiteral("png"), tr("PNG image (*.png)"), png);
    add(QStringLiteral("svg"), tr("Memory and step as &SVG …"), QStringLiteral("svg"), tr("SVG drawing (*.svg)"),
        reportSvg);
    add(QStringLiteral("json"), tr("Result as &JSON …"), QStringLiteral("json"), tr("JSON (*.json)"), json);
    add(QStringLiteral("perfetto"), tr("Pipeline as a &Trace for Perfetto …"), QStringLiteral("json"),
        tr("Perfetto trace (*.json)"), trace);
    addSeparator();
    addOfView();
    setEnabled(false);
}

void ExportMenu::add(const QString &id, const QString &text, const QString &suffix, const QString &filter,
                     Writer writer) {
    QAction *action = addAction(text);
    action->setObjectName(QStringLiteral("export.") + id);
    connect(action, &QAction::triggered, this, [this, suffix, filter, writer] { write(suffix, filter, writer); });
}

void ExportMenu::addOfView() {
    m_table = addAction(tr("Table of This View as &CSV …"));
    m_table->setObjectName(QStringLiteral("export.csv"));
    connect(m_table, &QAction::triggered, this, &ExportMenu::writeTable);
    QAction *picture = addAction(icons::icon(QStringLiteral("copy")), tr("C&opy Picture of This View"));
    picture->setObjectName(QStringLiteral("export.picture"));
    connect(picture, &QAction::triggered, this, &ExportMenu::copyPicture);
    connect(this, &QMenu::aboutToShow, this, [this] { m_table->setEnabled(m_view && tableIn(*m_view()) != nullptr); });
    connect(this, &QMenu::aboutToHide, m_table, [this] { m_table->setEnabled(true); }); // for the palette
}

void ExportMenu::setResult(std::shared_ptr<const Result> result, const QString &name) {
    m_result = std::move(result);
    m_name = name;
    setEnabled(m_result != nullptr);
}

void ExportMenu::write(const QString &suffix, const QString &filter, Writer writer) {
    // The user may go on editing while the dialog is open; what is written is what was shown when it was asked for.
    const std::shared_ptr<const Result> result = m_result;
    if (result != nullptr)
        writeTo(suffix, filter, [result, writer] { return writer(*result); });
}

void ExportMenu::writeTable() {
    const QTableView *table = m_view ? tableIn(*m_view()) : nullptr;
    if (table == nullptr) {
        Q_EMIT noticed(Tone::Warn, tr("This view shows no table."));
        return;
    }
    const QByteArray content = csvOf(*table);
    writeTo(QStringLiteral("csv"), tr("Table (*.csv)"), [content] { return content; });
}

void ExportMenu::copyPicture() {
    if (!m_view)
        return;
    QGuiApplication::clipboard()->setPixmap(m_view()->grab());
    Q_EMIT noticed(Tone::Good, tr("Picture copied."));
}

void ExportMenu::writeTo(const QString &suffix, const QString &filter, const std::function<QByteArray()> &make) {
    QString name = m_name;
    name.replace(QLatin1Char('/'), QLatin1Char('-'));
    const QDir folder(m_settings.value(Setting::LastFolder).toString());
    QString path =
        m_prompts.fileToSave(m_window, tr("Export"), folder.filePath(name + QLatin1Char('.') + suffix), filter);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QLatin1Char('.') + suffix;
    try {
        const QByteArray bytes = make();
        write_file_atomically(std::filesystem::path(path.toStdString()),
                              std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        m_settings.set(Setting::LastFolder, QFileInfo(path).absolutePath());
        Q_EMIT written(path);
    } catch (const std::exception &error) {
        Q_EMIT noticed(Tone::Bad, QString::fromUtf8(error.what()));
    }
}

} // namespace meshwright
