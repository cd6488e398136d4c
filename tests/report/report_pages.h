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

/// A preset's result with fields set, as on the command line.
std::shared_ptr<const Result> resultOf(const char *preset, const std::vector<std::string> &sets = {});

/// What a report of a result shows, gathered anew.
ReportDataPointer gathered(const std::shared_ptr<const Result> &result,
                           const ReportChapters &chapters = ReportChapters::all());

/// The report of a result, with a search for better configurations, dated and versioned alike in every test.
std::unique_ptr<const Report> reportOf(const std::shared_ptr<const Result> &result, const ReportOptions &options = {});
/// One section, or some, by their names on the command line.
ReportOptions sectionsNamed(const char *names);

/// What a tool of poppler-utils says of a PDF.
QString said(const QString &tool, const QByteArray &pdf, const QStringList &options);
QString textOf(const QByteArray &pdf);
int pagesOf(const QByteArray &pdf);
/// The text of each page.
QStringList pageTextsOf(const QByteArray &pdf);

} // namespace meshwright
