// SPDX-License-Identifier: GPL-3.0-or-later
#include "unattended.h"

#include "cli/failure.h"
#include "input/files.h"

#include <QApplication>
#include <QElapsedTimer>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string_view>

namespace meshwright {

namespace {

void keepSilent(QtMsgType type, const QMessageLogContext &, const QString &message) {
    if (type == QtFatalMsg)
        std::fprintf(stderr, "meshwright: %s\n", qPrintable(message));
}

} // namespace

UnattendedWindow::UnattendedWindow(const nlohmann::ordered_json &plan, const Library &library, const QSize &size)
    : m_settings(m_folder.filePath(QStringLiteral("settings.ini")))
    , m_window(library, m_settings, m_prompts, m_folder.filePath(QStringLiteral("autosave"))) {
    m_window.session()->document()->replace(plan, PlanOrigin::Preset);
    m_window.resize(size);
    m_window.show();
    m_window.resize(size); // the platform may have changed the size when showing the window
}

void UnattendedWindow::resize(const QSize &size) {
    m_window.resize(size);
    QApplication::sendPostedEvents();
    QApplication::processEvents();
}

bool UnattendedWindow::settle(std::chrono::milliseconds timeout, const std::function<bool()> &isDone) {
    const auto isComplete = [&] {
        const PlanView &view = m_window.session()->view();
        return view.freshness == Freshness::Fresh && view.diagnosticsComplete && isDone();
    };
    QElapsedTimer time;
    time.start();
    QApplication::processEvents(); // views that were just shown request their figures
    while (!isComplete() && time.elapsed() < timeout.count())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    // Several passes: the result changes layouts, which resize widgets.
    for (int pass = 0; pass < 3; ++pass) {
        QApplication::sendPostedEvents();
        QApplication::processEvents();
    }
    return isComplete();
}

void prepareWithoutDisplay() {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(keepSilent);
}

void writeFile(const std::string &file, const QByteArray &bytes) {
    naming(file, [&] {
        write_file_atomically(file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    });
}

} // namespace meshwright
