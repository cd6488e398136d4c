// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/launch_plan.h"
#include "launch/option_names.h"
#include "launch/torchtitan_flavors.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// Versions of the options. After v0.2.2, torchtitan changed the unit of batches from sequences to tokens, and the
/// format of configurations from TOML to Python.
enum class TorchtitanDialect {
    v0_2_2, ///< TOML or --section.key arguments; batches in sequences
    main ///< the JSON of save_config_file, or --module, --config and arguments; batches in tokens
};

/// Translates torchtitan's options into a plan. The rules follow torchtitan v0.2.2 (73a0e6979dd1:
/// torchtitan/config/job_config.py, distributed/parallel_dims.py, distributed/pipeline_parallel.py) and main
/// (b5bcd76c66d0: torchtitan/config/configs.py, trainer.py).
class TorchtitanReading {
public:
    /// @param added  flavors that Python files next to the configuration add to torchtitan's own
    TorchtitanReading(LaunchPlan &launch, TorchtitanDialect dialect, const Library &library,
                      std::vector<TorchtitanFlavor> added = {});

    /// Reads all options except those about machines, which the caller reads because it knows the launcher. @pre
    /// launch.machines is set as far as known
    void read();

private:
    bool is_main() const { return m_dialect == TorchtitanDialect::main; }
    /// A degree of parallelism, or torchtitan's default if the file does not state it.
    std::int64_t degree(std::string_view names, std::string_view field, std::int64_t otherwise = 1);

    void read_model();
    bool take_flavor(const std::string &model, const std::string &flavor, bool is_function);
    void read_model_object();
    void read_parallelism();
    void read_sharding();
    void read_experts();
    void read_pipeline();
    void read_layers(bool several_stages, bool v_shape);
    bool read_module_names();
    void read_sequences();
    void read_tokens();
    void read_precision();
    void read_recompute();
    void read_software();
    void read_sites();
    /// Converts a number of sequences of all sites to that of one site: replica groups split the global batch.
    std::int64_t of_one_site(std::int64_t sequences) const;
    void read_outer_loop();
    void read_run();
    void ignore_the_rest();

    LaunchPlan &m_launch;
    OptionNames m_options;
    TorchtitanDialect m_dialect;
    const Library &m_library;
    std::vector<TorchtitanFlavor> m_added;
    std::int64_t m_sites = 1; ///< replica groups of TorchFT
    std::int64_t m_tensor = 1;
    std::int64_t m_context = 1;
    std::int64_t m_pipeline = 1;
    std::int64_t m_layers = 0; ///< number of layers of the model; 0 if unknown
    std::string m_converters; ///< model converters in lower case
};

} // namespace meshwright
