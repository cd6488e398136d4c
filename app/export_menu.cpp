// SPDX-License-Identifier: GPL-3.0-or-later
#include "export_menu.h"

#include "evaluate/evaluate.h"
#include "input/json_document.h"
#include "prompts.h"
#include "report/report.h"
#include "settings.h"
#include "theme/icon.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

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
    add(tr("Report as &PDF …"), QStringLiteral("pdf"), tr("PDF (*.pdf)"), pdf);
    add(tr("Report as P&NG …"), QStringLiteral("png"), tr("PNG image (*.png)"), png);
    add(tr("Memory and step as &SVG …"), QStringLiteral("svg"), tr("SVG drawing (*.svg)"), reportSvg);
    add(tr("Result as &JSON …"), QStringLiteral("json"), tr("JSON (*.json)"), json);
    setEnabled(false);
}

void ExportMenu::add(const QString &text, const QString &suffix, const QString &filter, Writer writer) {
    QAction *action = addAction(text);
    action->setObjectName(QStringLiteral("export.") + suffix);
    connect(action, &QAction::triggered, this, [this, suffix, filter, writer] { write(suffix, filter, writer); });
}

void ExportMenu::setResult(std::shared_ptr<const Result> result, const QString &name) {
    m_result = std::move(result);
    m_name = name;
    setEnabled(m_result != nullptr);
}

void ExportMenu::write(const QString &suffix, const QString &filter, Writer writer) {
    // The user may go on editing while the dialog is open; what is written is what was shown when it was asked for.
    const std::shared_ptr<const Result> result = m_result;
    if (result == nullptr)
        return;
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
        const QByteArray bytes = writer(*result);
        write_file_atomically(std::filesystem::path(path.toStdString()),
                              std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        m_settings.set(Setting::LastFolder, QFileInfo(path).absolutePath());
        Q_EMIT noticed(Tone::Good, tr("Written: %1").arg(QFileInfo(path).fileName()));
    } catch (const std::exception &error) {
        Q_EMIT noticed(Tone::Bad, QString::fromUtf8(error.what()));
    }
}

} // namespace meshwright
