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
    bool evaluable = true; ///< false for cards: runs whose makers disclosed too little
};

/// A preset file that is invalid, and so left out.
struct InvalidPreset {
    PresetKind kind = PresetKind::plan;
    std::string id; ///< that its name stands for
    std::string problem; ///< one line that names the file
};

/// The presets that come with the program, with the user's own (under the XDG data directory) laid over them by id.
/// Files are read when first asked for and kept. Safe to use from several threads.
class Library {
public:
    /// Folders in ascending priority; each holds accelerators/ clusters/ models/ plans/ stacks/.
    explicit Library(std::vector<std::filesystem::path> folders);
    ~Library();
    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;

    /// The library that this program finds: beside the installed executable, else in its build tree; then the user's.
    static const Library &standard();

    /// The folder of the program's own presets.
    const std::filesystem::path &own_folder() const;

    /// Where the user keeps presets of their own; nothing where the system names no such place. It need not exist.
    static std::optional<std::filesystem::path> users_folder();

    /// Every preset, by kind and then by name. Reads each file's head once; an invalid file is left out and named in
    /// `invalid`.
    const std::vector<PresetEntry> &entries() const;
    const std::vector<InvalidPreset> &invalid() const;

    /// Looks for "ID" (plans win) or "KIND/ID". Nothing if there is none.
    std::optional<PresetEntry> find(std::string_view name) const;
    std::optional<PresetEntry> find(PresetKind kind, std::string_view id) const;
    /// Ids of a kind that are near to `id`, nearest first, for messages.
    std::optional<std::string> nearest(PresetKind kind, std::string_view id) const;

    /// A preset's own JSON. @throws InputError unknown id; FileError.
    const nlohmann::ordered_json &json(PresetKind kind, std::string_view id) const;

    /// @throws InputError unknown id, or a file that does not read
    std::shared_ptr<const Accelerator> accelerator(std::string_view id) const;
    std::shared_ptr<const Model> model(std::string_view id) const;
    std::shared_ptr<const Cluster> cluster(std::string_view id) const;
    std::shared_ptr<const Stack> stack(std::string_view id) const;

private:
    struct Contents;
    std::unique_ptr<Contents> m_contents;
};

} // namespace meshwright
