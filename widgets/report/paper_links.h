// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "report/report_options.h"

#include <QByteArray>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <variant>
#include <vector>

namespace meshwright {

/// Target of a link on paper: a figure's derivation, or a section.
using PaperTarget = std::variant<FigureRef, ReportChapter>;

/// Links and link targets of a page, in units of 1/96 inch from its top left corner.
struct PageLinks {
    struct Link {
        QRectF area;
        PaperTarget to;
    };
    struct Target {
        PaperTarget what;
        qreal y = 0;
    };
    std::vector<Link> links;
    std::vector<Target> targets;
    std::vector<QRectF>
        sentences; ///< areas of sentences, in which numbers with a unit are links; other numbers are names and settings
    std::vector<QRectF> stated; ///< areas without links: fields of the plan, constants next to their sources, scales
};

/// A figure that is a link in the report.
struct ReportFigure {
    FigureRef figure;
    std::size_t page = 0; ///< page of the link, from 0
    bool leads = false; ///< whether the report contains the derivation of the figure
};
/// The figures that are links, in the order of the pages.
std::vector<ReportFigure> figuresOf(const std::vector<PageLinks> &pages);

/// Areas of numbers on a page, in points from its top left corner.
struct ReportPlaces {
    std::vector<QRectF> links; ///< links to a derivation
    std::vector<QRectF>
        sentences; ///< areas of sentences, in which numbers with a unit are links; other numbers are names and settings
    std::vector<QRectF> stated; ///< fields of the plan, constants next to their sources, scales, names
};
/// The areas of numbers by page.
std::vector<ReportPlaces> placesOn(const std::vector<PageLinks> &pages);

/// An entry of the document's outline, which readers show next to the pages.
struct PdfOutline {
    QString title;
    ReportChapter chapter;
};

/// The document with its links and an outline; links without a target are omitted. Qt 6.4 writes neither, so they are
/// added as an incremental update (ISO 32000-1, section 7.5.6).
/// @param pdf  written by QPdfWriter, with one page for each of `pages`
/// @param pageHeight  in units of 1/96 inch
QByteArray withLinks(const QByteArray &pdf, const std::vector<PageLinks> &pages, qreal pageHeight,
                     const std::vector<PdfOutline> &outline);

} // namespace meshwright
