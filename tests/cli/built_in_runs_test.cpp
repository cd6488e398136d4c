// SPDX-License-Identifier: GPL-3.0-or-later
#include "built_in_runs.h"

#include "catalog/library.h"
#include "catalog/preset_digest.h"
#include "evidence/similar_runs.h"

#include <gtest/gtest.h>

namespace meshwright {
namespace {

TEST(BuiltInRuns, AreOfTheProgramsOwnPresets) {
    EXPECT_EQ(digest_of_presets(Library({MESHWRIGHT_PRESETS})), built_in_runs().presets);
}

TEST(BuiltInRuns, AreWhatIsPredictedAnewBitByBit) {
    const EvidenceTable &table = *EvidenceTable::standard();
    const std::vector<ComparedRun> anew = compared_runs(table, table.predict());
    const auto built_in = built_in_runs().runs;
    ASSERT_GT(anew.size(), 1000U);
    ASSERT_EQ(built_in.size(), anew.size());
    for (std::size_t i = 0; i < anew.size(); ++i)
        EXPECT_EQ(built_in[i], anew[i]) << anew[i].id;
}

} // namespace
} // namespace meshwright
