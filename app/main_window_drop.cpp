// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare_view.h"
#include "compare_controller.h"
#include "file_controller.h"
#include "main_window.h"

#include <QDragEnterEvent>
#include <QMimeData>

namespace meshwright {

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() != 1 || !urls.first().isLocalFile())
        return;
    event->acceptProposedAction();
    const QString path = urls.first().toLocalFile();
    if (path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive))
        showEvidenceOf(path);
    else if (view<CompareView>()->isVisible())
        m_compared->addFile(path);
    else
        m_files->openFile(path);
}

} // namespace meshwright
