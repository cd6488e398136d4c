// SPDX-License-Identifier: GPL-3.0-or-later
#include "autosave.h"

#include "input/diagnostic.h"
#include "input/left_files.h"
#include "plan_document.h"
#include "set_aside.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLoggingCategory>
#include <QStandardPaths>
#include <QUuid>

namespace meshwright {

namespace {

Q_LOGGING_CATEGORY(log, "meshwright.autosave")

QString lockOf(const QString &file) {
    return file + QStringLiteral(".lock");
}

} // namespace

QString Autosave::standardFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/autosave");
}

Autosave::Autosave(PlanDocument &document, const QString &folder, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_folder(folder)
    , m_file(folder + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".plan"))
    , m_writer(m_file, [this](int number, const QString &problem) {
        QMetaObject::invokeMethod(
            this, [this, number, problem] { receive(number, problem); }, Qt::QueuedConnection);
    }) {
    constexpr int patience = 1000; // milliseconds until a failed write is retried
    hold();
    m_again.setSingleShot(true);
    m_again.setInterval(patience);
    connect(&m_again, &QTimer::timeout, this, &Autosave::schedule);
    connect(&m_document, &PlanDocument::changed, this, &Autosave::schedule);
    connect(&m_document, &PlanDocument::originChanged, this, &Autosave::schedule);
}

Autosave::~Autosave() {
    m_writer.finish();
    if (m_stays)
        return;
    forgetAdopted();
    QFile::remove(m_file); // the session ended normally, so the user has decided about unsaved changes
}

void Autosave::hold() {
    if (m_lock != nullptr)
        return;
    QDir().mkpath(m_folder);
    m_lock = FileLock::tryToHold(lockOf(m_file)); // may fail: some file systems do not support locks
}

void Autosave::schedule() {
    if (m_document.isModified()) {
        write(m_document.isDragged() ? CopyWriter::Pace::NowAndThen : CopyWriter::Pace::AtOnce);
        return;
    }
    m_again.stop();
    remove();
    setFailing(false);
}

void Autosave::write(CopyWriter::Pace pace) {
    hold();
    m_writer.write({.copy = {.name = m_document.name(),
                             .origin = m_document.file(),
                             .document = m_document.json(),
                             .snapshots = m_document.snapshots()},
                    .number = ++m_number},
                   pace);
}

void Autosave::receive(int number, const QString &problem) {
    if (!m_document.isModified())
        return; // everything is saved, so the failed copy is no longer needed
    if (!problem.isEmpty())
        m_again.start();
    else if (number >= m_adoptedBefore)
        forgetAdopted();
    setFailing(!problem.isEmpty(), problem);
}

void Autosave::setFailing(bool failing, const QString &problem) {
    if (failing == m_failing)
        return;
    m_failing = failing;
    if (failing) {
        qCWarning(log) << problem;
        Q_EMIT failed(problem);
    } else {
        Q_EMIT recovered();
    }
}

void Autosave::remove() {
    m_writer.remove();
    forgetAdopted();
}

void Autosave::adopt(const LeftBehind &left) {
    forgetAdopted();
    m_adopted = left;
    m_adoptedBefore = m_number + 1;
    schedule();
}

void Autosave::forgetAdopted() {
    if (m_adopted)
        discard(*m_adopted);
    m_adopted.reset();
}

void Autosave::flush() {
    if (m_failing)
        schedule();
    m_writer.finish();
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

void Autosave::leaveBehind() {
    m_stays = m_document.isModified();
    flush();
}

std::optional<LeftBehind> Autosave::leftBehind() {
    settle_folder(m_folder.toStdString());
    const QDir folder(m_folder);
    // A killed session leaves its lock file even if it had nothing to save.
    for (const QFileInfo &lock : folder.entryInfoList({QStringLiteral("*.plan.lock")}, QDir::Files))
        if (!folder.exists(lock.completeBaseName()))
            FileLock::tryToHold(lock.absoluteFilePath());
    const QFileInfoList files = folder.entryInfoList({QStringLiteral("*.plan")}, QDir::Files, QDir::Time);
    for (const QFileInfo &info : files) {
        if (info.absoluteFilePath() == QFileInfo(m_file).absoluteFilePath())
            continue;
        if (std::optional<LeftBehind> left = offer(info.absoluteFilePath()))
            return left;
    }
    return std::nullopt;
}

std::optional<LeftBehind> Autosave::offer(const QString &file) {
    std::shared_ptr<FileLock> claim = FileLock::tryToHold(lockOf(file));
    if (claim == nullptr && FileLock::isHeldElsewhere(lockOf(file)))
        return std::nullopt; // another window uses the file or already offers to restore it
    try {
        LeftBehind left = readCopy(file);
        left.claim = std::move(claim);
        return left;
    } catch (const NewerCopy &newer) {
        Q_EMIT unreadable(
            tr("“%1” has unsaved changes from a newer version of Meshwright. Use that version to recover them: %2")
                .arg(QString::fromUtf8(newer.what()), file));
    } catch (const FileError &error) {
        Q_EMIT unreadable(
            tr("Could not read unsaved changes from an earlier session: %1").arg(QString::fromUtf8(error.what())));
    } catch (const std::exception &error) {
        const QString name = setAside(file);
        qCWarning(log) << "not readable:" << file << error.what();
        Q_EMIT unreadable(tr("Could not read unsaved changes from an earlier session. The file was kept: %1")
                              .arg(name.isEmpty() ? file : name));
    }
    return std::nullopt;
}

void Autosave::discard(const LeftBehind &left) {
    QFile::remove(left.file);
}

} // namespace meshwright
