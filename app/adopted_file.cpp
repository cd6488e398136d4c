// SPDX-License-Identifier: GPL-3.0-or-later
#include "adopted_file.h"

#include "exchange/hugging_face.h"
#include "input/diagnostic.h"
#include "views/plan_view.h"

#include <QCoreApplication>

#include <nlohmann/json.hpp>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("AdoptedFile", text);
}

std::string textIn(const ordered_json &file, const char *key) {
    const auto found = file.find(key);
    return found != file.end() && found->is_string() ? found->get<std::string>() : std::string();
}

PlanEdit replacing(const PlanView &view, const char *key, const ordered_json &value, const QString &subject,
                   const QString &name) {
    return {.field = QStringLiteral("/") + QLatin1String(key),
            .subject = subject,
            .from = {},
            .to = name,
            .patch = patchReplacing(view, key, value),
            .pace = EditPace::Settled};
}

} // namespace

std::optional<PlanEdit> adoptingEdit(const ordered_json &file, const QString &name, const PlanView &view) {
    if (!file.is_object())
        return std::nullopt;
    const std::string schema = textIn(file, "schema");
    const std::string own = textIn(file, "name");
    const QString shown = own.empty() ? name : QString::fromStdString(own);
    if (schema.starts_with("meshwright.model/"))
        return replacing(view, "model", file, tr("Model"), shown);
    if (schema.starts_with("meshwright.cluster/"))
        return replacing(view, "cluster", file, tr("Cluster"), shown);
    if (!schema.empty() || !(file.contains("model_type") || file.contains("architectures")))
        return std::nullopt;
    const Model model = import_hugging_face(file, name.toStdString());
    const QString imported = model.name.empty() ? name : QString::fromStdString(model.name);
    return replacing(view, "model", to_json(model), tr("Model"), imported);
}

} // namespace meshwright
