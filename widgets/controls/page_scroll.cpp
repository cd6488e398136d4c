// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/page_scroll.h"

#include <QScrollArea>

namespace meshwright {

void scrollPage(QScrollArea *area, QWidget *page) {
    area->setWidget(page);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->viewport()->setAutoFillBackground(false);
    page->setAutoFillBackground(false);
}

} // namespace meshwright
