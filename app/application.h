// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

namespace meshwright {

/// Turns exceptions of event handlers into notices and continues. Without this, an exception that reaches Qt's event
/// loop would terminate the program.
class Application : public QApplication {
    Q_OBJECT

public:
    using QApplication::QApplication;
    bool notify(QObject *receiver, QEvent *event) override;
};

} // namespace meshwright
