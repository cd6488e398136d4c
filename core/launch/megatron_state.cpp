// SPDX-License-Identifier: GPL-3.0-or-later
// Reads number formats, recomputation and offloading of a Megatron configuration.
#include "launch/format_names.h"
#include "launch/megatron_names.h"
#include "launch/megatron_reading.h"
#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// Precision recipes of Megatron-Bridge whose weights are in FP8 (fp8_param_gather in training/mixed_precision.py).
constexpr std::string_view fp8_weight_recipes[] = {"fp8_delayed_scaling", "fp8_current_scaling"};

/// Parts of names of Megatron-Bridge's recipes that state the number format, such as
/// "deepseek_v4_flash_pretrain_mxfp8_config".
constexpr std::pair<std::string_view, const char *> named_formats[] = {
    {"mxfp8", "mxfp8"}, {"fp8mx", "mxfp8"}, {"nvfp4", "nvfp4"}, {"fp8", "fp8"}};

/// The number format in a recipe's name; null if the name contains none.
const char *format_named_in(std::string_view recipe) {
    const auto found = std::find_if(std::begin(named_formats), std::end(named_formats), [&](const auto &each) {
        return recipe.find(each.first) != std::string_view::npos;
    });
    return found == std::end(named_formats) ? nullptr : found->second;
}

} // namespace

void MegatronReading::read_precision() {
    std::string recipe = lower_word("--mixed-precision");
    std::replace(recipe.begin(), recipe.end(), '-', '_'); // Megatron-Bridge accepts both
    const auto recipe_has = [&](std::string_view part) { return recipe.find(part) != std::string::npos; };
    const std::optional<bool> states_bf16 = stated_flag("--bf16");
    bool bf16 = states_bf16.value_or(false) || recipe_has("bf16");
    bool fp16 = flag("--fp16") || recipe_has("fp16");
    std::string why_half; // why bf16 is assumed; empty if the format is stated
    if (m_dialect == MegatronDialect::nemo) {
        const std::string trainer = lower_word("--trainer-precision");
        bf16 = bf16 || trainer.starts_with("bf16");
        fp16 = fp16 || trainer.starts_with("fp16") || trainer == "16" || trainer.starts_with("16-");
    }
    if (has_recipe() && recipe.empty() && !states_bf16 && !fp16) {
        bf16 = true;
        why_half = "recipes use bf16_mixed by default";
    }
    if (misses(bf16 || fp16)) {
        bf16 = true;
        if (recipe.empty())
            why_half = fmt::format("{} is not given; bf16 is assumed", m_missing);
    }
    const std::string half = bf16 ? "bf16" : fp16 ? "fp16" : "fp32";
    std::string compute = half;
    const std::string fp8 = lower_word("--fp8-format");
    const std::string fp8_recipe = lower_word("--fp8-recipe");
    const bool nemo_fp8 = m_dialect == MegatronDialect::nemo && flag("--fp8");
    if ((!fp8.empty() && fp8 != "none" && fp8 != "false") || nemo_fp8 || recipe_has("fp8"))
        compute = fp8_recipe == "mxfp8" || recipe_has("mxfp8") ? "mxfp8" : "fp8";
    const std::string fp4 = lower_word("--fp4-format");
    word("--fp4-recipe");
    if ((!fp4.empty() && fp4 != "none") || recipe_has("nvfp4"))
        compute = "nvfp4";
    const bool gathers_fp8 = flag("--fp8-param-gather")
        || std::any_of(std::begin(fp8_weight_recipes), std::end(fp8_weight_recipes), recipe_has);
    const bool fp8_weights = gathers_fp8 && compute == "fp8";
    const char *const named = !why_half.empty() && compute == half ? format_named_in(m_recipe) : nullptr;
    if (named != nullptr) {
        compute = named;
        m_launch.options.assume("/precision/compute", compute, fmt::format("the recipe's name is {}", m_recipe));
        leave_to_recipe("/precision/weights", half);
    } else if (!why_half.empty() && !fp8_weights) {
        m_launch.options.assume(compute == half ? "/precision/compute" : "/precision/weights", half, why_half);
    }
    m_launch.set("/precision/compute", compute);
    m_launch.set("/precision/weights", fp8_weights ? "fp8" : half);
    const bool half_gradients = flag("--grad-reduce-in-bf16");
    const std::optional<bool> accumulates = stated_flag("--accumulate-allreduce-grads-in-fp32");
    std::optional<bool> reduces = stated_flag("--grad-reduce-in-fp32");
    if (const std::string synced = lower_word("--grad-sync-dtype"); !synced.empty())
        reduces = synced == "fp32"; // any other value means the weights' format (megatron_gpt_model.py of NeMo)
    // bf16 accumulates in FP32 by default, fp16 only on request.
    const bool wide = reduces.value_or(accumulates.value_or(half != "fp16")) && !half_gradients;
    m_launch.set("/precision/gradients", wide || half == "fp32" ? std::string("fp32") : half);
    const auto state = [&](const char *option) {
        const std::string name = lower_word(option, "fp32");
        const bool is_fp8 =
            name == "fp8" || name == "uint8" || name == "torch.uint8"; // PyTorch stores these states as uint8
        const std::string type = is_fp8 ? "fp8" : format_named(name);
        m_launch.set(megatron_field(option), type.empty() ? "fp32" : type);
    };
    state("--main-params-dtype");
    state("--exp-avg-dtype");
    word("--exp-avg-sq-dtype");
    flag("--use-precision-aware-optimizer");
    if (half == "fp32" && !fp8_weights)
        m_launch.set("/precision/master", "none");
}

void MegatronReading::read_recompute() {
    const std::string granularity = lower_word("--recompute-granularity");
    const std::string method = lower_word("--recompute-method");
    const auto layers = integer("--recompute-num-layers");
    const bool activations = flag("--recompute-activations");
    const bool older = flag("--checkpoint-activations") || has("--activations-checkpoint-method");
    if (has("--activations-checkpoint-method"))
        word("--activations-checkpoint-method");
    // megatron/model/gpt_model.py and transformer.py of Megatron-DeepSpeed recompute nothing with this option alone.
    if (flag("--deepspeed-activation-checkpointing") && !older && granularity != "full")
        m_launch.options.ignore(own("--deepspeed-activation-checkpointing"),
                                "applies only with --checkpoint-activations or --recompute-granularity full");
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
