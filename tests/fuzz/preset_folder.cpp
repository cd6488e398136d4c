// SPDX-License-Identifier: GPL-3.0-or-later
// A file of a user's library is listed, read and used in a plan. The input's first line names its folder.
#include "catalog/accelerator.h"
#include "catalog/cluster.h"
#include "catalog/library.h"
#include "catalog/model.h"
#include "catalog/preset_file.h"
#include "catalog/stack.h"
#include "evaluate/evaluate.h"
#include "evaluated_plan.h"
#include "fuzz_target.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

using namespace meshwright;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Folders with a few built-in and user presets, which exist as long as the program.
struct Folders {
    Folders() {
        std::string name = (fs::temp_directory_path() / "preset-folder-XXXXXX").string();
        fuzz::require(::mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
        root = name;
        for (const PresetKind kind :
             {PresetKind::plan, PresetKind::model, PresetKind::accelerator, PresetKind::cluster, PresetKind::stack}) {
            fs::create_directories(root / "own" / folder_of(kind));
            fs::create_directories(root / "users" / folder_of(kind));
        }
        for (const char *const file : {"models/qwen2-0.5b.json", "accelerators/h100-sxm-80gb.json",
                                       "clusters/dgx-h100.json", "stacks/megatron-core-2025.json", "stacks/ideal.json"})
            fs::create_symlink(fs::path(MESHWRIGHT_PRESETS) / file, root / "own" / file);
    }
    ~Folders() { fs::remove_all(root); }
    Folders(const Folders &) = delete;
    Folders &operator=(const Folders &) = delete;

    fs::path root;
};

Json plan_with(PresetKind kind) {
    Json plan{{"schema", "meshwright.plan/1"}, {"cluster", "dgx-h100"}, {"model", "qwen2-0.5b"}, {"stack", "ideal"}};
    if (kind == PresetKind::model)
        plan["model"] = "mine";
    else if (kind == PresetKind::cluster)
        plan["cluster"] = "mine";
    else if (kind == PresetKind::stack)
        plan["stack"] = "mine";
    else if (kind == PresetKind::accelerator)
        plan["cluster"] = {{"accelerator", "mine"},
                           {"tiers",
                            {{{"name", "node"},
                              {"accelerators", 8},
                              {"bandwidth_bytes_per_second", 450e9},
                              {"latency_seconds", 3e-6}}}}};
    return plan;
}

void use(const Library &library, PresetKind kind) {
    fuzz::require(library.invalid().size() <= 1, "one file has at most one problem");
    const std::optional<PresetEntry> mine = library.find(kind, "mine");
    fuzz::require(mine.has_value() || library.invalid().size() == 1, "a preset that is left out is named");
    if (!mine)
        return;
    const Json plan = kind == PresetKind::plan ? library.json(kind, "mine") : plan_with(kind);
    const PlanReading reading = read_plan(plan, library);
    if (reading.valid())
        fuzz::evaluate_and_check(reading.plan);
}

std::optional<PresetKind> kind_called(std::string_view name) {
    for (std::size_t i = 0; i < preset_kind_names().size(); ++i)
        if (name == preset_kind_names()[i])
            return static_cast<PresetKind>(i);
    return std::nullopt;
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const Folders folders;
    std::string_view text = fuzz::text_of(data, size);
    const std::optional<PresetKind> kind = kind_called(fuzz::take_line(text));
    if (!kind)
        return 0;
    const fs::path file = folders.root / "users" / folder_of(*kind) / "mine.json";
    std::ofstream(file, std::ios::binary) << text;
    const Library library({folders.root / "own", folders.root / "users"});
    fuzz::refusing([&] { use(library, *kind); });
    fs::remove(file);
    return 0;
}
