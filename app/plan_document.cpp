// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_document.h"

#include "exchange/rate_trace_file.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "input/left_files.h"
#include "input/schema_version.h"
#include "plan/plan_json.h"
#include "silent_changes.h"

#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

/// Default name of new plans; a plan with this name counts as unnamed.
constexpr QLatin1String untitled("Untitled plan");

/// Maximum number of undo steps. All are held in memory as long as the window is open.
constexpr int maxSteps = 1000;

QString writtenName(const ordered_json &document) {
    if (!document.is_object() || !document.contains("name") || !document.at("name").is_string())
        return {};
    return QString::fromStdString(document.at("name").get<std::string>()).simplified();
}

/// Only documents with the plan schema are opened and saved, so that saving never overwrites other JSON files.
void requirePlan(const ordered_json &document) {
    static const std::string expected = R"(expected "schema": "meshwright.plan/1")";
    if (!document.is_object() || !document.contains("schema"))
        throw InputError("", "not a plan (no `schema`)", expected);
    const ordered_json &schema = document.at("schema");
    if (schema.is_string() && is_newer_schema(schema.get<std::string>(), "meshwright.plan/1"))
        throw InputError("", "`schema` " + schema_fault(schema.get<std::string>(), "meshwright.plan/1"), expected);
    if (schema != "meshwright.plan/1")
        throw InputError("", "not a plan (`schema` is " + schema.dump() + ")", expected);
}

} // namespace

PlanDocument::PlanDocument(const Library &library, QObject *parent)
    : QObject(parent)
    , m_library(library)
    , m_json(std::make_shared<ordered_json>(ordered_json::object())) {
    m_undo.setUndoLimit(maxSteps);
    connect(&m_undo, &QUndoStack::cleanChanged, this, &PlanDocument::originChanged);
}

PlanDocument::~PlanDocument() {
    m_undo.disconnect(this); // otherwise the stack's destructor would signal a partially destroyed document
}

QString PlanDocument::name() const {
    const QString given = writtenName(*m_json);
    if (!given.isEmpty())
        return given;
    return path().isEmpty() ? tr("Untitled plan") : QFileInfo(path()).completeBaseName();
}

QString PlanDocument::notes() const {
    const auto found = m_json->is_object() ? m_json->find("notes") : m_json->end();
    if (found == m_json->end() || found->is_null())
        return {};
    if (found->is_string())
        return QString::fromStdString(found->get<std::string>());
    QStringList lines;
    for (const ordered_json &line : *found)
        lines.append(QString::fromStdString(line.is_string() ? line.get<std::string>() : line.dump()));
    return lines.join(QLatin1Char('\n'));
}

ordered_json PlanDocument::whole() const {
    return withSnapshots(*m_json, m_snapshots);
}

bool PlanDocument::isUnnamed() const {
    const QString given = writtenName(*m_json);
    return given.isEmpty() || given == untitled;
}

void PlanDocument::apply(const PlanEdit &edit) {
    auto after = std::make_shared<ordered_json>(*m_json);
    const ordered_json patch = parse_json(edit.patch);
    merge_patch(*after, patch);
    keepUntouchedFields(*m_json, *after, patch, m_library);
    if (*after == *m_json) {
        if (edit.pace == EditPace::Settled)
            seal();
        return;
    }
    if (edit.pace == EditPace::Settled)
        seal();
    m_isDragged = edit.pace == EditPace::Live;
    push(edit, std::move(after));
    m_isDragged = false;
}

void PlanDocument::push(const PlanEdit &edit, DocumentPointer after) {
    const auto same = [this](const ordered_json &first, const ordered_json &second) {
        return first == second || read_plan(first, m_library).plan == read_plan(second, m_library).plan;
    };
    m_undo.push(new EditCommand(
        edit, std::move(after),
        {.document = [this] { return m_json; }, .set = [this](DocumentPointer json) { setJson(std::move(json)); }},
        same));
}

void PlanDocument::pushWhole(const QString &subject, DocumentPointer after) {
    seal();
    if (*after == *m_json)
        return;
    push({.field = {}, .subject = subject, .from = {}, .to = {}, .patch = {}, .pace = EditPace::Settled},
         std::move(after));
}

void PlanDocument::setSnapshots(PlanSnapshots snapshots, bool changed) {
    m_snapshots = std::move(snapshots);
    m_snapshotsChanged = changed;
    Q_EMIT snapshotsChanged();
}

void PlanDocument::addSnapshot(const QString &name) {
    insertSnapshot(m_snapshots.size(), {.name = name, .time = QDateTime::currentDateTimeUtc(), .plan = m_json});
}

void PlanDocument::insertSnapshot(std::size_t index, PlanSnapshot snapshot) {
    PlanSnapshots all = m_snapshots;
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(std::min(index, all.size())), std::move(snapshot));
    setSnapshots(std::move(all), true);
    Q_EMIT originChanged();
}

void PlanDocument::removeSnapshot(std::size_t index) {
    PlanSnapshots all = m_snapshots;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
    setSnapshots(std::move(all), true);
    Q_EMIT originChanged();
}

void PlanDocument::restoreSnapshot(std::size_t index) {
    const PlanSnapshot &snapshot = m_snapshots.at(index);
    pushWhole(tr("Restored %1").arg(snapshot.name), snapshot.plan);
}

void PlanDocument::seal() {
    if (EditCommand *command = lastCommand())
        command->seal();
}

ordered_json PlanDocument::documentAt(int steps) const {
    const auto difference = [this](int step) -> const DocumentDifference & {
        return static_cast<const EditCommand *>(m_undo.command(step))->difference();
    };
    ordered_json document = *m_json;
    for (int step = m_undo.index(); step > steps; --step)
        document = difference(step - 1).before(std::move(document));
    for (int step = m_undo.index(); step < std::min(steps, m_undo.count()); ++step)
        document = difference(step).after(std::move(document));
    return document;
}

EditCommand *PlanDocument::lastCommand() {
    // QUndoStack returns only const commands. This stack contains only EditCommands.
    const QUndoCommand *command = m_undo.index() > 0 ? m_undo.command(m_undo.index() - 1) : nullptr;
    return const_cast<EditCommand *>(static_cast<const EditCommand *>(command));
}

void PlanDocument::replaceWith(ordered_json document, const PlanFile &file) {
    m_undo.clear();
    m_unsavedOrigin = false;
    m_file = file;
    setSnapshots(takeSnapshots(document), false);
    Q_EMIT replaced();
    setJson(std::make_shared<ordered_json>(std::move(document)));
    Q_EMIT originChanged();
}

void PlanDocument::replace(ordered_json document, PlanOrigin origin) {
    m_origin = origin;
    replaceWith(std::move(document), {});
}

void PlanDocument::recover(ordered_json document, const PlanFile &file) {
    m_origin = PlanOrigin::New;
    replaceWith(std::move(document), file);
    m_unsavedOrigin = true;
    Q_EMIT originChanged();
}

ordered_json PlanDocument::read(const QString &path) {
    const std::filesystem::path file(path.toStdString());
    settle_folder(file.has_parent_path() ? file.parent_path() : ".");
    ordered_json document = read_json_file(file);
    requirePlan(document);
    take_in_rate_traces(document, file.parent_path(), TracePlaces::InFolder);
    return document;
}

void PlanDocument::open(const QString &path) {
    // Hash the content before reading the plan, so that a change in between is detected.
    const QByteArray seen = PlanFile::contentOf(path);
    replaceWith(read(path), PlanFile(path, seen));
}

void PlanDocument::reload() {
    const QString path = m_file.path();
    const QByteArray seen = PlanFile::contentOf(path);
    ordered_json document = read(path);
    m_file = PlanFile(path, seen);
    PlanSnapshots theirs = takeSnapshots(document);
    const std::size_t many = theirs.size();
    PlanSnapshots all = joined(std::move(theirs), m_snapshots);
    const bool changed = all.size() != many;
    setSnapshots(std::move(all), changed);
    pushWhole(tr("Reloaded %1").arg(QFileInfo(path).fileName()), std::make_shared<ordered_json>(std::move(document)));
    m_unsavedOrigin = false;
    m_undo.setClean();
    Q_EMIT originChanged();
}

void PlanDocument::save(const QString &path) {
    requirePlan(*m_json);
    const std::string text = document_text(whole());
    write_file_atomically(std::filesystem::path(path.toStdString()), text);
    m_file = PlanFile(path, PlanFile::hashOf(QByteArray::fromStdString(text)));
    m_unsavedOrigin = false;
    m_snapshotsChanged = false;
    seal();
    m_undo.setClean();
    Q_EMIT originChanged();
}

void PlanDocument::setJson(DocumentPointer json) {
    m_json = std::move(json);
    Q_EMIT changed();
}

} // namespace meshwright
