// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

struct Accelerator;
struct Model;
struct Cluster;
struct Stack;

enum class PresetKind { plan, model, accelerator, cluster, stack };

/// "plan", "model", "accelerator", "cluster", "stack", in the order of the enumerators.
const std::vector<std::string> &preset_kind_names();

struct PresetEntry {
    std::string id;
    PresetKind kind = PresetKind::plan;
    std::string name;
    std::filesystem::path file;
    bool evaluable = true; ///< false for model cards, which do not describe the run well enough to evaluate it
};

/// An invalid preset file, which the library leaves out.
struct InvalidPreset {
    PresetKind kind = PresetKind::plan;
    std::string id; ///< taken from the file name
    std::string problem; ///< one line that includes the file name
};

/// The built-in presets and the user's presets (under the XDG data directory), which override built-in ones with the
/// same id. Files are read on first use and cached. Thread-safe.
class Library {
public:
    /// @param folders  in ascending priority; each has the subfolders accelerators/ clusters/ models/ plans/ stacks/
    explicit Library(std::vector<std::filesystem::path> folders);
    ~Library();
    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;

    /// The library of the executable's installation or build tree, plus the user's presets.
    static const Library &standard();

    const std::filesystem::path &own_folder() const;

    /// Folder of the user's presets, which may not exist; empty if the environment defines none.
    static std::optional<std::filesystem::path> users_folder();

    /// All presets, sorted by kind and name. Reads the head of each file once; invalid files are listed in `invalid`
    /// instead.
    const std::vector<PresetEntry> &entries() const;
    const std::vector<InvalidPreset> &invalid() const;

    /// Finds "ID" (plans take precedence) or "KIND/ID". Returns nothing if there is no such preset.
    std::optional<PresetEntry> find(std::string_view name) const;
    std::optional<PresetEntry> find(PresetKind kind, std::string_view id) const;
    /// The known id nearest to `id`, for messages.
    std::optional<std::string> nearest(PresetKind kind, std::string_view id) const;

    /// A preset's JSON. @throws InputError if the id is unknown, FileError
    const nlohmann::ordered_json &json(PresetKind kind, std::string_view id) const;

    /// @throws InputError if the id is unknown or the file is invalid
    std::shared_ptr<const Accelerator> accelerator(std::string_view id) const;
    std::shared_ptr<const Model> model(std::string_view id) const;
    std::shared_ptr<const Cluster> cluster(std::string_view id) const;
    std::shared_ptr<const Stack> stack(std::string_view id) const;

private:
    struct Contents;
    std::unique_ptr<Contents> m_contents;
};

} // namespace meshwright
