// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_sections.h"

namespace meshwright {
namespace {

/// A line with tabs as spaces and no other control characters.
QString codeLine(const std::string &utf8) {
    QString line = QString::fromStdString(utf8);
    line.replace(QLatin1Char('\t'), QStringLiteral("    "));
    for (QChar &character : line)
        if (character.category() == QChar::Other_Control || character.category() == QChar::Other_Format)
            character = QLatin1Char(' ');
    return line;
}

} // namespace

ReportSection launchSection(const ReportDataPointer &data) {
    ReportSection section{ReportChapter::launch, titleOf(ReportChapter::launch), {}, {}};
    if (!data->launch)
        return section;
    const LaunchExport &launch = data->launch->files;
    section.note = data->launch->target;
    for (const Loss &lost : launch.lost)
        section.parts.emplace_back(TextPart{
            capitalised(QStringLiteral("Not expressed: ") + shownName(QString::fromStdString(lost.sentence)))});
    // The software reads the first file; the report omits the other exported files.
    const ExportFile &file = launch.files.front();
    CodePart code{QString::fromStdString(file.name), {}};
    for (const ExportLine &line : file.lines)
        for (const QString &part : codeLine(line.text).split(QLatin1Char('\n')))
            code.lines << part;
    section.parts.emplace_back(std::move(code));
    if (launch.files.size() > 1) {
        QStringList others;
        for (std::size_t i = 1; i < launch.files.size(); ++i)
            others << QString::fromStdString(launch.files[i].name);
        section.parts.emplace_back(
            TextPart{QStringLiteral("The export also writes %1.").arg(others.join(QStringLiteral(", ")))});
    }
    return section;
}

} // namespace meshwright
