// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_preview.h"

#include "theme/theme.h"

#include <QPaintEvent>
#include <QPainter>

#include <cmath>
#include <utility>

namespace meshwright {
namespace {

constexpr int SheetGap = 16; ///< pixels between pages, and around them

QSize sheetOf(const QImage &page) {
    return (QSizeF(page.size()) / page.devicePixelRatio()).toSize();
}

} // namespace

PagePreview::PagePreview(QWidget *parent)
    : QWidget(parent) {
    setAccessibleName(tr("Preview of the pages"));
}

void PagePreview::setPages(std::vector<QImage> pages) {
    m_pages = std::move(pages);
    setAccessibleDescription(m_pages.size() == 1 ? tr("1 page") : tr("%1 pages").arg(m_pages.size()));
    updateGeometry();
    update();
}

QSize PagePreview::sizeHint() const {
    if (m_pages.empty())
        return {2 * SheetGap, 2 * SheetGap};
    const QSize sheet = sheetOf(m_pages.front());
    return {sheet.width() + 2 * SheetGap, SheetGap + static_cast<int>(m_pages.size()) * (sheet.height() + SheetGap)};
}

void PagePreview::paintEvent(QPaintEvent *event) {
    if (m_pages.empty())
        return;
    QPainter painter(this);
    const QSize sheet = sheetOf(m_pages.front());
    const int left = std::max(SheetGap, (width() - sheet.width()) / 2);
    int top = SheetGap;
    for (const QImage &page : m_pages) {
        const QRect place(QPoint(left, top), sheet);
        if (place.intersects(event->rect())) {
            painter.drawImage(place.topLeft(), page);
            painter.setPen(Theme::of(this).colour(ColourRole::Line));
            painter.drawRect(place.adjusted(-1, -1, 0, 0));
        }
        top += sheet.height() + SheetGap;
    }
}

} // namespace meshwright
