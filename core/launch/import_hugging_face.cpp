// SPDX-License-Identifier: GPL-3.0-or-later
// Imports a model's config.json.
#include "launch/hugging_face_importer.h"

#include "catalog/weights.h"
#include "exchange/hugging_face.h"
#include "input/json_document.h"

#include <filesystem>

namespace meshwright {

using Json = nlohmann::ordered_json;

int hugging_face_likeness(const LaunchFile &file) {
    const bool is_object = first_character(file.text) == '{'; // a log may print a whole config.json
    const bool named = file.text.find("\"model_type\"") != std::string::npos
        || file.text.find("\"architectures\"") != std::string::npos;
    return is_object && named && file.text.find("\"hidden_size\"") != std::string::npos ? 92
        : is_object && named                                                            ? 70
                                                                                        : 0;
}

Imported import_hugging_face_config(const std::vector<LaunchFile> &files, const Library & /*library*/) {
    const LaunchFile &file = files.front();
    // All configurations are named config.json, so the folder's name identifies the model.
    const std::filesystem::path path(file.name);
    const std::string name = path.stem() == "config" ? path.parent_path().filename().string() : path.stem().string();
    const Model model = import_hugging_face(parse_json(file.text), file.name == "-" ? std::string() : name);
    Imported imported;
    imported.kind = "hf";
    imported.what = "model";
    imported.document = to_json(model);
    const Parameters counted = parameters_of(model);
    const auto whole = [](double count) { return static_cast<std::int64_t>(count); };
    imported.parameters = Json{{"total", whole(counted.total)},
                               {"active", whole(counted.active)},
                               {"embedding", whole(counted.embedding)},
                               {"mtp", whole(counted.mtp)}};
    imported.warning = size_warning(model, name);
    return imported;
}

} // namespace meshwright
