// SPDX-License-Identifier: GPL-3.0-or-later
#include "report_pages.h"

#include "advise/complete_result.h"
#include "catalog/library.h"
#include "plan/plan_json.h"

#include <QProcess>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <utility>

namespace meshwright {

std::shared_ptr<const Result> resultOf(const char *preset, const std::vector<std::string> &sets) {
    static std::map<std::pair<std::string, std::vector<std::string>>, std::shared_ptr<const Result>> known;
    std::shared_ptr<const Result> &result = known[{preset, sets}];
    if (result != nullptr)
        return result;
    const Library &library = Library::standard();
    nlohmann::ordered_json document = library.json(PresetKind::plan, preset);
    for (const std::string &assignment : sets)
        set_field(document, assignment, Library::standard());
    const Outcome outcome = evaluate_document(document, library);
    if (!outcome.result)
        qFatal("%s", one_line(preset, outcome.diagnostics).c_str());
    return result = outcome.result;
}

ReportDataPointer gathered(const std::shared_ptr<const Result> &result, const ReportChapters &chapters) {
    const ReportInput input{.result = result,
                            .search = searchForReport(*result),
                            .file = QStringLiteral("plan.json"),
                            .date = QDate(2026, 11, 26),
                            .version = QStringLiteral("1.2.3")};
    return gatherReport(input, chapters);
}

std::unique_ptr<const Report> reportOf(const std::shared_ptr<const Result> &result, const ReportOptions &options) {
    // Cached, because searches and simulations are the same for all sections and paper sizes.
    static std::map<std::shared_ptr<const Result>, ReportDataPointer> known;
    ReportDataPointer &data = known[result];
    if (data == nullptr)
        data = gathered(result);
    return std::make_unique<const Report>(data, options);
}

ReportOptions sectionsNamed(const char *names) {
    QStringList unknown;
    const ReportOptions options{.chapters = ReportChapters::named(QString::fromLatin1(names), unknown)};
    if (!unknown.isEmpty())
        qFatal("no section is called %s", qPrintable(unknown.first()));
    return options;
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

QStringList pageTextsOf(const QByteArray &pdf) {
    QStringList pages = textOf(pdf).split(QLatin1Char('\f'));
    if (!pages.isEmpty() && pages.last().trimmed().isEmpty())
        pages.removeLast();
    return pages;
}

} // namespace meshwright
