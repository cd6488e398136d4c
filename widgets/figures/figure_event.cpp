// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_event.h"

#include <QCoreApplication>
#include <QVariant>
#include <QWidget>

#include <utility>

namespace meshwright {

namespace {
constexpr const char *property = "notFigures";
} // namespace

FigureWantedEvent::FigureWantedEvent(FigureTarget target, const QRect &area)
    : QEvent(wanted())
    , m_target(std::move(target))
    , m_area(area) { }

QEvent::Type FigureWantedEvent::wanted() {
    static const auto type = static_cast<QEvent::Type>(QEvent::registerEventType());
    return type;
}

void wantFigure(QWidget *from, const FigureTarget &target, const QRect &area) {
    if (!opens(target))
        return;
    FigureWantedEvent event(target, area);
    QCoreApplication::sendEvent(from, &event);
}

void showsNoFigures(QWidget *widget, NotFigures why) {
    widget->setProperty(property, static_cast<int>(why));
}

bool isWithoutFigures(const QWidget *widget) {
    for (; widget != nullptr; widget = widget->parentWidget())
        if (widget->property(property).isValid())
            return true;
    return false;
}

} // namespace meshwright
