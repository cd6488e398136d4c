// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view.h"

#include "theme/theme.h"

#include <QBoxLayout>
#include <QPainter>

#include <utility>

namespace meshwright {

View::View(Face face, QWidget *parent)
    : QWidget(parent)
    , m_face(std::move(face)) {
    setObjectName(m_face.name);
    setAccessibleName(m_face.title);
}

void View::hostNotice(QWidget *strip) {
    column()->insertWidget(0, strip);
}

QBoxLayout *View::column() const {
    return static_cast<QBoxLayout *>(layout());
}

void View::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), Theme::of(this).colour(ColourRole::Window));
}

} // namespace meshwright
