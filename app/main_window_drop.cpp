// SPDX-License-Identifier: GPL-3.0-or-later
#include "main_window.h"

#include "compare/compare_view.h"
#include "compare_controller.h"
#include "file_controller.h"
#include "import_controller.h"

#include <QDragEnterEvent>
#include <QMimeData>

namespace meshwright {

namespace {

/// Maximum number of dropped files: enough for a script, its configuration and a few files that describe the machine.
constexpr int maxDropped = 16;

QStringList localFiles(const QMimeData &data) {
    QStringList paths;
    for (const QUrl &url : data.urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    return paths;
}

} // namespace

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
    const QStringList paths = localFiles(*event->mimeData());
    if ((!paths.isEmpty() && paths.size() <= maxDropped) || (paths.isEmpty() && event->mimeData()->hasText()))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
    const QStringList paths = localFiles(*event->mimeData());
    if (paths.size() > maxDropped)
        return;
    event->acceptProposedAction();
    if (!paths.isEmpty())
        openPaths(paths);
    else if (event->mimeData()->hasText())
        m_imports->importText(event->mimeData()->text());
}

void MainWindow::openPaths(const QStringList &paths) {
    if (paths.size() > 1)
        m_imports->importFiles(paths);
    else if (paths.first().endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive))
        showEvidenceOf(paths.first());
    else if (view<CompareView>()->isVisible())
        m_compared->addFile(paths.first());
    else
        m_files->openFile(paths.first());
}

} // namespace meshwright
