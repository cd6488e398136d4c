// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/compositing.h"

#include <QByteArray>
#include <QGuiApplication>
#include <QLibrary>

#if QT_CONFIG(xcb)
#include <QtGui/qguiapplication_platform.h>
#endif

namespace meshwright {

#if QT_CONFIG(xcb)
namespace {

/// ICCCM 2.8 with EWMH "_NET_WM_CM_Sn": a compositing manager owns the selection of its screen. Xlib is in the process
/// already, with Qt's platform plugin; it is asked by name so that nothing has to be linked for two calls.
bool hasCompositingManager(Display *display) {
    using DefaultScreen = int (*)(Display *);
    using InternAtom = unsigned long (*)(Display *, const char *, int);
    using SelectionOwner = unsigned long (*)(Display *, unsigned long);
    QLibrary xlib(QStringLiteral("X11"), 6);
    const auto defaultScreen = reinterpret_cast<DefaultScreen>(xlib.resolve("XDefaultScreen"));
    const auto internAtom = reinterpret_cast<InternAtom>(xlib.resolve("XInternAtom"));
    const auto selectionOwner = reinterpret_cast<SelectionOwner>(xlib.resolve("XGetSelectionOwner"));
    if (defaultScreen == nullptr || internAtom == nullptr || selectionOwner == nullptr)
        return false;
    const QByteArray name = QByteArrayLiteral("_NET_WM_CM_S") + QByteArray::number(defaultScreen(display));
    return selectionOwner(display, internAtom(display, name.constData(), 0)) != 0;
}

} // namespace
#endif

bool screenComposites() {
#if QT_CONFIG(xcb)
    if (auto *x11 = qGuiApp->nativeInterface<QNativeInterface::QX11Application>())
        return x11->display() != nullptr && hasCompositingManager(x11->display());
#endif
    return true;
}

} // namespace meshwright
