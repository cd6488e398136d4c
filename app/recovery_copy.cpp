// SPDX-License-Identifier: GPL-3.0-or-later
#include "recovery_copy.h"

#include "input/diagnostic.h"
#include "input/json_document.h"
#include "input/schema_version.h"

#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

constexpr const char *copySchema = "meshwright.recovery/1";

/// Limits of a recovery copy. They exceed a plan's limits because a copy contains the plan together with its snapshots,
/// and because edits may have made the plan too large to save.
constexpr InputLimits copyLimits{.bytes = std::size_t(256) << 20, .nesting = 4 * deepest_input_nesting};

std::string stringUnder(const ordered_json &copy, const char *key) {
    const auto found = copy.find(key);
    return found != copy.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

std::string textOf(const RecoveryCopy &copy) {
    const ordered_json saved{{"schema", copySchema},
                             {"name", copy.name.toStdString()},
                             {"path", copy.origin.path().toStdString()},
                             {"seen", copy.origin.seen().toHex().toStdString()},
                             {"document", withSnapshots(*copy.document, copy.snapshots)}};
    return saved.dump();
}

LeftBehind readCopy(const QString &file) {
    const ordered_json copy = read_json_file(std::filesystem::path(file.toStdString()), copyLimits);
    if (!copy.is_object())
        throw InputError("", "is not a recovery copy", "expected an object");
    // Copies written by early versions have no schema.
    if (is_newer_schema(stringUnder(copy, "schema"), copySchema))
        throw NewerCopy(stringUnder(copy, "name"));
    const auto document = copy.find("document");
    if (document == copy.end() || !document->is_object())
        throw InputError("/document", "is missing or not an object", "expected a plan");
    return {.file = file,
            .name = QString::fromStdString(stringUnder(copy, "name")),
            .origin = PlanFile(QString::fromStdString(stringUnder(copy, "path")),
                               QByteArray::fromHex(QByteArray::fromStdString(stringUnder(copy, "seen")))),
            .time = QFileInfo(file).lastModified(),
            .document = std::make_shared<ordered_json>(*document),
            .claim = nullptr};
}

} // namespace meshwright
