// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"

#include <QByteArray>
#include <QRectF>

#include <vector>

namespace meshwright {

/// Links and link targets of a page, in units of 1/96 inch from its top left corner.
struct PageLinks {
    struct Link {
        QRectF area;
        FigureRef figure;
    };
    struct Target {
        FigureRef figure;
        qreal y = 0;
    };
    std::vector<Link> links;
    std::vector<Target> targets;
    std::vector<QRectF> sentences; ///< sentences: numbers with a unit are links, others are names and settings
    std::vector<QRectF> stated; ///< areas without links: fields of the plan, constants next to their sources, scales
};

struct ReportFigure;
struct ReportPlaces;
/// The figures that are links, in the order of the pages, and whether their targets exist.
std::vector<ReportFigure> figuresOf(const std::vector<PageLinks> &pages);

/// The areas of numbers by page.
std::vector<ReportPlaces> placesOn(const std::vector<PageLinks> &pages);

/// The document with each link leading to the target of its figure; links without a target are left out. Qt 6.4 cannot
/// write links within a document, so they are added as an incremental update (ISO 32000-1, section 7.5.6).
/// @param pdf  written by QPdfWriter, with one page for each of `pages`
QByteArray withLinks(const QByteArray &pdf, const std::vector<PageLinks> &pages);

} // namespace meshwright
