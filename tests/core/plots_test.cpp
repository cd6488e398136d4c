// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "evidence/evidence_table.h"
#include "input/diagnostic.h"
#include "plan/plan_json.h"
#include "plots/plot.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace meshwright;

namespace {

Plot plot_named(std::string_view name, std::string_view preset = "pretrain-8b") {
    const Plan plan = plan_from_json(Library::standard().json(PresetKind::plan, preset), Library::standard());
    return plot_of(name, {.plan = plan, .library = Library::standard()});
}

/// Returns the row whose cells contain these texts, in any columns.
std::size_t plot_row(const Plot &plot, const std::vector<std::string> &texts) {
    for (std::size_t row = 0; row < plot.rows.size(); ++row)
        if (std::all_of(texts.begin(), texts.end(), [&](const std::string &text) {
                return std::find(plot.rows[row].begin(), plot.rows[row].end(), PlotCell(text)) != plot.rows[row].end();
            }))
            return row;
    ADD_FAILURE() << "no row contains " << texts.front();
    return 0;
}

double plot_value(const Plot &plot, std::size_t row, std::string_view key) {
    return plot.number(row, plot.column(key));
}

} // namespace

TEST(Plots, HaveRowsOfTheirColumnsAndSayWhereTheyComeFrom) {
    for (const std::string &name : plot_names()) {
        const Plot each = plot_named(name);
        EXPECT_EQ(each.name, name);
        EXPECT_EQ(each.title, title_of_plot(name));
        EXPECT_TRUE(each.problem.empty()) << each.problem;
        EXPECT_FALSE(each.caption.empty() || each.source.empty()) << name;
        ASSERT_FALSE(each.rows.empty()) << name;
        std::set<std::string> keys;
        for (const PlotColumn &column : each.columns)
            EXPECT_TRUE(keys.insert(column.key).second) << column.key;
        for (const std::vector<PlotCell> &row : each.rows)
            ASSERT_EQ(row.size(), each.columns.size()) << name;
    }
    EXPECT_THROW(plot_named("bubble"), InputError);
}

TEST(Plots, SynchronizeA72TModelInThePublishedTime) {
    const Plot each = plot_named("synchronization-by-bandwidth");
    const std::size_t published = plot_row(each, {"published for 23 sites"});
    // The value of the curve at the published bandwidth is between its two nearest points on logarithmic axes.
    double below = 0;
    double above = 0;
    const double rate = plot_value(each, published, "bits_per_second");
    for (std::size_t row = 0; row < each.rows.size(); ++row)
        if (each.text(row, 0) == "ring of 23 sites") {
            const double at = plot_value(each, row, "bits_per_second");
            if (at <= rate)
                below = plot_value(each, row, "seconds");
            else if (above == 0)
                above = plot_value(each, row, "seconds");
        }
    const double seconds = std::sqrt(below * above);
    EXPECT_NEAR(seconds, plot_value(each, published, "seconds"), 0.1 * seconds);
}

TEST(Plots, SynchronizeTwoSitesInTheTimeOfTheTensorOverTheLink) {
    const Plot each = plot_named("synchronization-by-bandwidth");
    for (std::size_t row = 0; row < each.rows.size(); ++row)
        if (each.text(row, 0) == "two sites" && std::abs(plot_value(each, row, "bits_per_second") / 1e13 - 1) < 1e-9) {
            // 144 TB at 10 Tb/s, and 4,800 km each way at two thirds of the speed of light.
            EXPECT_NEAR(plot_value(each, row, "seconds"), 115.2 + 0.047, 1e-3);
            return;
        }
    ADD_FAILURE() << "no point at 10 Tb/s";
}

TEST(Plots, CalculateTheComputeThatOthersHaveEstimated) {
    const Plot each = plot_named("compute-by-date");
    std::vector<double> ratios;
    for (std::size_t row = 0; row < each.rows.size(); ++row) {
        EXPECT_GT(plot_value(each, row, "flops"), 1e19) << each.text(row, 0);
        EXPECT_GT(plot_value(each, row, "year"), 2018) << each.text(row, 0);
        if (const double ratio = plot_value(each, row, "flops") / plot_value(each, row, "estimated_flops");
            std::isfinite(ratio) && each.text(row, 1) == "calculated from a plan")
            ratios.push_back(std::abs(std::log(ratio)));
    }
    ASSERT_GT(ratios.size(), 10U);
    std::sort(ratios.begin(), ratios.end());
    EXPECT_LT(ratios[ratios.size() / 2], std::log(1.1));
    EXPECT_LT(ratios.back(), std::log(2.5)); // Epoch counts more tokens for OPT-175B
    const std::size_t llama = plot_row(each, {"Llama 3.1 405B"});
    EXPECT_NEAR(plot_value(each, llama, "flops"), 3.8e25, 0.05 * 3.8e25); // arXiv 2407.21783
    EXPECT_NEAR(plot_value(each, llama, "year"), 2024 + 204.0 / 366, 1e-9);
}

TEST(Plots, ShowEveryMeasuredRunThatHasAPlan) {
    const Plot each = plot_named("measured-runs");
    const auto table = EvidenceTable::standard();
    std::size_t measured = 0;
    for (std::size_t i = 0; i < table->runs.size(); ++i)
        measured += table->plans[i].skipped.empty() && table->runs[i].measured_seconds() ? 1 : 0;
    EXPECT_EQ(each.rows.size(), measured);
    for (std::size_t row = 0; row < each.rows.size(); ++row) {
        EXPECT_GT(plot_value(each, row, "mfu"), 0);
        EXPECT_GE(plot_value(each, row, "nodes"), 1);
    }
    // 16.27 s for 4,096 sequences of 2,048 tokens on 512 GPUs is 1,007 tokens/s per GPU, as its source states.
    const std::size_t row = plot_row(each, {"llmf-001"});
    EXPECT_EQ(plot_value(each, row, "nodes"), 64);
    EXPECT_NEAR(plot_value(each, row, "tokens_per_second_per_accelerator"), 1007, 1);
}

TEST(Plots, ShowBubblesThatPapersGive) {
    // The plan has no pipeline, so the plot uses 8 stages.
    const Plot each = plot_named("bubble-by-schedule", "smollm-135m");
    const auto bubble = [&](const std::string &schedule, double microbatches) {
        for (std::size_t row = 0; row < each.rows.size(); ++row)
            if (each.text(row, 0) == schedule && plot_value(each, row, "microbatches") == microbatches)
                return plot_value(each, row, "bubble_of_ideal");
        return -1.0;
    };
    for (const double microbatches : {8.0, 16.0, 32.0, 64.0}) {
        EXPECT_DOUBLE_EQ(bubble("1F1B", microbatches), 7 / microbatches); // (p - 1) / m, arXiv 2104.04473
        EXPECT_DOUBLE_EQ(bubble("GPipe", microbatches), 7 / microbatches);
        EXPECT_LT(bubble("ZB-H1", microbatches), bubble("1F1B", microbatches));
    }
}

TEST(Plots, ShowTheMapOfBestConfigurations) {
    const Plot each = plot_named("best-configuration");
    ASSERT_EQ(each.rows.size(), 28U); // 4 model sizes on 7 node counts
    int fits = 0;
    for (std::size_t row = 0; row < each.rows.size(); ++row) {
        const double mfu = plot_value(each, row, "mfu");
        if (std::isnan(mfu)) {
            EXPECT_FALSE(each.text(row, each.column("problem")).empty());
            continue;
        }
        ++fits;
        EXPECT_LT(mfu, 1);
        EXPECT_LE(plot_value(each, row, "memory_share"), 1);
        EXPECT_EQ(plot_value(each, row, "tensor") * plot_value(each, row, "pipeline") * plot_value(each, row, "data")
                      * plot_value(each, row, "context"),
                  plot_value(each, row, "accelerators"));
    }
    EXPECT_GT(fits, 20);
}
