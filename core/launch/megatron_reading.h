// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/launch_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

/// Launchers with Megatron's options, each under its own names.
enum class MegatronDialect {
    megatron_lm, ///< options of a command line
    megatron_deepspeed, ///< options of an older Megatron-LM, with DeepSpeed's options
    megatron_bridge, ///< fields of a ConfigContainer: "model.tensor_model_parallel_size"
    nemo, ///< fields of NeMo 1's YAML: "model.tensor_model_parallel_size", "trainer.num_nodes"
    nemo_2 ///< overrides of a NeMo 2 recipe, under Megatron-Bridge's names
};

/// Translates Megatron's options into a plan. The rules are those of Megatron-LM at d98e8a64ddf3
/// (megatron/training/arguments.py, megatron/core/transformer/transformer_config.py); a dialect's own defaults take
/// precedence.
class MegatronReading {
public:
    MegatronReading(LaunchPlan &launch, MegatronDialect dialect, const Library &library);

    /// Declares that the other options of the run are in a file that was not given. @param file its name, quoted in the
    /// reasons for assumed values
    void miss(std::string file) { m_missing = std::move(file); }

    /// Declares the recipe of Megatron-Bridge that the file overrides. Its name may state the number format.
    void override_recipe(std::string recipe) { m_recipe = std::move(recipe); }

    /// Reads all options except those about machines, which the caller reads because it knows the launcher. @pre
    /// launch.machines is set as far as known
    void read();
    void ignore_the_rest();

private:
    struct UnevenSplit {
        bool embedding = false; ///< whether the embedding counts as a layer
        bool loss = false; ///< whether the loss counts as a layer
        std::optional<std::int64_t> first; ///< number of layers on the first rank, over all its chunks
        std::optional<std::int64_t> last;
    };

    /// Whether an option may be in the missing file. @param stated  whether the given options contain it
    bool misses(bool stated) const { return !stated && !m_missing.empty(); }
    /// The name under which the file states one of Megatron-LM's options; empty if the file does not state it.
    std::string own(std::string_view option) const;
    bool has(std::string_view option) const { return !own(option).empty(); }
    /// Works like own(), and also marks the dialect's other names for the option as understood.
    std::string take(std::string_view option);
    std::optional<std::int64_t> integer(std::string_view option);
    std::optional<double> number(std::string_view option);
    /// Value of a flag with Megatron-LM's meaning; it is inverted for dialects that state the opposite.
    bool flag(std::string_view option);
    /// Value of a string option in lower case. @param otherwise  value if the file does not state the option
    std::string lower_word(std::string_view option, std::string_view otherwise = {});
    std::optional<bool> stated_flag(std::string_view option);
    /// Values of a flag under all names that the file uses for it.
    std::vector<bool> flags(std::string_view option);
    std::optional<std::string> word(std::string_view option);

    /// Whether the file overrides a recipe, which is not given.
    bool has_recipe() const {
        return m_dialect == MegatronDialect::megatron_bridge || m_dialect == MegatronDialect::nemo_2;
    }
    /// Lists the default of a field that the file leaves to its recipe, if it has one.
    void leave_to_recipe(std::string_view field, nlohmann::ordered_json value);

    void read_named_model();
    void read_model();
    /// Call after the batch is read, because the sequence length may determine the number of learned positions.
    void read_positions();
    void read_hybrid_layers();
    /// The pattern of the layers that releases before the pattern took from ratios. Empty if no ratio is stated, or if
    /// the layers do not follow from them.
    std::optional<std::string> pattern_of_ratios();
    void read_predictions(HybridLayers &hybrid, const std::string &modules);
    /// Reports a layer pattern that no model can have, and options that Megatron does not accept with a pattern.
    void check_hybrid_layers();
    void check_stages_of_pattern(const UnevenSplit &split);
    void read_attention();
    void read_vocabulary();
    void read_experts();
    bool uses_feed_forward() const;
    void read_expert_layers(std::int64_t layers);
    void read_windows();
    void read_delta_net();
    void read_delta_net_sizes();
    /// The layers that an option selects, either by a list of 0 and 1 or by a number N. With N, `of_number` states
    /// whether a layer, counted from 0, is selected. Empty if the option is missing. A list of the wrong length is
    /// reported, and the result is empty.
    std::vector<bool> layer_choice(std::string_view option, std::int64_t layers,
                                   bool (*of_number)(std::int64_t layer, std::int64_t every));
    void read_parallelism();
    void read_expert_parallelism();
    void read_virtual_stages();
    void read_zero_bubble();
    bool read_stages();
    /// @param layers  0 if their number is unknown or the ranks do not have one stage each
    void read_deepspeed_stages(std::int64_t layers);
    /// @param counted  layers, including embedding and loss if the options count them as layers
    void read_chunks(std::int64_t counted);
    std::vector<std::int64_t> uneven_layers(const UnevenSplit &split, std::int64_t layers) const;
    void read_zero();
    /// Reports what Megatron-LM does not accept with PyTorch's FSDP2. Call after everything that it depends on is read.
    void check_torch_fsdp();
    void read_batch();
    void read_precision();
    void read_recompute();
    void read_offload();
    void read_optimizer();
    void read_run();

    LaunchPlan &m_launch;
    MegatronDialect m_dialect;
    const Library &m_library;
    std::string m_missing; ///< missing file with the other options; empty if no file is missing
    std::string m_recipe; ///< recipe of Megatron-Bridge; empty if the file names none
    std::int64_t m_named_layers = 0; ///< layers of the preset that the file names; 0 if it names none
    std::int64_t m_named_experts = 0; ///< maximum number of experts in a layer of this preset
    std::int64_t m_tensor = 1;
    std::int64_t m_pipeline = 1;
    std::int64_t m_context = 1;
    std::int64_t m_chunks = 1;
    bool m_torch_fsdp = false; ///< whether PyTorch's FSDP2 shards the states
    std::string m_layers_option; ///< the option that states the number of layers, as the file spells it
    std::vector<std::int64_t> m_hybrid_stages; ///< layers of each stage according to the hybrid layer pattern
};

} // namespace meshwright
