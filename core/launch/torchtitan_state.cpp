// SPDX-License-Identifier: GPL-3.0-or-later
// Reads number formats, recomputation and the outer loop (TorchFT) of a torchtitan configuration.
#include "launch/torchtitan_reading.h"

#include "launch/format_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

std::string format_or(const std::optional<std::string> &torch_name, const char *otherwise) {
    const std::string format = format_of_torch(torch_name.value_or(""));
    return format.empty() ? otherwise : format;
}

/// maybe_enable_amp() of torchtitan/distributed/utils.py: calculates in the format of the states (training.dtype).
void disable_mixed_precision(LaunchPlan &launch) {
    const std::string why =
        "torchtitan v0.2.2 disables mixed precision with tensor or pipeline parallelism if it does not apply FSDP";
    OptionNames options(launch.options, {"--", ""});
    for (const char *name : {"training.mixed_precision_param", "training.mixed_precision_reduce"})
        options.ignore(name, why);
    const nlohmann::ordered_json states = launch.plan["precision"]["moments"];
    const auto apply = [&](const char *field, const nlohmann::ordered_json &format) {
        nlohmann::ordered_json &now = launch.plan[nlohmann::ordered_json::json_pointer(field)];
        if (now == format)
            return;
        now = format;
        launch.options.retract(field);
        launch.options.assume(field, format, why);
    };
    const nlohmann::ordered_json &compute = launch.plan["precision"]["compute"];
    if (compute == "bf16" || compute == "fp16" || compute == "fp32") // converters apply with all states
        apply("/precision/compute", states);
    apply("/precision/weights", states);
    apply("/precision/master", "none");
}

} // namespace

void TorchtitanReading::read_precision() {
    const std::string_view name = "training.mixed_precision_param";
    const std::string half = format_or(m_options.lower_word(name, "/precision/compute"), "bf16");
    if (!m_options.has(name))
        m_launch.options.assume("/precision/weights", half, "not set; torchtitan's default applies");
    m_options.lower_word("training.mixed_precision_reduce", "/precision/gradients"); // FP32 only
    // The sharded weights are the master copy, unless all states are in bfloat16.
    const bool all_half = format_or(m_options.lower_word("training.dtype", "/precision/master"), "fp32") == "bf16";
    std::string compute = half;
    const std::string_view older = "float8.enable_float8_linear float8.enable_fp8_linear"; // before v0.1.0
    if (m_options.flag(older, "/precision/compute").value_or(false))
        m_converters += "float8";
    if (m_converters.find("mx") != std::string::npos)
        compute = "mxfp8";
    else if (m_converters.find("nvfp4") != std::string::npos)
        compute = "nvfp4";
    else if (m_converters.find("float8") != std::string::npos)
        compute = "fp8";
    if (compute == "mxfp8")
        m_options.understand("quantize.linear.mx.recipe_name mx.recipe_name", "/precision/compute");
    if (compute == "fp8") {
        m_options.understand("quantize.linear.float8.recipe_name float8.recipe_name", "/precision/compute");
        m_options.ignore("quantize.linear.float8.enable_fsdp_float8_all_gather float8.enable_fsdp_float8_all_gather",
                         "plans gather weights in their storage format");
    }
    m_launch.set("/precision/compute", compute);
    m_launch.set("/precision/weights", all_half ? "bf16" : half);
    m_launch.set("/precision/gradients", all_half ? "bf16" : "fp32");
    m_launch.set("/precision/master", all_half || half == "fp32" ? "none" : "fp32");
    m_launch.set("/precision/moments", all_half ? "bf16" : "fp32");
    if (!m_launch.unsharded_alone.empty() && (m_tensor > 1 || m_pipeline > 1))
        m_launch.adapt_unsharded = disable_mixed_precision;
}

void TorchtitanReading::read_recompute() {
    const std::string_view name = "activation_checkpoint.mode activation_checkpoint";
    std::string mode = "selective";
    std::string option = is_main() ? "op" : "2";
    if (const nlohmann::ordered_json *const stated = m_options.value(name); stated != nullptr && stated->is_null()) {
        m_options.understand(name, "/recompute/mode");
        mode = "none";
    } else if (const auto word = m_options.lower_word(name, "/recompute/mode")) {
        mode = *word; // "full", or a class name in torchtitan's main branch: "FullAC.Config"
    } else if (is_main() && m_options.has("activation_checkpoint.preserve_rng_state")) {
        // save_config_file writes the fields of the class, not its name.
        mode = m_options.has("activation_checkpoint.memory_budget") ? "memory_budget"
            : m_options.has("activation_checkpoint.force_recompute_mm_shapes_by_fqns.0"
                            " activation_checkpoint.force_recompute_mm_shapes_by_fqns")
            ? "selective"
            : "full";
    } else {
        m_launch.options.assume("/recompute/mode", "selective", "not set; torchtitan's default applies");
    }
    if (const auto stated = m_options.lower_word("activation_checkpoint.selective_ac_option", "/recompute/mode"))
        option = *stated;
    if (mode.starts_with("none")) {
        m_launch.set("/recompute/mode", "none");
        return;
    }
    if (mode.starts_with("full")) {
        m_launch.set("/recompute/mode", "full");
        return;
    }
    m_launch.set("/recompute/mode", "selective");
    if (mode.starts_with("memory")) {
        m_options.understand("activation_checkpoint.memory_budget", "/recompute/mode");
        m_launch.options.assume(
            "/recompute/mode", "selective",
            "the compiler chooses what to recompute within the memory budget; plans have no such budget");
        return;
    }
    const auto every = spelled_integer(option);
    if (!every || *every < 1 || m_layers == 0)
        return; // "op": outputs of matmuls and attention are saved
    if (*every == 1) {
        m_launch.set("/recompute/mode", "full");
        return;
    }
    // Fully recomputes every n-th layer; a plan instead recomputes the first layers of each virtual stage.
    const std::int64_t stages = std::max<std::int64_t>(1, m_pipeline * m_launch.value("/parallelism/chunks", 1));
    const std::int64_t layers = std::max<std::int64_t>(1, m_layers / stages / *every);
    m_launch.set("/recompute/mode", "layers");
    m_launch.set("/recompute/layers", std::min<std::int64_t>(layers, 10'000));
    m_launch.options.assume(
        "/recompute/layers", std::min<std::int64_t>(layers, 10'000),
        fmt::format(
            "torchtitan fully recomputes one layer in {}; a plan recomputes the same number at the start of each stage",
            *every));
}

void TorchtitanReading::read_sites() {
    if (!m_options.flag("fault_tolerance.enable", "/outer/method").value_or(false))
        return;
    const std::int64_t groups = m_options.integer("fault_tolerance.group_size", "/cluster/sites").value_or(0);
    m_sites = std::clamp<std::int64_t>(groups, 2, 100'000);
    if (groups < 2)
        m_launch.options.assume("/cluster/sites", m_sites, "the file does not state the number of replica groups");
    m_launch.machines.sites = m_sites;
}

std::int64_t TorchtitanReading::of_one_site(std::int64_t sequences) const {
    return sequences % m_sites == 0 ? sequences / m_sites : sequences;
}

void TorchtitanReading::read_outer_loop() {
    if (m_sites == 1)
        return;
    const auto method = m_options.lower_word("fault_tolerance.semi_sync_method", "/outer/method");
    m_launch.set("/aggregation/topology", "ring"); // TorchFT averages replica groups by an all-reduce
    const auto quorum = m_options.integer("fault_tolerance.min_replica_size", "/outer/quorum");
    m_launch.set("/outer/quorum", std::clamp<std::int64_t>(quorum.value_or(m_sites), 1, m_sites));
    if (!method) {
        m_launch.set("/outer/method", "data-parallel");
        return;
    }
    const auto count = [&](std::string_view name, std::string_view field, std::int64_t otherwise) {
        return std::clamp<std::int64_t>(m_options.integer(name, field).value_or(otherwise), otherwise == 0 ? 0 : 1,
                                        1'000'000);
    };
    const std::int64_t steps = count("fault_tolerance.sync_steps", "/outer/inner_steps", 5);
    const bool averages = *method != "diloco"; // averaging weights (local SGD) sends as many bytes as averaging updates
    const std::int64_t fragments = averages ? 1 : count("fault_tolerance.num_fragments", "/outer/fragments", 1);
    m_launch.set("/outer/method", fragments > 1 ? "streaming-diloco" : "diloco");
    m_launch.set("/outer/inner_steps", steps);
    m_launch.set("/outer/fragments", fragments);
    m_launch.set("/outer/overlap_steps", count("fault_tolerance.fragment_sync_delay", "/outer/overlap_steps", 0));
    if (fragments > 1)
        m_launch.set("/outer/pattern", "sequential");
    const bool quantizes = m_options.flag("fault_tolerance.should_quantize", "/outer/up/bits").value_or(false);
    for (const char *wire : {"/outer/up", "/outer/down"})
        m_launch.set(wire, {{"bits", quantizes ? 8 : 32}, {"density", 1}, {"index", "none"}});
    if (averages)
        m_launch.options.assume("/outer/method", "diloco", "local SGD sends as much as DiLoCo");
    if (steps % fragments != 0)
        m_options.fault("fault_tolerance.sync_steps",
                        fmt::format("{} steps are not a multiple of {} fragments", steps, fragments));
}

} // namespace meshwright
