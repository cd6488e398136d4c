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

using PaperTarget = std::variant<FigureRef, ReportChapter>;

/// Links and their targets on a page, in units of 1/96 inch from the top left corner.
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
    /// Areas of sentences, where only numbers with a unit are links; other numbers are names and settings.
    std::vector<QRectF> sentences;
    /// Areas that carry no link: plan fields, names, axis scales, and constants that stand next to their sources.
    std::vector<QRectF> stated;
};

struct ReportFigure {
    FigureRef figure;
    std::size_t page = 0; ///< page of the link, from 0
    bool leads = false; ///< whether the report contains the figure's derivation
};
/// The figures that are links, in page order.
std::vector<ReportFigure> figuresOf(const std::vector<PageLinks> &pages);

/// Areas of numbers on a page, in points from the top left corner.
struct ReportPlaces {
    std::vector<QRectF> links; ///< areas with links to a derivation
    /// Areas of sentences, where only numbers with a unit are links; other numbers are names and settings.
    std::vector<QRectF> sentences;
    /// Areas that carry no link: plan fields, names, axis scales, and constants that stand next to their sources.
    std::vector<QRectF> stated;
};
std::vector<ReportPlaces> placesOn(const std::vector<PageLinks> &pages);

/// An entry of the PDF's outline, which PDF readers show next to the pages.
struct PdfOutline {
    QString title;
    ReportChapter chapter;
};

/// Adds links and an outline to a PDF; links without a target are omitted. Qt 6.4 writes neither, so they are added as
/// an incremental update (ISO 32000-1, section 7.5.6).
/// @param pdf  written by QPdfWriter, with one page for each of `pages`
/// @param pageHeight  in units of 1/96 inch
QByteArray withLinks(const QByteArray &pdf, const std::vector<PageLinks> &pages, qreal pageHeight,
                     const std::vector<PdfOutline> &outline);

} // namespace meshwright
