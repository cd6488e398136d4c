// SPDX-License-Identifier: GPL-3.0-or-later
#include "autosave.h"

#include "input/diagnostic.h"
#include "input/json_document.h"
#include "plan_document.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLoggingCategory>
#include <QStandardPaths>
#include <QUuid>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

Q_LOGGING_CATEGORY(log, "meshwright.autosave")

/// From the first edit that is not kept yet: whoever edits without a pause loses no more than that.
constexpr int latestMilliseconds = 1000;

QString lockOf(const QString &file) {
    return file + QStringLiteral(".lock");
}

std::optional<LeftBehind> read(const QFileInfo &info) {
    try {
        const ordered_json saved = read_json_file(std::filesystem::path(info.absoluteFilePath().toStdString()));
        if (!saved.is_object() || !saved.contains("document") || !saved.at("document").is_object())
            return std::nullopt;
        return LeftBehind{.file = info.absoluteFilePath(),
                          .name = QString::fromStdString(saved.value("name", std::string())),
                          .origin = PlanFile(QString::fromStdString(saved.value("path", std::string())),
                                             QByteArray::fromHex(saved.value("seen", std::string()).c_str())),
                          .time = info.lastModified(),
                          .document = std::make_shared<ordered_json>(saved.at("document")),
                          .claim = nullptr};
    } catch (const std::exception &error) {
        qCWarning(log) << "not readable:" << info.absoluteFilePath() << error.what();
        return std::nullopt;
    }
}

} // namespace

QString Autosave::standardFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/autosave");
}

Autosave::Autosave(PlanDocument &document, const QString &folder, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_folder(folder) {
    QDir().mkpath(m_folder);
    m_file = m_folder + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".plan");
    m_lock = FileLock::tryToHold(lockOf(m_file));
    if (m_lock == nullptr)
        qCWarning(log) << "no lock in" << m_folder;
    m_writer.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(latestMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::write);
    connect(&m_document, &PlanDocument::changed, this, &Autosave::schedule);
    connect(&m_document, &PlanDocument::originChanged, this, &Autosave::schedule);
}

Autosave::~Autosave() {
    m_timer.stop();
    m_writer.waitForDone();
    if (!m_stays)
        QFile::remove(m_file); // this session ended by itself: whoever closed the window was asked
}

void Autosave::schedule() {
    if (m_document.isModified()) {
        if (!m_timer.isActive())
            m_timer.start();
    } else {
        m_timer.stop();
        remove();
    }
}

void Autosave::write() {
    const ordered_json saved{{"name", m_document.name().toStdString()},
                             {"path", m_document.path().toStdString()},
                             {"seen", m_document.file().seen().toHex().toStdString()},
                             {"document", m_document.whole()}};
    m_writer.start([this, text = saved.dump(), path = m_file.toStdString()] {
        QString problem;
        try {
            std::filesystem::create_directories(std::filesystem::path(path).parent_path());
            write_file_atomically(path, text);
        } catch (const std::exception &error) {
            problem = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(
            this, [this, problem] { receive(problem); }, Qt::QueuedConnection);
    });
}

void Autosave::receive(const QString &problem) {
    constexpr int patience = 2000; // milliseconds
    const bool failing = !problem.isEmpty();
    if (failing && m_document.isModified() && !m_timer.isActive())
        QTimer::singleShot(patience, this, [this] {
            if (m_failing)
                schedule();
        });
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
    m_writer.start([file = m_file] { QFile::remove(file); });
}

void Autosave::flush() {
    if (m_timer.isActive()) {
        m_timer.stop();
        write();
    }
    m_writer.waitForDone();
}

void Autosave::leaveBehind() {
    m_stays = m_document.isModified();
    flush();
}

std::optional<LeftBehind> Autosave::leftBehind() const {
    const QDir folder(m_folder);
    // A session that was killed leaves its lock, whether or not it had anything to save.
    for (const QFileInfo &lock : folder.entryInfoList({QStringLiteral("*.plan.lock")}, QDir::Files))
        if (!folder.exists(lock.completeBaseName()))
            FileLock::tryToHold(lock.absoluteFilePath());
    const QFileInfoList files = folder.entryInfoList({QStringLiteral("*.plan")}, QDir::Files, QDir::Time);
    for (const QFileInfo &info : files) {
        if (info.absoluteFilePath() == QFileInfo(m_file).absoluteFilePath())
            continue;
        std::shared_ptr<FileLock> claim = FileLock::tryToHold(lockOf(info.absoluteFilePath()));
        if (claim == nullptr)
            continue; // another window's, or offered by one
        if (std::optional<LeftBehind> left = read(info)) {
            left->claim = std::move(claim);
            return left;
        }
        QFile::rename(info.absoluteFilePath(), info.absoluteFilePath() + QStringLiteral(".unread"));
    }
    return std::nullopt;
}

void Autosave::discard(const LeftBehind &left) {
    QFile::remove(left.file);
}

} // namespace meshwright
