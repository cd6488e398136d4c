// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/step_timelines.h"

#include "formulas/catalogue.h"

#include <algorithm>

namespace meshwright {

std::vector<StepSpan> accumulation_timeline(std::int64_t steps, std::int64_t accumulation_steps,
                                            double micro_batch_seconds, double all_reduce_seconds) {
    std::vector<StepSpan> timeline;
    const auto each = static_cast<double>(accumulation_steps);
    for (std::int64_t step = 0; step < steps; ++step) {
        for (std::int64_t i = step * accumulation_steps; i < (step + 1) * accumulation_steps; ++i) {
            const double start = formula::microbatch_start_seconds(each, micro_batch_seconds, all_reduce_seconds,
                                                                   static_cast<double>(i + 1));
            timeline.push_back({StepLane::compute, i, start, start + micro_batch_seconds});
        }
        const double start = formula::reduction_start_seconds(each, micro_batch_seconds, all_reduce_seconds,
                                                              static_cast<double>(step + 1));
        timeline.push_back({StepLane::reduce, step, start, start + all_reduce_seconds});
    }
    return timeline;
}

std::vector<StepSpan> overlap_timeline(std::span<const double> compute_seconds,
                                       std::span<const double> reduce_seconds) {
    std::vector<StepSpan> timeline;
    double computed = 0;
    double reduced = 0;
    for (std::size_t i = 0; i < compute_seconds.size(); ++i) {
        const auto bucket = static_cast<std::int64_t>(i);
        timeline.push_back({StepLane::compute, bucket, computed, computed + compute_seconds[i]});
        computed += compute_seconds[i];
        const double start = std::max(computed, reduced);
        reduced = start + reduce_seconds[i];
        timeline.push_back({StepLane::reduce, bucket, start, reduced});
    }
    return timeline;
}

double exposed_seconds(std::span<const StepSpan> timeline) {
    double computed = 0;
    double reduced = 0;
    for (const StepSpan &span : timeline) {
        double &last = span.lane == StepLane::compute ? computed : reduced;
        last = std::max(last, span.end);
    }
    return std::max(0.0, reduced - computed);
}

namespace catalogue {

using namespace formula;
using enum Quantity;

namespace {

Formula accumulation() {
    return {.id = "accumulation-timeline",
            .title = "Gradient accumulation over time",
            .topic = topic::batch_and_learning_rate,
            .symbols = {whole("accumulation_steps", "m", "microbatches per step"),
                        amount(seconds, "micro_batch_seconds", "t_m",
                               "time of one microbatch's forward and backward passes"),
                        or_zero(amount(seconds, "all_reduce_seconds", "t_a",
                                       "time of the all-reduce at the end of the step")),
                        or_zero(amount(seconds, "time_seconds", "t", "time since the start")),
                        otherwise(whole("microbatch", "i", "microbatch number, from 1, counted over all steps"), 1),
                        otherwise(whole("update", "k", "optimizer step number, from 1"), 1)},
            .results = {result({"updates", "n_k", "optimizer steps finished by this time", count},
                               {"accumulation_steps", "micro_batch_seconds", "all_reduce_seconds", "time_seconds"},
                               finished_updates),
                        result({"microbatches", "n_i", "microbatches finished by this time", count},
                               {"accumulation_steps", "micro_batch_seconds", "all_reduce_seconds", "time_seconds"},
                               finished_microbatches),
                        result({"microbatch_start_seconds", "t_i", "start of the microbatch", seconds},
                               {"accumulation_steps", "micro_batch_seconds", "all_reduce_seconds", "microbatch"},
                               microbatch_start_seconds),
                        result({"reduction_start_seconds", "t_k", "start of the optimizer step's all-reduce", seconds},
                               {"accumulation_steps", "micro_batch_seconds", "all_reduce_seconds", "update"},
                               reduction_start_seconds)},
            .source = "Microbatches run in sequence, followed by one all-reduce"};
}

Formula buckets() {
    return {
        .id = "bucket-overlap",
        .title = "Overlap of gradient buckets with the backward pass",
        .topic = topic::communication,
        .symbols =
            {whole("layers", "L", "layers", 1, 1e6),
             amount(seconds, "backward_seconds", "t_b", "backward time of all layers"),
             otherwise(whole("bucket_layers", "l", "layers per bucket", 1, 1e6), 1),
             amount(seconds, "layer_communication_seconds", "t_c", "time to reduce one layer's gradients"),
             otherwise(or_zero(amount(seconds, "latency", "a", "latency of each bucket's reduction")), 0),
             otherwise(
                 whole("bucket", "k",
                       "bucket number, from 1 in the order of the backward pass; larger numbers select the last bucket",
                       1, 1e6),
                 1)},
        .results =
            {result({"buckets", "n", "buckets", count}, {"layers", "bucket_layers"}, gradient_buckets),
             result({"ready_seconds", "t_k", "time at which the bucket is full", seconds},
                    {"layers", "backward_seconds", "bucket_layers", "bucket"}, ready_seconds_at),
             result({"start_seconds", "t_s", "start of the bucket's reduction", seconds},
                    {"layers", "backward_seconds", "bucket_layers", "layer_communication_seconds", "latency", "bucket"},
                    start_seconds_at),
             result({"end_seconds", "t_e", "end of the bucket's reduction", seconds},
                    {"layers", "backward_seconds", "bucket_layers", "layer_communication_seconds", "latency", "bucket"},
                    end_seconds_at),
             result({"exposed_seconds", "t_x", "communication exposed after the backward pass", seconds},
                    {"layers", "backward_seconds", "bucket_layers", "layer_communication_seconds", "latency"},
                    bucket_exposed_seconds),
             result({"overlapped_fraction", "f", "fraction of the communication that is overlapped", share},
                    {"layers", "backward_seconds", "bucket_layers", "layer_communication_seconds", "latency"},
                    bucket_overlapped_fraction)},
        .source = "PyTorch Distributed, Li et al., arXiv 2006.15704, sections 3.2.2 and 3.2.3",
        .notes = "Large buckets save latency, but no compute is left to overlap with the last bucket. With one layer "
                 "per bucket and no latency, the result equals the formula `overlap`."};
}

} // namespace

std::vector<Formula> step_timeline_formulas() {
    return {accumulation(), buckets()};
}

} // namespace catalogue

} // namespace meshwright
