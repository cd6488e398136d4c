// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/importers.h"

#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "input/files.h"
#include "launch/deepspeed_importer.h"
#include "launch/hugging_face_importer.h"
#include "launch/measured_importers.h"
#include "launch/megatron_importers.h"
#include "launch/nanotron_importer.h"
#include "launch/torchtitan_importer.h"
#include "launch/trainer_importer.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

const std::vector<ImportKind> &import_kinds() {
    static const std::vector<ImportKind> kinds{
        {.id = "hf",
         .title = "Hugging Face config.json",
         .likeness = hugging_face_likeness,
         .read = import_hugging_face_config},
        {.id = "megatron",
         .title = "Megatron-LM or Megatron-DeepSpeed arguments",
         .likeness = megatron_likeness,
         .read = import_megatron},
        {.id = "megatron-bridge",
         .title = "Megatron-Bridge or NeMo configuration",
         .likeness = megatron_bridge_likeness,
         .read = import_megatron_bridge},
        {.id = "torchtitan",
         .title = "torchtitan TOML, JSON or command line, with its Python model",
         .likeness = torchtitan_likeness,
         .read = import_torchtitan},
        {.id = "nanotron", .title = "nanotron YAML", .likeness = nanotron_likeness, .read = import_nanotron},
        {.id = "deepspeed",
         .title = "DeepSpeed JSON, alone or with its script",
         .likeness = deepspeed_run_likeness,
         .read = import_deepspeed},
        {.id = "accelerate", .title = "Accelerate YAML", .likeness = accelerate_likeness, .read = import_accelerate},
        {.id = "hf-trainer",
         .title = "arguments of Hugging Face's Trainer",
         .likeness = trainer_likeness,
         .read = import_trainer},
        {.id = "nccl-tests",
         .title = "output of nccl-tests",
         .likeness = nccl_tests_likeness,
         .read = import_nccl_tests},
        {.id = "nvidia-smi",
         .title = "nvidia-smi topo -m or -q -x, ibstat, lstopo",
         .likeness = nvidia_smi_likeness,
         .read = import_nvidia_smi},
        {.id = "log",
         .title = "training log of Megatron, torchtitan or nanotron",
         .likeness = training_log_likeness,
         .read = import_training_log},
        {.id = "trace",
         .title = "PyTorch profile or memory snapshot",
         .likeness = trace_likeness,
         .read = import_trace}};
    return kinds;
}

/// How likely it is that a file is of this kind, from 0 to 100. A file above the size limit of all other kinds can only
/// be a profile.
static int likeness_of(const LaunchFile &file, const ImportKind &kind) {
    return file.text.size() > largest_input_bytes && kind.read != import_trace ? 0 : kind.likeness(file);
}

Imported import_files(const std::vector<LaunchFile> &files, std::string_view kind, const Library &library) {
    const std::vector<ImportKind> &kinds = import_kinds();
    std::vector<std::string> ids;
    for (const ImportKind &each : kinds)
        ids.emplace_back(each.id);
    if (files.empty())
        throw InputError("", "no file to import", "expected a launch configuration, log or trace");
    if (!kind.empty()) {
        const auto named =
            std::find_if(kinds.begin(), kinds.end(), [&](const ImportKind &each) { return each.id == kind; });
        if (named == kinds.end())
            throw InputError("", fmt::format("{} is not a kind of file that can be imported", kind),
                             "expected " + listed(ids));
        return named->read(files, library);
    }
    // The file that is recognized with the highest certainty is the main file; the other files accompany it.
    const ImportKind *best = nullptr;
    std::size_t lead = 0;
    int likeness = 0;
    for (std::size_t i = 0; i < files.size(); ++i)
        for (const ImportKind &each : kinds)
            if (const int own = likeness_of(files[i], each); own > likeness) {
                likeness = own;
                best = &each;
                lead = i;
            }
    if (best == nullptr)
        throw InputError("", "not recognized as a launch configuration, log or trace",
                         "expected one of " + listed(ids) + "; specify it with --from");
    std::vector<LaunchFile> ordered = files;
    std::rotate(ordered.begin(), ordered.begin() + static_cast<std::ptrdiff_t>(lead),
                ordered.begin() + static_cast<std::ptrdiff_t>(lead) + 1);
    return best->read(ordered, library);
}

} // namespace meshwright
