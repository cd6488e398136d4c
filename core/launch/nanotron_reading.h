// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/launch_plan.h"
#include "launch/option_names.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace meshwright {

/// Translates nanotron's options into a plan. The rules are those of commit 2411b022a75f (src/nanotron/config). Unknown
/// options are not errors but are listed as ignored, because real files come from earlier and later releases.
class NanotronReading {
public:
    NanotronReading(LaunchPlan &launch, const Library &library);

    void read();

private:
    std::int64_t degree(std::string_view names, std::string_view field);

    void read_parallelism();
    void read_model();
    void read_experts();
    void read_batch();
    void read_precision();
    void read_run();
    void ignore_the_rest();

    LaunchPlan &m_launch;
    OptionNames m_options;
    const Library &m_library;
    std::int64_t m_tensor = 1;
    std::int64_t m_context = 1;
    std::int64_t m_pipeline = 1;
};

} // namespace meshwright
