// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "report/report.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <memory>
#include <string>
#include <vector>

namespace meshwright {

/// Result of a preset with fields set as on the command line.
std::shared_ptr<const Result> resultOf(const char *preset, const std::vector<std::string> &sets = {});

/// The data of a report on a result, gathered anew.
ReportDataPointer gathered(const std::shared_ptr<const Result> &result,
                           const ReportChapters &chapters = ReportChapters::all());

/// The report on a result with a search for better configurations. Date and version are the same in all tests.
std::unique_ptr<const Report> reportOf(const std::shared_ptr<const Result> &result, const ReportOptions &options = {});
/// Options with the named sections, by their names on the command line.
ReportOptions sectionsNamed(const char *names);

/// Output of a tool of poppler-utils for a PDF.
QString said(const QString &tool, const QByteArray &pdf, const QStringList &options);
QString textOf(const QByteArray &pdf);
int pagesOf(const QByteArray &pdf);
/// The text of each page.
QStringList pageTextsOf(const QByteArray &pdf);

} // namespace meshwright
