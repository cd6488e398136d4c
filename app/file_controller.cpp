// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_controller.h"

#include "adopted_file.h"
#include "catalog/library.h"
#include "controls/text_undo.h"
#include "exchange/rate_trace_file.h"
#include "import_controller.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "input/json_document.h"
#include "input/left_files.h"
#include "launch/launch_file.h"
#include "plan_session.h"
#include "prompts.h"
#include "recent_files.h"
#include "settings.h"

#include <QDir>
#include <QFileInfo>
#include <QWidget>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>
#include <thread>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

/// Name of a model configuration: the folder's name if the file has the usual name config.json, otherwise the file's
/// name.
QString nameOf(const QString &path) {
    const QFileInfo info(path);
    return info.fileName() == QStringLiteral("config.json") ? info.absoluteDir().dirName() : info.completeBaseName();
}

QString words(const std::exception &error) {
    return QString::fromUtf8(error.what());
}

/// The error for a file that is not a plan: "package.json: not a plan (no `schema`)".
QString wordsOn(const QString &path, const InputError &error) {
    const QString file = QFileInfo(path).fileName();
    const Diagnostic &first = error.diagnostics().front();
    if (first.fields.empty() || first.fields.front().empty())
        return FileController::tr("%1: %2").arg(file, QString::fromStdString(first.message.text));
    return QString::fromStdString(one_line(file.toStdString(), error.diagnostics()));
}

ordered_json firstPlan() {
    return {
        {"schema", "meshwright.plan/1"}, {"name", "Untitled plan"}, {"cluster", "dgx-h100"}, {"model", "llama-3.1-8b"}};
}

/// Whether a file is a candidate for import. A document with this program's schema is not a candidate, so that its
/// errors are reported as errors of a plan.
bool isLaunchFile(const QString &path) {
    if (QFileInfo(path).suffix().compare(QStringLiteral("plan"), Qt::CaseInsensitive) == 0)
        return false;
    try {
        const LaunchFile file{.name = QFileInfo(path).fileName().toStdString(),
                              .text = read_launch_file(std::filesystem::path(path.toStdString()))};
        if (file.text.size() > largest_input_bytes) // only memory profiles may exceed the limit
            return true;
        return file.text.find("\"meshwright.") == std::string::npos && ImportController::recognizes(file);
    } catch (const InputError &) {
        return false;
    } catch (const FileError &) {
        return false;
    }
}

/// Whether a file is meant to be a document of this program. If so, its errors are reported with their place.
bool saysToBeJson(const QString &path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == QStringLiteral("plan") || suffix == QStringLiteral("json");
}

} // namespace

FileController::FileController(PlanSession &session, Settings &settings, Prompts &prompts, QWidget *window)
    : QObject(window)
    , m_session(session)
    , m_settings(settings)
    , m_prompts(prompts)
    , m_window(window)
    , m_recent(new RecentFiles(settings, this)) {
    connect(m_recent, &RecentFiles::chosen, this, &FileController::openFile);
}

QString FileController::planFilter() {
    return tr("Plans (*.plan *.json);;All files (*)");
}

QString FileController::openFilter() {
    return tr("Plans and launch files (*.plan *.json *.sh *.toml *.yaml *.yml *.log *.txt *.xml *.gz *.pickle);;"
              "Plans (*.plan *.json);;All files (*)");
}

bool FileController::openFile(const QString &path) {
    try {
        return adopt(path) || openPlan(path);
    } catch (const FileError &error) {
        m_recent->forget(path);
        Q_EMIT noticed(Tone::Bad, words(error));
    } catch (const InputError &error) {
        if (isLaunchFile(path))
            Q_EMIT importWanted({path});
        else if (saysToBeJson(path))
            Q_EMIT noticed(Tone::Bad, wordsOn(path, error));
        else
            Q_EMIT noticed(Tone::Bad,
                           tr("%1: not recognized; expected a plan, a model's config.json, a launch configuration, a "
                              "training log or a profiler trace")
                               .arg(QFileInfo(path).fileName()));
    }
    return false;
}

bool FileController::adopt(const QString &path) {
    const ordered_json file = read_json_file(std::filesystem::path(path.toStdString()));
    const std::optional<PlanEdit> edit = adoptingEdit(file, nameOf(path), m_session.view());
    if (!edit)
        return false;
    m_session.document()->apply(*edit);
    Q_EMIT noticed(Tone::Good,
                   tr("%1 → %2, loaded from %3. Undo to restore the old one.")
                       .arg(edit->subject, edit->to, QFileInfo(path).fileName()));
    return true;
}

bool FileController::openPlan(const QString &path) {
    PlanDocument::read(path); // a bad file throws here, before the question about unsaved changes
    if (!mayDiscard())
        return false;
    m_session.document()->open(path);
    m_recent->add(path);
    rememberFolder(path);
    Q_EMIT planOpened();
    return true;
}

bool FileController::openPreset(const QString &id) {
    if (!mayDiscard())
        return false;
    try {
        ordered_json document = m_session.library().json(PresetKind::plan, id.toStdString());
        m_session.document()->replace(std::move(document), PlanOrigin::Preset);
        Q_EMIT planOpened();
        return true;
    } catch (const std::exception &error) {
        Q_EMIT noticed(Tone::Bad, words(error));
        return false;
    }
}

bool FileController::openDocument(const ordered_json &document) {
    if (!mayDiscard())
        return false;
    m_session.document()->replace(document, PlanOrigin::New);
    Q_EMIT planOpened();
    return true;
}

void FileController::newPlan() {
    if (!mayDiscard())
        return;
    m_session.document()->replace(firstPlan(), PlanOrigin::New);
    Q_EMIT planOpened();
}

void FileController::chooseFile() {
    const QStringList paths = m_prompts.filesToOpen(m_window, tr("Open a plan, a model or launch files"),
                                                    m_settings.value(Setting::LastFolder).toString(), openFilter());
    if (paths.size() > 1)
        Q_EMIT importWanted(paths);
    else if (!paths.isEmpty())
        openFile(paths.first());
}

void FileController::chooseRateTrace() {
    const QString path =
        m_prompts.fileToOpen(m_window, tr("Open a table of the link's rate over time"),
                             m_settings.value(Setting::LastFolder).toString(), tr("Tables (*.csv);;All files (*)"));
    if (!path.isEmpty())
        openRateTrace(path);
}

bool FileController::openRateTrace(const QString &path) {
    const PlanView &view = m_session.view();
    const QString file = QFileInfo(path).fileName();
    try {
        const Wan link = view.plan.cluster.wan.value_or(Wan{});
        const ordered_json points =
            read_rate_trace_file(std::filesystem::path(path.toStdString()), link.uplink_bits_per_second);
        const QString pointer = QStringLiteral("/cluster/wan/rate_trace");
        m_session.document()->apply({.field = pointer,
                                     .subject = tr("Rate over time"),
                                     .from = {},
                                     .to = file,
                                     .patch = patchSetting(view, pointer, points),
                                     .pace = EditPace::Settled});
        rememberFolder(path);
        Q_EMIT noticed(Tone::Good, tr("Loaded %n point(s) from %1.", nullptr, int(points.size())).arg(file));
        return true;
    } catch (const FileError &error) {
        Q_EMIT noticed(Tone::Bad, words(error));
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        Q_EMIT noticed(Tone::Bad, QString::fromStdString(first.message.text + "; " + first.expected.text));
    }
    return false;
}

bool FileController::save() {
    commitTyping(*m_window);
    const QString path = m_session.document()->path();
    return path.isEmpty() ? saveAs() : write(path);
}

bool FileController::saveAs() {
    commitTyping(*m_window);
    QString suggestion = m_session.document()->path();
    if (suggestion.isEmpty()) {
        QString name = m_session.document()->name();
        name.replace(QLatin1Char('/'), QLatin1Char('-'));
        suggestion = QDir(m_settings.value(Setting::LastFolder).toString()).filePath(name + QStringLiteral(".plan"));
    }
    QString path = m_prompts.fileToSave(m_window, tr("Save the plan"), suggestion, planFilter());
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".plan");
    return write(path);
}

void FileController::nameAfter(const QString &path) {
    const QString name = QFileInfo(path).completeBaseName();
    m_session.document()->apply({.field = QStringLiteral("/name"),
                                 .subject = tr("Name"),
                                 .from = {},
                                 .to = name,
                                 .patch = ordered_json{{"name", name.toStdString()}}.dump(),
                                 .pace = EditPace::Settled});
}

bool FileController::write(const QString &path) {
    PlanDocument *document = m_session.document();
    try {
        if (const std::optional<bool> saved = settleConflict(path))
            return *saved;
        if (document->isUnnamed())
            nameAfter(path);
        rememberFolder(path); // if the program is killed while writing, leftovers in this folder are removed later
        document->save(path);
    } catch (const InputError &error) {
        Q_EMIT noticed(Tone::Bad, wordsOn(path, error));
        return false;
    } catch (const std::exception &error) {
        Q_EMIT noticed(Tone::Bad, words(error));
        return false;
    }
    m_recent->add(path);
    return true;
}

std::optional<bool> FileController::settleConflict(const QString &path) {
    const PlanDocument *document = m_session.document();
    const bool own = QFileInfo(path) == QFileInfo(document->path());
    if (!own) {
        // The file dialog has already asked whether to replace the file. A file that is not a plan was probably chosen
        // by mistake, so ask again.
        if (QFileInfo(path).size() > 0)
            PlanDocument::read(path);
        return std::nullopt;
    }
    if (!document->file().wasWrittenElsewhere())
        return std::nullopt;
    FileConflict conflict{.file = QFileInfo(path).fileName(), .differences = {}, .unreadable = {}};
    try {
        conflict.differences = fieldDifferences(PlanDocument::read(path), document->whole());
        if (conflict.differences.empty())
            return std::nullopt; // the files differ in formatting only
    } catch (const InputError &error) {
        conflict.unreadable = wordsOn(path, error);
    } catch (const FileError &error) {
        conflict.unreadable = words(error);
    }
    switch (m_prompts.askAboutConflict(m_window, conflict)) {
    case ConflictAnswer::Overwrite:
        return std::nullopt;
    case ConflictAnswer::SaveAs:
        return saveAs();
    case ConflictAnswer::Reload:
        reload();
        return false;
    case ConflictAnswer::Cancel:
        break;
    }
    return false;
}

bool FileController::reload() {
    const QString path = m_session.document()->path();
    try {
        m_session.document()->reload();
        Q_EMIT noticed(Tone::Good,
                       tr("%1 reloaded. Undo to restore the previous version.").arg(QFileInfo(path).fileName()));
        return true;
    } catch (const InputError &error) {
        Q_EMIT noticed(Tone::Bad, wordsOn(path, error));
    } catch (const FileError &error) {
        Q_EMIT noticed(Tone::Bad, words(error));
    }
    return false;
}

bool FileController::mayDiscard() {
    commitTyping(*m_window);
    if (!m_session.document()->isModified())
        return true;
    switch (m_prompts.askToSave(m_window, m_session.document()->name())) {
    case SaveAnswer::Save:
        return save();
    case SaveAnswer::Discard:
        return true;
    case SaveAnswer::Cancel:
        break;
    }
    return false;
}

void FileController::rememberFolder(const QString &path) {
    const QString folder = QFileInfo(path).absolutePath();
    if (folder == m_settings.value(Setting::LastFolder).toString())
        return;
    m_settings.set(Setting::LastFolder, folder);
    m_settings.sync();
}

void FileController::settleFolders() const {
    std::set<std::filesystem::path> folders;
    const auto add = [&folders](const QString &folder) {
        if (!folder.isEmpty())
            folders.insert(folder.toStdString());
    };
    add(m_settings.value(Setting::LastFolder).toString());
    for (const QString &file : m_recent->files())
        add(QFileInfo(file).path());
    // Runs in the background, because an unresponsive disk must delay neither the first window nor the program's exit.
    std::thread([folders] {
        for (const std::filesystem::path &folder : folders)
            settle_folder(folder);
    }).detach();
}

} // namespace meshwright
