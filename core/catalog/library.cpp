// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"

#include "catalog/accelerator.h"
#include "catalog/cluster.h"
#include "catalog/model.h"
#include "catalog/own_presets.h"
#include "catalog/preset_file.h"
#include "catalog/stack.h"
#include "input/field_reader.h"
#include "input/json_document.h"
#include "input/own_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <mutex>
#include <system_error>
#include <tuple>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::array all_kinds{PresetKind::plan, PresetKind::model, PresetKind::accelerator, PresetKind::cluster,
                               PresetKind::stack};

/// A preset, and its parts that have been loaded. A pointer never changes once set, because callers hold references.
struct Record {
    PresetEntry entry;
    std::unique_ptr<const Json> json;
    std::shared_ptr<const void> value; ///< an Accelerator, Model, Cluster or Stack, depending on the entry's kind
};

using Key = std::pair<PresetKind, std::string>;
struct KeyOrder {
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A &a, const B &b) const {
        return std::tuple<PresetKind, std::string_view>(a.first, a.second)
            < std::tuple<PresetKind, std::string_view>(b.first, b.second);
    }
};

const std::string &name_of_kind(PresetKind kind) {
    return preset_kind_names()[static_cast<std::size_t>(kind)];
}

/// Ids come from untrusted files, so messages quote only a shortened form.
std::string in_quotes(std::string_view id) {
    constexpr std::size_t longest = 60;
    if (id.size() <= longest)
        return fmt::format("\"{}\"", id);
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(id[end]) & 0xc0) == 0x80)
        --end; // never cuts inside a UTF-8 sequence
    return fmt::format("\"{}...\"", id.substr(0, end));
}

InputError about(const PresetEntry &entry, const std::vector<Diagnostic> &problems) {
    return InputError(
        "", one_line(fmt::format("the {} preset {}", name_of_kind(entry.kind), in_quotes(entry.id)), problems),
        "expected a valid preset");
}

void read_value(FieldReader &reader, Accelerator &value, const Library &) {
    read_fields(reader, value);
}
void read_value(FieldReader &reader, Model &value, const Library &) {
    read_fields(reader, value);
}
void read_value(FieldReader &reader, Stack &value, const Library &) {
    read_fields(reader, value);
}
void read_value(FieldReader &reader, Cluster &value, const Library &library) {
    read_fields(reader, value, library);
}

/// @throws InputError with every problem of the document
template <typename Value>
std::shared_ptr<const Value> value_from(const Json &json, const Library &library) {
    std::vector<Diagnostic> problems;
    auto value = std::make_shared<Value>();
    FieldReader reader(json, "", problems);
    read_value(reader, *value, library);
    reader.finish();
    if (!problems.empty())
        throw InputError(std::move(problems));
    return value;
}

/// Validates a user's file completely before it may override a built-in preset. The contents of plans and clusters are
/// validated only on use, because they refer to other presets.
void check_whole_file(PresetKind kind, std::string_view text, const Library &library) {
    const Json json = parse_json(text);
    if (kind == PresetKind::accelerator)
        value_from<Accelerator>(json, library);
    else if (kind == PresetKind::model)
        value_from<Model>(json, library);
    else if (kind == PresetKind::stack)
        value_from<Stack>(json, library);
}

std::vector<fs::path> json_files(const fs::path &folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator place(folder, error), end; !error && place != end; place.increment(error)) {
        std::error_code unreadable;
        if (place->path().extension() == ".json" && place->is_regular_file(unreadable))
            files.push_back(place->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Folder of the user's presets (XDG Base Directory Specification 0.8, which says to ignore relative paths in the
/// variable).
std::optional<fs::path> user_presets() {
    const char *const data = std::getenv("XDG_DATA_HOME");
    if (data != nullptr && fs::path(data).is_absolute())
        return fs::path(data) / "meshwright" / "presets";
    const char *const home = std::getenv("HOME");
    if (home != nullptr && fs::path(home).is_absolute())
        return fs::path(home) / ".local" / "share" / "meshwright" / "presets";
    return std::nullopt;
}

} // namespace

const std::vector<std::string> &preset_kind_names() {
    static const std::vector<std::string> names{"plan", "model", "accelerator", "cluster", "stack"};
    return names;
}

struct Library::Contents {
    std::vector<fs::path> folders;
    std::once_flag listed;
    std::map<Key, Record, KeyOrder> records; ///< keys do not change after listing; `mutex` protects the records
    std::vector<PresetEntry> entries;
    std::vector<InvalidPreset> invalid;
    std::mutex mutex;

    void list(const Library &library);
    void list_folder(const fs::path &folder, PresetKind kind, const Library &library);
    Record &record(const Library &library, PresetKind kind, std::string_view id);
    template <typename Value>
    std::shared_ptr<const Value> value(const Library &library, PresetKind kind, std::string_view id);
};

void Library::Contents::list_folder(const fs::path &folder, PresetKind kind, const Library &library) {
    const bool is_users = folder != folders.front();
    for (const fs::path &file : json_files(folder / folder_of(kind))) {
        try {
            const std::string text = read_file(file);
            PresetEntry entry = read_preset_head(kind, file, text);
            if (is_users)
                check_whole_file(kind, text, library);
            Record &record = records[Key(kind, entry.id)];
            record.entry = std::move(entry);
        } catch (const InputError &error) {
            invalid.push_back({kind, file.stem().string(), one_line(file.string(), error.diagnostics())});
        } catch (const FileError &error) {
            invalid.push_back({kind, file.stem().string(), error.what()});
        }
    }
}

void Library::Contents::list(const Library &library) {
    for (const fs::path &folder : folders)
        for (const PresetKind kind : all_kinds)
            list_folder(folder, kind, library);
    for (const auto &[key, record] : records)
        entries.push_back(record.entry);
    std::stable_sort(entries.begin(), entries.end(), [](const PresetEntry &a, const PresetEntry &b) {
        return std::tie(a.kind, a.name) < std::tie(b.kind, b.name);
    });
}

Record &Library::Contents::record(const Library &library, PresetKind kind, std::string_view id) {
    library.entries();
    const auto found = records.find(std::pair(kind, id));
    if (found != records.end())
        return found->second;
    if (const std::optional<std::string> problem = problem_of(kind, id, library))
        throw InputError("",
                         fmt::format("the {} preset {} is invalid: {}", name_of_kind(kind), in_quotes(id), *problem),
                         "expected a valid preset");
    const std::optional<std::string> near = library.nearest(kind, id);
    const std::string &kind_name = name_of_kind(kind);
    throw InputError("", fmt::format("unknown {} {}", kind_name, in_quotes(id)),
                     near ? fmt::format("expected the id of a known {}; did you mean {}?", kind_name, *near)
                          : fmt::format("expected the id of a known {}", kind_name));
}

template <typename Value>
std::shared_ptr<const Value> Library::Contents::value(const Library &library, PresetKind kind, std::string_view id) {
    Record &found = record(library, kind, id);
    {
        const std::lock_guard lock(mutex);
        if (found.value)
            return std::static_pointer_cast<const Value>(found.value);
    }
    // Reads without holding the lock, because reading a cluster calls this function for its accelerator. If two threads
    // read the same preset, the first result is kept.
    std::shared_ptr<const Value> read;
    try {
        read = value_from<Value>(library.json(kind, id), library);
    } catch (const InputError &error) {
        throw about(found.entry, error.diagnostics());
    }
    const std::lock_guard lock(mutex);
    if (!found.value)
        found.value = std::move(read);
    return std::static_pointer_cast<const Value>(found.value);
}

Library::Library(std::vector<fs::path> folders)
    : m_contents(std::make_unique<Contents>()) {
    m_contents->folders = std::move(folders);
}

Library::~Library() = default;

const Library &Library::standard() {
    static const Library library([] {
        std::vector<fs::path> folders{own_file("presets", "presets")};
        if (const std::optional<fs::path> users = user_presets())
            folders.push_back(*users);
        return folders;
    }());
    return library;
}

const fs::path &Library::own_folder() const {
    return m_contents->folders.front();
}

std::optional<std::filesystem::path> Library::users_folder() {
    return user_presets();
}

const std::vector<PresetEntry> &Library::entries() const {
    std::call_once(m_contents->listed, [&] { m_contents->list(*this); });
    return m_contents->entries;
}

const std::vector<InvalidPreset> &Library::invalid() const {
    entries();
    return m_contents->invalid;
}

std::optional<PresetEntry> Library::find(std::string_view name) const {
    const std::size_t slash = name.find('/');
    for (const PresetKind kind : all_kinds) {
        if (slash == std::string_view::npos) {
            if (std::optional<PresetEntry> found = find(kind, name))
                return found;
        } else if (name.substr(0, slash) == name_of_kind(kind)) {
            return find(kind, name.substr(slash + 1));
        }
    }
    return std::nullopt;
}

std::optional<PresetEntry> Library::find(PresetKind kind, std::string_view id) const {
    entries();
    const auto found = m_contents->records.find(std::pair(kind, id));
    if (found == m_contents->records.end())
        return std::nullopt;
    return found->second.entry;
}

std::optional<std::string> Library::nearest(PresetKind kind, std::string_view id) const {
    std::vector<std::string> ids;
    for (const PresetEntry &entry : entries())
        if (entry.kind == kind)
            ids.push_back(entry.id);
    return nearest_word(id, ids);
}

const Json &Library::json(PresetKind kind, std::string_view id) const {
    Record &found = m_contents->record(*this, kind, id);
    const std::lock_guard lock(m_contents->mutex);
    if (!found.json) {
        try {
            found.json = std::make_unique<const Json>(parse_json(read_file(found.entry.file)));
        } catch (const InputError &error) {
            throw about(found.entry, error.diagnostics());
        }
    }
    return *found.json;
}

std::shared_ptr<const Accelerator> Library::accelerator(std::string_view id) const {
    return m_contents->value<Accelerator>(*this, PresetKind::accelerator, id);
}

std::shared_ptr<const Model> Library::model(std::string_view id) const {
    return m_contents->value<Model>(*this, PresetKind::model, id);
}

std::shared_ptr<const Cluster> Library::cluster(std::string_view id) const {
    return m_contents->value<Cluster>(*this, PresetKind::cluster, id);
}

std::shared_ptr<const Stack> Library::stack(std::string_view id) const {
    return m_contents->value<Stack>(*this, PresetKind::stack, id);
}

} // namespace meshwright
