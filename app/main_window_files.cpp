// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow and the plan's file: what a crash left behind, and what other programs write.
#include "autosave.h"
#include "file_controller.h"
#include "file_watch.h"
#include "main_window.h"
#include "panels/notice_strip.h"
#include "settings.h"
#include "window_layout.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QLocale>

#include <nlohmann/json.hpp>

namespace meshwright {

void MainWindow::connectFiles() {
    connect(m_watch, &FileWatch::writtenElsewhere, this, [this] {
        const PlanDocument &document = *m_session.document();
        const QString file = QFileInfo(document.path()).fileName();
        m_fileBar->announce(
            Tone::Warn,
            document.isModified()
                ? tr("Another program or window has written %1. Your changes here are not saved.").arg(file)
                : tr("Another program or window has written %1.").arg(file),
            tr("Reload"), tr("Keep Mine"));
    });
    connect(m_watch, &FileWatch::settled, m_fileBar, &NoticeStrip::hide);
    connect(m_fileBar, &NoticeStrip::accepted, m_files, &FileController::reload);
}

void MainWindow::offerRecovery() {
    const std::optional<LeftBehind> left = m_autosave->leftBehind();
    if (!left)
        return;
    m_recoveryBar->announce(Tone::Accent,
                            tr("“%1” was not saved when the program last ended, on %2.")
                                .arg(left->name, QLocale().toString(left->time, QLocale::ShortFormat)),
                            tr("Recover"), tr("Discard"));
    // One answer ends both connections, and with them this window's claim.
    auto *answers = new QObject(m_recoveryBar);
    connect(m_recoveryBar, &NoticeStrip::accepted, answers, [this, left, answers] {
        if (!m_files->mayDiscard()) {
            m_recoveryBar->show(); // asked again
            return;
        }
        answers->deleteLater();
        m_session.document()->recover(*left->document, left->origin);
        m_autosave->flush(); // the new copy is there before the old one goes
        Autosave::discard(*left);
    });
    connect(m_recoveryBar, &NoticeStrip::dismissed, answers, [left, answers] {
        answers->deleteLater();
        Autosave::discard(*left);
    });
}

void MainWindow::changeEvent(QEvent *event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        m_watch->check();
}

void MainWindow::closeEvent(QCloseEvent *event) {
    if (!m_files->mayDiscard()) {
        event->ignore();
        return;
    }
    m_layout->save();
    m_settings.sync();
    event->accept();
}

} // namespace meshwright
