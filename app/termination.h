// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSocketNotifier;

namespace meshwright {

/// Tells of SIGTERM, SIGHUP and SIGINT in the thread of events, where what is unsaved can still be kept. One per
/// program.
class Termination : public QObject {
    Q_OBJECT

public:
    explicit Termination(QObject *parent = nullptr);
    ~Termination() override;

Q_SIGNALS:
    void requested(int signal);

private:
    void receive();
    /// Signals end the program by themselves from here on.
    static void release();

    QSocketNotifier *m_notifier = nullptr;
};

} // namespace meshwright
