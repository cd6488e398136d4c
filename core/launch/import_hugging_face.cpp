// SPDX-License-Identifier: GPL-3.0-or-later
// Imports a model's config.json.
#include "launch/hugging_face_importer.h"

#include "catalog/weights.h"
#include "exchange/hugging_face.h"
#include "input/field_reader.h"
#include "input/json_document.h"
#include "input/printable.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

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

namespace {

/// Field of the model that an option of config.json sets.
std::string_view field_of(std::string_view option) {
    constexpr std::pair<std::string_view, std::string_view> fields[] = {
        {"model_type", "/family"},
        {"architectures", "/family"},
        {"_name_or_path", "/name"},
        {"vocab_size", "/vocabulary"},
        {"padded_vocab_size", "/vocabulary"},
        {"hidden_size", "/hidden"},
        {"n_embd", "/hidden"},
        {"d_model", "/hidden"},
        {"n_embed", "/hidden"},
        {"num_hidden_layers", "/layers"},
        {"n_layer", "/layers"},
        {"n_layers", "/layers"},
        {"num_layers", "/layers"},
        {"max_position_embeddings", "/longest_sequence"},
        {"n_positions", "/longest_sequence"},
        {"max_seq_len", "/longest_sequence"},
        {"seq_length", "/longest_sequence"},
        {"n_ctx", "/longest_sequence"},
        {"tie_word_embeddings", "/tied_embeddings"},
        {"num_nextn_predict_layers", "/mtp_layers"},
        {"num_mtp_modules", "/mtp_layers"},
        {"mtp_num_hidden_layers", "/mtp_layers"},
    };
    const auto found =
        std::find_if(std::begin(fields), std::end(fields), [&](const auto &each) { return each.first == option; });
    return found == std::end(fields) ? "/blocks" : found->second;
}

/// Lists every value of the file as understood or ignored. Arrays are one option each.
/// @param read  pointers of the values that the model is built from
void list_options(Imported &imported, const Json &object, const std::string &pointer, const std::string &name,
                  const std::set<std::string> &read) {
    for (const auto &[key, value] : object.items()) {
        const std::string at = pointer + "/" + pointer_token(key);
        const std::string option = name.empty() ? key : name + "." + key;
        if (value.is_object() && !value.empty()) {
            list_options(imported, value, at, option, read);
            continue;
        }
        const std::string shown = printable(
            value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', true, Json::error_handler_t::replace));
        if (read.contains(at))
            imported.understood.push_back({option, shown, std::string(field_of(key))});
        else
            imported.ignored.push_back({option, shown,
                                        value.is_null() ? "null: the architecture's default"
                                                        : "changes no tensor shape that the importer knows of"});
    }
}

} // namespace

Imported import_hugging_face_config(const std::vector<LaunchFile> &files, const Library & /*library*/) {
    const LaunchFile &file = files.front();
    // All configurations are named config.json, so the folder's name identifies the model.
    const std::filesystem::path path(file.name);
    const std::string name = path.stem() == "config" ? path.parent_path().filename().string() : path.stem().string();
    const Json config = parse_json(file.text);
    std::set<std::string> read;
    const Model model = import_hugging_face(config, file.name == "-" ? std::string() : name, &read);
    Imported imported;
    list_options(imported, config, {}, {}, read);
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
