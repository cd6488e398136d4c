// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSocketNotifier;

namespace meshwright {

/// Reports SIGTERM, SIGHUP and SIGINT in the event loop's thread, where unsaved edits can be saved. A program may have
/// only one Termination object.
class Termination : public QObject {
    Q_OBJECT

public:
    explicit Termination(QObject *parent = nullptr);
    ~Termination() override;

Q_SIGNALS:
    void requested(int signal);

private:
    void receive();
    /// Restores the default handlers, so that further signals end the program.
    static void release();

    QSocketNotifier *m_notifier = nullptr;
};

} // namespace meshwright
