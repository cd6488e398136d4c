// SPDX-License-Identifier: GPL-3.0-or-later
#include "termination.h"

#include <QSocketNotifier>

#include <array>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace meshwright {

namespace {

constexpr std::array endings{SIGTERM, SIGHUP, SIGINT};

/// Pipe that carries signals to the event loop, because a signal handler may call only async-signal-safe functions.
std::array<int, 2> &pipeEnds() {
    static std::array<int, 2> ends{-1, -1};
    return ends;
}

extern "C" void noteSignal(int signal) {
    const auto byte = static_cast<unsigned char>(signal);
    (void)!::write(pipeEnds()[1], &byte, 1);
}

} // namespace

Termination::Termination(QObject *parent)
    : QObject(parent) {
    if (::pipe2(pipeEnds().data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    m_notifier = new QSocketNotifier(pipeEnds()[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &Termination::receive);
    struct sigaction action { };
    action.sa_handler = noteSignal;
    action.sa_flags = SA_RESTART;
    for (const int signal : endings)
        if (std::signal(signal, SIG_DFL) == SIG_IGN)
            std::signal(signal, SIG_IGN); // nohup or the shell of a background job ignores the signal; keep that
        else
            ::sigaction(signal, &action, nullptr);
}

Termination::~Termination() {
    release();
    for (int &end : pipeEnds())
        if (end >= 0)
            ::close(std::exchange(end, -1));
}

void Termination::release() {
    for (const int signal : endings)
        if (std::signal(signal, SIG_DFL) == SIG_IGN)
            std::signal(signal, SIG_IGN);
}

void Termination::receive() {
    unsigned char byte = 0;
    if (::read(pipeEnds()[0], &byte, 1) != 1)
        return;
    Q_EMIT requested(byte);
    release(); // a second signal ends the program immediately
}

} // namespace meshwright
