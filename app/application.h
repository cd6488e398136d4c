// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

namespace meshwright {

/// What handling an event throws becomes a notice, and the next event is handled: Qt lets nothing be thrown through its
/// event loop, so that it would end the program.
class Application : public QApplication {
    Q_OBJECT

public:
    using QApplication::QApplication;
    bool notify(QObject *receiver, QEvent *event) override;
};

} // namespace meshwright
