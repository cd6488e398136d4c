// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"

#include "evaluate/result.h"

#include <QByteArray>
#include <QImage>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <vector>

namespace meshwright {

/// A result on paper, drawn from the same painters as the window but without any widget. Needs a QGuiApplication, on
/// any platform, "offscreen" included. The same result gives the same pages.
/// @param version  of the program, for the footer and the metadata

/// A4 pages, vectors throughout, fonts embedded, text that can be searched and copied.
QByteArray reportPdf(const Result &result, const QString &version);

/// A figure that opens in the report.
struct ReportFigure {
    FigureRef figure;
    std::size_t page = 0; ///< on which it stands, from 0
    bool leads = false; ///< its derivation stands in the report
};
/// All of them, page by page.
std::vector<ReportFigure> reportFigures(const Result &result);

/// Where numbers stand on a page, in points from its top left corner.
struct ReportPlaces {
    std::vector<QRectF> links; ///< that lead to a derivation
    std::vector<QRectF> sentences; ///< whose numbers with a unit are links; the others are names and settings
    std::vector<QRectF> stated; ///< fields of the plan, constants beside their sources, scales, names
};
std::vector<ReportPlaces> reportPlaces(const Result &result);

/// The first page.
/// @param scale  pixels for each of the page's 1/96 inch
QImage reportImage(const Result &result, const QString &version, qreal scale = 2);

/// Memory of every stage and the terms of the step as one vector drawing.
QByteArray reportSvg(const Result &result);

} // namespace meshwright
