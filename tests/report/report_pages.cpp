// SPDX-License-Identifier: GPL-3.0-or-later
#include "report_pages.h"

#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "plan/plan_json.h"

#include <QProcess>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace meshwright {

std::shared_ptr<const Result> resultOf(const char *preset, const std::vector<std::string> &sets) {
    const Library &library = Library::standard();
    nlohmann::ordered_json document = library.json(PresetKind::plan, preset);
    for (const std::string &assignment : sets)
        set_field(document, assignment, Library::standard());
    const Outcome outcome = evaluate_document(document, library);
    if (!outcome.result)
        qFatal("%s", one_line(preset, outcome.diagnostics).c_str());
    return outcome.result;
}

QString said(const QString &tool, const QByteArray &pdf, const QStringList &options) {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("report.pdf")));
    if (!file.open(QIODevice::WriteOnly) || file.write(pdf) != pdf.size())
        qFatal("no room for the report");
    file.close();
    QProcess process;
    process.start(tool,
                  options + QStringList{file.fileName()}
                      + (tool == QStringLiteral("pdftotext") ? QStringList{QStringLiteral("-")} : QStringList()));
    if (!process.waitForFinished() || process.exitCode() != 0)
        qFatal("%s: %s", qPrintable(tool), process.readAllStandardError().constData());
    return QString::fromUtf8(process.readAllStandardOutput());
}

QString textOf(const QByteArray &pdf) {
    return said(QStringLiteral("pdftotext"), pdf,
                {QStringLiteral("-layout"), QStringLiteral("-enc"), QStringLiteral("UTF-8")});
}

int pagesOf(const QByteArray &pdf) {
    const QString information = said(QStringLiteral("pdfinfo"), pdf, {});
    for (const QString &line : information.split(QLatin1Char('\n')))
        if (line.startsWith(QStringLiteral("Pages:")))
            return line.mid(6).trimmed().toInt();
    return 0;
}

int pagesBeforeFormulas(const QByteArray &pdf) {
    const QStringList pages = textOf(pdf).split(QLatin1Char('\f'));
    for (int i = 0; i < pages.size(); ++i)
        if (pages[i].contains(QStringLiteral("How the figures are calculated")))
            return i;
    return -1;
}

} // namespace meshwright
