// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_document.h"

#include "exchange/rate_trace_file.h"
#include "input/json_document.h"
#include "plan/plan_json.h"
#include "silent_changes.h"

#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace meshwright {

using nlohmann::ordered_json;

PlanDocument::PlanDocument(const Library &library, QObject *parent)
    : QObject(parent)
    , m_library(library)
    , m_json(std::make_shared<ordered_json>(ordered_json::object())) {
    connect(&m_undo, &QUndoStack::cleanChanged, this, &PlanDocument::originChanged);
}

QString PlanDocument::name() const {
    if (m_json->is_object() && m_json->contains("name") && m_json->at("name").is_string()) {
        const QString written = QString::fromStdString(m_json->at("name").get<std::string>()).simplified();
        if (!written.isEmpty())
            return written;
    }
    return m_path.isEmpty() ? tr("Untitled plan") : QFileInfo(m_path).completeBaseName();
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
    const auto same = [this](const ordered_json &first, const ordered_json &second) {
        return first == second || read_plan(first, m_library).plan == read_plan(second, m_library).plan;
    };
    const auto set = [this](DocumentPointer json) { setJson(std::move(json)); };
    m_undo.push(new EditCommand(edit, m_json, std::move(after), set, same));
}

void PlanDocument::seal() {
    if (EditCommand *command = lastCommand())
        command->seal();
}

EditCommand *PlanDocument::lastCommand() {
    // QUndoStack hands out const commands only; this stack holds nothing but our own.
    const QUndoCommand *command = m_undo.index() > 0 ? m_undo.command(m_undo.index() - 1) : nullptr;
    return const_cast<EditCommand *>(static_cast<const EditCommand *>(command));
}

void PlanDocument::replace(ordered_json document, const QString &path) {
    m_undo.clear();
    m_unsavedOrigin = false;
    m_path = path;
    Q_EMIT replaced();
    setJson(std::make_shared<ordered_json>(std::move(document)));
    Q_EMIT originChanged();
}

void PlanDocument::recover(ordered_json document, const QString &path) {
    replace(std::move(document), path);
    m_unsavedOrigin = true;
    Q_EMIT originChanged();
}

void PlanDocument::open(const QString &path) {
    ordered_json document = read_json_file(std::filesystem::path(path.toStdString()));
    if (!document.is_object())
        throw InputError("", "a plan is a JSON object", "an object with \"schema\", \"cluster\" and \"model\"");
    take_in_rate_traces(document, std::filesystem::path(path.toStdString()).parent_path());
    replace(std::move(document), path);
}

void PlanDocument::save(const QString &path) {
    write_file_atomically(std::filesystem::path(path.toStdString()), m_json->dump(2) + "\n");
    m_path = path;
    m_unsavedOrigin = false;
    seal();
    m_undo.setClean();
    Q_EMIT originChanged();
}

void PlanDocument::setJson(DocumentPointer json) {
    m_json = std::move(json);
    Q_EMIT changed();
}

} // namespace meshwright
