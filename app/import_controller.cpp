// SPDX-License-Identifier: GPL-3.0-or-later
#include "import_controller.h"

#include "adopted_file.h"
#include "catalog/library.h"
#include "exchange/plan_command.h"
#include "exchange/plan_text.h"
#include "file_controller.h"
#include "format_title.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "input/json_document.h"
#include "input_problem.h"
#include "launch/import_question.h"
#include "launch/launch_file.h"
#include "plan_session.h"
#include "prompts.h"
#include "views/plan_edit.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QUrl>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

/// A model configuration becomes part of the current plan instead of a new plan.
constexpr std::string_view modelKind = "hf";

QString titleOfKind(const std::string &id) {
    for (const ImportKind &kind : import_kinds())
        if (kind.id == id)
            return formatTitle(kind.id, kind.title);
    return QString::fromStdString(id);
}

std::string csvCell(const ordered_json &value) {
    std::string text = value.is_null() ? std::string() : value.is_string() ? value.get<std::string>() : value.dump();
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string rowsOf(const ordered_json &run) {
    std::string names;
    std::string cells;
    for (const auto &item : run.items()) {
        if (item.value().is_structured())
            continue; // the table has no columns for objects and arrays
        const char *const comma = names.empty() ? "" : ",";
        names += comma + csvCell(item.key());
        cells += comma + csvCell(item.value());
    }
    return names + "\r\n" + cells + "\r\n";
}

} // namespace

ImportController::ImportController(PlanSession &session, FileController &files, Prompts &prompts, QWidget *window)
    : QObject(window)
    , m_session(session)
    , m_files(files)
    , m_prompts(prompts)
    , m_window(window)
    , m_worker(
          this,
          [&session](const std::vector<LaunchFile> &asked, const std::stop_token &) {
              Reading reading;
              QStringList names;
              for (const LaunchFile &file : asked)
                  names << QString::fromStdString(file.name);
              reading.names = names.join(QStringLiteral(", "));
              try {
                  reading.imported = std::make_shared<const Imported>(import_files(asked, {}, session.library()));
              } catch (const InputError &error) {
                  reading.problem = inputProblem(error);
              }
              return reading;
          },
          [this](const Reading &reading) { receive(reading); }) { }

bool ImportController::recognizes(const LaunchFile &file) {
    const auto &kinds = import_kinds();
    return std::any_of(kinds.begin(), kinds.end(),
                       [&file](const ImportKind &kind) { return kind.id != modelKind && kind.likeness(file) > 0; });
}

void ImportController::importFiles(const QStringList &paths) {
    std::vector<LaunchFile> files;
    try {
        for (const QString &path : paths)
            files.push_back({.name = QFileInfo(path).fileName().toStdString(),
                             .text = read_launch_file(std::filesystem::path(path.toStdString()))});
    } catch (const FileError &error) {
        Q_EMIT noticed(Tone::Bad, QString::fromUtf8(error.what()));
        return;
    } catch (const InputError &error) {
        Q_EMIT noticed(
            Tone::Bad,
            tr("%1: %2").arg(QFileInfo(paths.at(static_cast<int>(files.size()))).fileName(), inputProblem(error)));
        return;
    }
    m_worker.ask(std::move(files));
}

void ImportController::importText(const QString &text) {
    const std::string own = text.toStdString();
    try {
        if (is_plan_text(own)) {
            openDocument(plan_of_text(own));
            return;
        }
        if (is_plan_command(own)) {
            openDocument(plan_of_command(own, m_session.library()));
            return;
        }
    } catch (const InputError &error) {
        Q_EMIT noticed(Tone::Bad, tr("Clipboard: %1").arg(inputProblem(error)));
        return;
    } catch (const FileError &error) {
        Q_EMIT noticed(Tone::Bad, QString::fromUtf8(error.what()));
        return;
    }
    try {
        const ordered_json document = parse_json(own);
        if (const auto edit = adoptingEdit(document, tr("clipboard"), m_session.view())) {
            m_session.document()->apply(*edit);
            Q_EMIT noticed(Tone::Good,
                           tr("%1 → %2, pasted. Undo to restore the old one.").arg(edit->subject, edit->to));
            return;
        }
        if (document.is_object() && document.contains("schema") && document["schema"].is_string()
            && document["schema"].get_ref<const std::string &>().starts_with("meshwright.plan/")) {
            openDocument(document);
            return;
        }
    } catch (const InputError &) { // text that is not JSON may be a launch file, log or trace
    }
    const LaunchFile file{.name = tr("clipboard").toStdString(), .text = own};
    if (!recognizes(file)) {
        Q_EMIT noticed(Tone::Warn, tr("The clipboard has no plan, launch configuration, log or trace to open."));
        return;
    }
    m_worker.ask({file});
}

void ImportController::paste() {
    const QMimeData *data = QGuiApplication::clipboard()->mimeData();
    QStringList paths;
    if (data != nullptr)
        for (const QUrl &url : data->urls())
            if (url.isLocalFile())
                paths << url.toLocalFile();
    if (!paths.isEmpty())
        Q_EMIT filesWanted(paths);
    else
        importText(data != nullptr && data->hasText() ? data->text() : QString());
}

bool ImportController::openDocument(const ordered_json &document) {
    if (!document.is_object() || !document.contains("schema"))
        throw InputError("", "not a plan (no `schema`)", R"(expected "schema": "meshwright.plan/1")");
    if (!m_files.openDocument(document))
        return false;
    Q_EMIT planOpened();
    return true;
}

int ImportController::likelyTier(const ordered_json &measured) const {
    const std::vector<Tier> &tiers = m_session.view().plan.cluster.tiers;
    const std::int64_t ranks =
        measured.is_object() && measured.contains("accelerators") && measured["accelerators"].is_number_integer()
        ? measured["accelerators"].get<std::int64_t>()
        : 1;
    for (std::size_t i = 0; i < tiers.size(); ++i)
        if (tiers[i].accelerators >= ranks)
            return static_cast<int>(i);
    return std::max(0, static_cast<int>(tiers.size()) - 1);
}

void ImportController::receive(const Reading &reading) {
    if (reading.imported == nullptr) {
        Q_EMIT noticed(Tone::Bad, tr("%1: %2").arg(reading.names, reading.problem));
        return;
    }
    const Imported &imported = *reading.imported;
    ImportQuestion question{.files = reading.names,
                            .kind = titleOfKind(imported.kind),
                            .imported = imported,
                            .tiers = {},
                            .tier = likelyTier(imported.document)};
    for (const Tier &tier : m_session.view().plan.cluster.tiers)
        question.tiers << QString::fromStdString(tier.name).simplified();
    if (imported.what == "run" && m_session.view().result != nullptr) {
        try {
            question.compared = compare_run(imported, *m_session.view().result, m_session.view().plan.name);
        } catch (const InputError &) { // the run has no figure to compare with the plan
        }
    }
    const std::optional<ImportAnswer> answer = m_prompts.askAboutImport(m_window, question, m_session.library());
    if (answer)
        apply(imported, *answer, reading.names);
}

void ImportController::apply(const Imported &imported, const ImportAnswer &answer, const QString &names) {
    if (imported.what == "plan") {
        openPlan(imported, answer.document, names);
    } else if (imported.what == "tier") {
        applyTier(answer.document, answer.tier);
    } else if (imported.what == "node") {
        applyNode(answer.document);
    } else if (imported.what == "run") {
        Q_EMIT runImported(names, rowsOf(answer.document));
    } else if (imported.what == "model") {
        m_session.document()->apply({.field = QStringLiteral("/model"),
                                     .subject = tr("Model"),
                                     .from = {},
                                     .to = names,
                                     .patch = patchReplacing(m_session.view(), "model", answer.document),
                                     .pace = EditPace::Settled});
    }
}

void ImportController::openPlan(const Imported &imported, ordered_json document, const QString &names) {
    if (document.is_object() && !document.contains("schema"))
        document["schema"] = "meshwright.plan/1";
    if (!openDocument(document))
        return;
    Q_EMIT noticed(Tone::Good,
                   tr("Opened from %1: %2 options set plan fields, %3 fields are assumed.")
                       .arg(names)
                       .arg(imported.understood.size())
                       .arg(imported.assumed.size()));
}

void ImportController::replaceCluster(const ordered_json &cluster, const QString &subject, const QString &to) {
    m_session.document()->apply({.field = QStringLiteral("/cluster"),
                                 .subject = subject,
                                 .from = {},
                                 .to = to,
                                 .patch = patchReplacing(m_session.view(), "cluster", cluster),
                                 .pace = EditPace::Settled});
}

/// Sets the measured bus bandwidths in a tier, and the health of the cluster to "measured".
void ImportController::applyTier(const ordered_json &tier, int index) {
    ordered_json cluster = spelledOut(m_session.view(), "cluster");
    if (!cluster.is_object() || !cluster.contains("tiers") || !cluster["tiers"].is_array()
        || index >= static_cast<int>(cluster["tiers"].size()) || !tier.contains("bus_bandwidth")) {
        Q_EMIT noticed(Tone::Bad, tr("The plan has no network tier that fits this measurement."));
        return;
    }
    ordered_json &own = cluster["tiers"][static_cast<std::size_t>(index)];
    own["bus_bandwidth"] = tier["bus_bandwidth"];
    cluster["health"] = "measured";
    const QString name = own.contains("name") && own["name"].is_string()
        ? QString::fromStdString(own["name"].get<std::string>()).simplified()
        : QString::number(index);
    replaceCluster(cluster, tr("Measured tier"), name);
    Q_EMIT noticed(Tone::Good,
                   tr("Tier %1 now has %2 measured bus bandwidths, which the plan uses. Undo to restore the old ones.")
                       .arg(name)
                       .arg(tier["bus_bandwidth"].size()));
}

/// The node's accelerators and inner tiers replace the cluster's; outer tiers and sites stay.
void ImportController::applyNode(const ordered_json &node) {
    ordered_json cluster = spelledOut(m_session.view(), "cluster");
    const std::int64_t size = m_session.view().plan.cluster.accelerators_per_node;
    if (!cluster.is_object())
        return;
    if (node.contains("accelerator") && node["accelerator"].is_string())
        cluster["accelerator"] = node["accelerator"];
    if (node.contains("accelerators_per_node"))
        cluster["accelerators_per_node"] = node["accelerators_per_node"];
    ordered_json tiers = node.contains("tiers") && node["tiers"].is_array() ? node["tiers"] : ordered_json::array();
    if (cluster.contains("tiers") && cluster["tiers"].is_array())
        for (const ordered_json &tier : cluster["tiers"])
            if (tiers.empty() || tier.value("accelerators", std::int64_t(0)) > size)
                tiers.push_back(tier);
    cluster["tiers"] = tiers;
    replaceCluster(cluster, tr("Node"), {});
    Q_EMIT noticed(Tone::Good, tr("The cluster's node was replaced. Undo to restore the old one."));
}

} // namespace meshwright
