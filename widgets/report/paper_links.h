// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"

#include <QByteArray>
#include <QRectF>

#include <vector>

namespace meshwright {

/// What opens on a page, and what is opened there, in the page's units of 1/96 inch from its top left corner.
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
    std::vector<QRectF> sentences; ///< whose numbers with a unit open; the others are names and settings
    std::vector<QRectF>
        stated; ///< whose numbers are said here: the plan's fields, constants beside their sources, scales
};

struct ReportFigure;
struct ReportPlaces;
/// What opens on the pages, in their order, and whether there is a target for it.
std::vector<ReportFigure> figuresOf(const std::vector<PageLinks> &pages);

/// What their numbers are, page by page.
std::vector<ReportPlaces> placesOn(const std::vector<PageLinks> &pages);

/// The pages with every link leading to its figure's target; links without one are left out. Qt 6.4 writes no links
/// within a document: they are added as an incremental update, ISO 32000-1, section 7.5.6.
/// @param pdf  as QPdfWriter writes it, one page for each of `pages`
QByteArray withLinks(const QByteArray &pdf, const std::vector<PageLinks> &pages);

} // namespace meshwright
