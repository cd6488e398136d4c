// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/edit_rest.h"

#include <QGuiApplication>

#include <utility>

namespace meshwright {

EditRest::EditRest(QObject *parent)
    : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(After);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (QGuiApplication::mouseButtons() != Qt::NoButton)
            m_timer.start(); // while the button is down, a slider is still being dragged even if it does not move
        else
            set(false);
    });
}

void EditRest::edited() {
    m_timer.start();
    set(true);
}

void EditRest::end() {
    m_timer.stop();
    set(false);
}

void EditRest::set(bool editing) {
    if (std::exchange(m_editing, editing) != editing)
        Q_EMIT editingChanged(editing);
}

} // namespace meshwright
