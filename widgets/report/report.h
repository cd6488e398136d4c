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

/// A report of a result, drawn by the same painting code as the window but without widgets. Requires a QGuiApplication
/// on any platform, including "offscreen". The same result gives the same pages.
/// @param version  version of the program, for the footer and the metadata

/// A4 pages as vectors with embedded fonts; the text can be searched and copied.
QByteArray reportPdf(const Result &result, const QString &version);

/// A figure that is a link in the report.
struct ReportFigure {
    FigureRef figure;
    std::size_t page = 0; ///< page of the link, from 0
    bool leads = false; ///< whether the report contains its derivation
};
/// All figures that are links, page by page.
std::vector<ReportFigure> reportFigures(const Result &result);

/// Areas of numbers on a page, in points from its top left corner.
struct ReportPlaces {
    std::vector<QRectF> links; ///< links to a derivation
    std::vector<QRectF> sentences; ///< sentences: numbers with a unit are links, others are names and settings
    std::vector<QRectF> stated; ///< fields of the plan, constants next to their sources, scales, names
};
std::vector<ReportPlaces> reportPlaces(const Result &result);

/// The first page as an image.
/// @param scale  pixels per logical pixel of 1/96 inch
QImage reportImage(const Result &result, const QString &version, qreal scale = 2);

/// Memory by stage and the terms of the step time in one vector drawing.
QByteArray reportSvg(const Result &result);

} // namespace meshwright
