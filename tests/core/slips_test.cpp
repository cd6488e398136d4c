// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/formula.h"

#include <gtest/gtest.h>
#include <muParser.h>

#include <sstream>

namespace meshwright {

namespace {

using Arguments = std::map<std::string, std::string, std::less<>>;

/// A published figure that differs from the exact value that the formula gives. The formula's notes print both.
struct Slip {
    const char *name;
    const char *formula;
    const char *arguments;
    const char *result;
    const char *reading; ///< expression that converts the formula's result, `value`, to the published unit
    double exact;
    const char *exact_printed;
    const char *published_printed;
};

constexpr Slip slips[] = {
    {"a dropped factor 2 in a tensor-parallel all-reduce", "tensor-all-reduce",
     "micro_batch=1 sequence=4096 hidden=8192 ranks=8", "bytes_per_rank", "value / 2 ^ 20", 112, "112 MiB", "56 MB"},
    {"what builds on it: the share of all-reduces", "tensor-overhead",
     "layers=80 all_reduce_seconds=0.1957ms compute_seconds=0.3", "fraction", "100 * value", 21, "21%", "10%"},
    {"an activation saving eight times too large", "activation-tensors",
     "batch=4 sequence=4096 hidden=8192 layers=80 tensors_per_layer=2", "bytes", "value / 2 / 1e9", 21.5, "21.5 GB",
     "172 GB"},
    {"utilisation counted twice", "training-time", "flops=6.3e23 accelerators=1024 peak=989e12 mfu=45%", "days",
     "value", 16, "16", "39.6 days"},
    {"a utilisation that its own days do not give", "training-time",
     "flops=3.7908e25 accelerators=16384 peak=989e12 days=54", "mfu", "100 * value", 50, "50%", "48%"},
    {"p - 1 for p microbatches in flight", "pipeline-in-flight", "stages=4 microbatches=12 schedule=1f1b",
     "microbatches", "2 * value", 8, "8 GB", "6 GB"},
    {"an index that a wire budget forgot", "wire-payload", "parameters=144B bits=4 density=25% index=bitmap", "bytes",
     "value / 1e9", 36, "36 GB", "18 GB"},
    {"an arithmetic slip in a step's time", "accumulated-step",
     "accumulation_steps=64 micro_batch_seconds=120ms all_reduce_seconds=50ms", "seconds", "1000 * value", 7730,
     "7730 ms", "7731"},
    {"a dropped (N - 1) / N in ZeRO-3's traffic", "zero3-traffic", "parameters=7B ranks=64", "bytes_per_rank",
     "value / 1e9", 41.34, "41.34 GB", "42 GB"},
    {"a slip in an all-reduce over 128 ranks", "ring-all-reduce", "ranks=128 bytes=7.38GB", "bytes_per_rank",
     "value / 1e9", 14.645, "14.645 GB", "14.63"},
    {"computation and tokens that do not belong together", "training-flops", "parameters=144B tokens=12T", "flops",
     "value / 1e25", 1.0368, "1.0368e25", "1.02e25"},
    {"below that is not below", "microbatches-for-bubble", "stages=8 bubble=5% chunks=2", "microbatches", "value", 72,
     "72", "70"},
    {"a closed form outside its domain", "pipeline-bubble", "stages=16 microbatches=4 chunks=2", "over_ideal",
     "100 * value", 337.5, "337.5%", "187.5%"},
    {"half of a checkpoint's waste", "checkpoint-interval", "mtbf_seconds=86400 write_seconds=98", "waste_fraction",
     "50 * value", 2.4, "2.4%", "2.4%"},
    {"a link for every accelerator where a node has one", "hierarchical-all-reduce",
     "bytes=20GB ranks_per_node=8 nodes=8 fast_bandwidth=600GB/s slow_bandwidth=100GB/s",
     "slow_seconds_with_a_link_per_rank", "1000 * value", 44, "44 ms", "350 ms"},
    {"constants printed to too few digits", "compute-optimal", "flops=3.8e25 law=llama3", "tokens", "value / 1e12",
     10.5, "10.5T", "16.55T"},
};

double reading_of(const Slip &slip) {
    Arguments arguments;
    std::istringstream words(slip.arguments);
    for (std::string word; words >> word;)
        arguments[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    for (const Calculation::Value &one : calculate(slip.formula, arguments).values)
        if (one.result->name == slip.result) {
            mu::Parser parser;
            parser.DefineConst("value", one.value);
            parser.SetExpr(slip.reading);
            return parser.Eval();
        }
    ADD_FAILURE() << slip.formula << " has no result " << slip.result;
    return 0;
}

} // namespace

TEST(Slips, AreNotWhatTheFormulasGive) {
    for (const Slip &slip : slips)
        EXPECT_NEAR(reading_of(slip), slip.exact, 0.01 * slip.exact) << slip.name;
}

TEST(Slips, StandInTheNotesWithTheExactValue) {
    for (const Slip &slip : slips) {
        const std::string_view notes = find_formula(slip.formula)->notes;
        for (const std::string_view printed : {slip.exact_printed, slip.published_printed})
            EXPECT_NE(notes.find(printed), std::string_view::npos) << slip.name << ": " << printed << " in: " << notes;
    }
}

} // namespace meshwright
