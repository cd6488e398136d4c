// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <QByteArray>
#include <QImage>
#include <QString>

namespace meshwright {

/// A result on paper, drawn from the same painters as the window but without any widget. Needs a QGuiApplication, on
/// any platform, "offscreen" included. The same result gives the same pages.
/// @param version  of the program, for the footer and the metadata

/// A4 pages, vectors throughout, fonts embedded, text that can be searched and copied.
QByteArray reportPdf(const Result &result, const QString &version);

/// The first page.
/// @param scale  pixels for each of the page's 1/96 inch
QImage reportImage(const Result &result, const QString &version, qreal scale = 2);

/// Memory of every stage and the terms of the step as one vector drawing.
QByteArray reportSvg(const Result &result);

} // namespace meshwright
