// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the plan's file, name and snapshots, crash recovery, and changes by other programs.
#include "autosave.h"
#include "controls/notice_strip.h"
#include "controls/text_undo.h"
#include "export_menu.h"
#include "file_controller.h"
#include "file_watch.h"
#include "header_bar.h"
#include "main_window.h"
#include "panels/details_column.h"
#include "panels/snapshot_list.h"
#include "plan/plan_page.h"
#include "plan_annotations.h"
#include "settings.h"
#include "window_layout.h"

#include <QClipboard>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QUrl>

#include <nlohmann/json.hpp>

namespace meshwright {

void MainWindow::connectFiles() {
    connect(m_watch, &FileWatch::writtenElsewhere, this, [this] {
        const PlanDocument &document = *m_session.document();
        const QString file = QFileInfo(document.path()).fileName();
        m_fileBar->announce(
            Tone::Warn,
            document.isModified()
                ? tr("Another program or window has changed %1. Your changes here are not saved.").arg(file)
                : tr("Another program or window has changed %1.").arg(file),
            tr("Reload"), tr("Keep Mine"));
    });
    connect(m_watch, &FileWatch::settled, m_fileBar, &NoticeStrip::hide);
    connect(m_fileBar, &NoticeStrip::accepted, m_files, &FileController::reload);
}

void MainWindow::connectAnnotations() {
    connect(m_header, &HeaderBar::renamed, m_annotations, &PlanAnnotations::rename);
    PlanDocument *document = m_session.document();
    SnapshotList *list = m_details->snapshots();
    connect(document, &PlanDocument::snapshotsChanged, this, &MainWindow::showSnapshots);
    connect(list, &SnapshotList::saveWanted, m_annotations, &PlanAnnotations::saveSnapshot);
    connect(list, &SnapshotList::restoreWanted, this, [this, document](int index) {
        commitTyping(*this); // a value that is being typed becomes its own undo step first
        document->restoreSnapshot(static_cast<std::size_t>(index));
    });
    connect(list, &SnapshotList::removeWanted, this, [this, document](int index) {
        const auto at = static_cast<std::size_t>(index);
        const PlanSnapshot removed = document->snapshots().at(at);
        document->removeSnapshot(at);
        m_notice->announcePassing(Tone::Neutral, tr("Snapshot “%1” removed.").arg(removed.name),
                                  {{tr("Restore"), [this, document, at, removed] {
                                        m_notice->hide();
                                        document->insertSnapshot(at, removed);
                                    }}});
    });
}

void MainWindow::showSnapshots() {
    QVector<SnapshotList::Entry> entries;
    for (const PlanSnapshot &snapshot : m_session.document()->snapshots())
        entries.append(
            {.name = snapshot.name, .time = QLocale().toString(snapshot.time.toLocalTime(), QLocale::ShortFormat)});
    m_details->snapshots()->showSnapshots(entries);
}

void MainWindow::announceWriting(const QString &path) {
    m_notice->announcePassing(Tone::Neutral, tr("Writing %1 …").arg(QFileInfo(path).fileName()),
                              {{tr("Stop"), [this] { m_export->stop(); }}});
}

void MainWindow::announceFile(const QString &path) {
    const QFileInfo file(path);
    const auto open = [](const QString &what) { QDesktopServices::openUrl(QUrl::fromLocalFile(what)); };
    m_notice->announcePassing(
        Tone::Good, tr("Exported %1").arg(file.fileName()),
        {{tr("Open"), [open, whole = file.absoluteFilePath()] { open(whole); }},
         {tr("Show in Folder"), [open, folder = file.absolutePath()] { open(folder); }},
         {tr("Copy Path"), [whole = file.absoluteFilePath()] { QGuiApplication::clipboard()->setText(whole); }}});
}

void MainWindow::showOrigin() {
    const PlanDocument *document = m_session.document();
    const QString file = QFileInfo(document->path()).fileName();
    QString state;
    if (!file.isEmpty())
        state = document->isModified() ? tr("%1, changed").arg(file) : file;
    else if (document->isModified())
        state = tr("changed, not saved");
    else
        state = document->origin() == PlanOrigin::Preset ? tr("preset") : tr("not saved");
    m_header->setPlan(document->name(), state, document->notes());
    setWindowTitle(tr("%1[*] — Meshwright").arg(document->name()));
    setWindowModified(document->isModified());
}

void MainWindow::offerRecovery() {
    const std::optional<LeftBehind> left = m_autosave->leftBehind();
    if (!left)
        return;
    m_recoveryBar->announce(Tone::Accent,
                            tr("“%1” has unsaved changes from %2, when the program ended unexpectedly.")
                                .arg(left->name, QLocale().toString(left->time, QLocale::ShortFormat)),
                            tr("Recover"), tr("Discard"));
    // Deleted when the user has answered. This disconnects and destroys both lambdas, which hold this window's lock on
    // the recovery copy.
    auto *answers = new QObject(m_recoveryBar);
    connect(m_recoveryBar, &NoticeStrip::accepted, answers, [this, left, answers] {
        if (!m_files->mayDiscard()) {
            m_recoveryBar->show(); // offers recovery again, because the user kept the unsaved plan
            return;
        }
        delete answers;
        m_session.document()->recover(*left->document, left->origin);
        m_autosave->adopt(*left);
        offerRecovery(); // another killed session may also have left a copy
    });
    connect(m_recoveryBar, &NoticeStrip::dismissed, answers, [this, left, answers] {
        delete answers;
        Autosave::discard(*left);
        offerRecovery();
    });
}

void MainWindow::endKeepingWork(int signal) {
    constexpr int endedBySignal = 128; // a shell reports exit status 128 + N for a process that was ended by signal N
    m_autosave->leaveBehind();
    QCoreApplication::exit(endedBySignal + signal);
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
    m_export->settle();
    m_layout->save();
    m_settings.sync();
    event->accept();
}

} // namespace meshwright
