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

/// What a tool of poppler-utils says of a PDF.
QString said(const QString &tool, const QByteArray &pdf, const QStringList &options);
QString textOf(const QByteArray &pdf);
int pagesOf(const QByteArray &pdf);
/// Pages before the formulas, which begin on a page of their own.
int pagesBeforeFormulas(const QByteArray &pdf);

} // namespace meshwright
