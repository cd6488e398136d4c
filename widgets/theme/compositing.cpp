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

/// A compositing manager owns the selection "_NET_WM_CM_Sn" of its screen (ICCCM 2.8 and EWMH). Qt's platform plugin
/// has already loaded Xlib. Its functions are resolved by name, so that no library is linked for a few calls.
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
