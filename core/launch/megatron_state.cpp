// SPDX-License-Identifier: GPL-3.0-or-later
// Reads number formats, recomputation and offloading of a Megatron configuration.
#include "launch/megatron_names.h"
#include "launch/megatron_reading.h"
#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// "float32", "torch.bfloat16", "fp8" as plans spell the format; empty for anything else.
std::string data_type(std::string_view text) {
    if (text.starts_with("torch."))
        text.remove_prefix(6);
    if (text == "fp32" || text == "float32" || text == "float")
        return "fp32";
    if (text == "bf16" || text == "bfloat16")
        return "bf16";
    if (text == "fp16" || text == "float16" || text == "half")
        return "fp16";
    return text == "fp8" || text == "uint8" ? "fp8" : "";
}

} // namespace

void MegatronReading::read_precision() {
    const std::string recipe = lower_word("--mixed-precision");
    const std::optional<bool> states_bf16 = stated_flag("--bf16");
    bool bf16 = states_bf16.value_or(false) || recipe.starts_with("bf16");
    bool fp16 = flag("--fp16") || recipe.starts_with("fp16");
    if (m_dialect == MegatronDialect::nemo) {
        const std::string trainer = lower_word("--trainer-precision");
        bf16 = bf16 || trainer.starts_with("bf16");
        fp16 = fp16 || trainer.starts_with("fp16") || trainer == "16" || trainer.starts_with("16-");
    }
    if (m_dialect == MegatronDialect::megatron_bridge && recipe.empty() && !states_bf16 && !fp16) {
        bf16 = true;
        m_launch.options.assume("/precision/compute", "bf16", "Megatron-Bridge recipes use bf16_mixed by default");
    }
    if (misses(bf16 || fp16)) {
        bf16 = true;
        if (recipe.empty())
            m_launch.options.assume("/precision/compute", "bf16",
                                    fmt::format("{} is not given; bf16 is assumed", m_missing));
    }
    const std::string half = bf16 ? "bf16" : fp16 ? "fp16" : "fp32";
    std::string compute = half;
    const std::string fp8 = lower_word("--fp8-format");
    const std::string fp8_recipe = lower_word("--fp8-recipe");
    const bool nemo_fp8 = m_dialect == MegatronDialect::nemo && flag("--fp8");
    if ((!fp8.empty() && fp8 != "none" && fp8 != "false") || nemo_fp8 || recipe.find("fp8") != std::string::npos)
        compute = fp8_recipe == "mxfp8" || recipe.find("mxfp8") != std::string::npos ? "mxfp8" : "fp8";
    const std::string fp4 = lower_word("--fp4-format");
    word("--fp4-recipe");
    if ((!fp4.empty() && fp4 != "none") || recipe.find("nvfp4") != std::string::npos)
        compute = "nvfp4";
    const bool fp8_weights = flag("--fp8-param-gather");
    m_launch.set("/precision/compute", compute);
    m_launch.set("/precision/weights", fp8_weights && compute == "fp8" ? std::string("fp8") : half);
    const bool half_gradients = flag("--grad-reduce-in-bf16");
    const std::optional<bool> accumulates = stated_flag("--accumulate-allreduce-grads-in-fp32");
    const std::optional<bool> reduces = stated_flag("--grad-reduce-in-fp32");
    // bf16 accumulates in FP32 by default, fp16 only on request.
    const bool wide = reduces.value_or(accumulates.value_or(half != "fp16")) && !half_gradients;
    m_launch.set("/precision/gradients", wide || half == "fp32" ? std::string("fp32") : half);
    const auto state = [&](const char *option) {
        const std::string type = data_type(lower_word(option, "fp32"));
        m_launch.set(megatron_field(option), type.empty() ? "fp32" : type);
    };
    state("--main-params-dtype");
    state("--exp-avg-dtype");
    word("--exp-avg-sq-dtype");
    flag("--use-precision-aware-optimizer");
    if (half == "fp32" && !(fp8_weights && compute == "fp8"))
        m_launch.set("/precision/master", "none");
}

void MegatronReading::read_recompute() {
    const std::string granularity = lower_word("--recompute-granularity");
    const std::string method = lower_word("--recompute-method");
    const auto layers = integer("--recompute-num-layers");
    const bool activations = flag("--recompute-activations");
    const bool older = flag("--checkpoint-activations") || flag("--deepspeed-activation-checkpointing")
        || has("--activations-checkpoint-method");
    if (has("--activations-checkpoint-method"))
        word("--activations-checkpoint-method");
    std::vector<std::string> modules;
    if (const std::string name = own("--recompute-modules"); !name.empty())
        modules = m_launch.options.words(name, megatron_field("--recompute-modules"));
    if (flag("--moe-layer-recompute"))
        modules.emplace_back("moe");
    if (granularity == "full" || (older && granularity.empty())) {
        if (method == "block" && layers) {
            m_launch.set("/recompute/mode", "layers");
            m_launch.set("/recompute/layers", *layers);
        } else {
            m_launch.set("/recompute/mode", "full");
            if (method == "uniform" && layers && *layers > 1)
                m_launch.options.assume(
                    "/recompute/mode", "full",
                    fmt::format("saves one input per {} layers; a plan saves one per layer", *layers));
        }
        return;
    }
    if (granularity != "selective" && !activations && modules.empty()) {
        if (!has("--recompute-granularity"))
            leave_to_recipe("/recompute/mode", "none");
        m_launch.set("/recompute/mode", "none");
        return;
    }
    const auto &known = recompute_module_names();
    Json taken = Json::array();
    for (const std::string &each : modules)
        if (std::find(known.begin(), known.end(), each) != known.end())
            taken.push_back(each);
        else
            m_launch.options.fault(own("--recompute-modules"),
                                   fmt::format("no plan field selects recomputation of the module {}", each));
    if (taken.empty() || (taken.size() == 1 && taken.front() == "core_attn")) {
        m_launch.set("/recompute/mode", "selective");
    } else {
        m_launch.set("/recompute/mode", "modules");
        m_launch.set("/recompute/modules", taken);
    }
}

void MegatronReading::read_offload() {
    const bool megatrons = flag("--optimizer-cpu-offload");
    const bool deepspeeds = flag("--cpu-optimizer");
    const auto offloaded = number("--optimizer-offload-fraction");
    if (megatrons || deepspeeds)
        m_launch.set("/offload/optimizer", std::clamp(offloaded.value_or(1), 0.0, 1.0));
    const bool fine = flag("--fine-grained-activation-offloading");
    const auto share = number("--activation-offload-fraction");
    if (const std::string modules = own("--offload-modules"); !modules.empty())
        m_launch.options.ignore(modules,
                                "a plan offloads a fraction of all saved activations, not those of selected modules");
    if (fine)
        m_launch.set("/offload/activations", std::clamp(share.value_or(1), 0.0, 1.0));
    if (const auto layers = integer("--cpu-offloading-num-layers");
        layers && *layers > 0 && m_launch.shape.layers.value_or(0) > 0)
        m_launch.set("/offload/activations",
                     std::min(1.0, static_cast<double>(*layers) / static_cast<double>(*m_launch.shape.layers)));
    if (flag("--checkpoint-in-cpu"))
        m_launch.set("/offload/activations", 1.0);
}

} // namespace meshwright
