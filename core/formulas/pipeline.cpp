// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/pipeline.h"

#include "formulas/catalogue.h"
#include "plan/plan.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol stages() {
    return whole("stages", "p", "pipeline stages", 1, 1e5);
}
Symbol microbatches() {
    return whole("microbatches", "m", "microbatches per step");
}
Symbol chunks() {
    return otherwise(whole("chunks", "v", "chunks (virtual stages) per rank", 1, 1e4), 1);
}

Formula bubble() {
    return {.id = "pipeline-bubble",
            .title = "Pipeline bubble",
            .topic = topic::pipeline,
            .symbols = {stages(), microbatches(), chunks()},
            .results = {result({"over_ideal", "r", "idle time relative to ideal time", share},
                               {"stages", "microbatches", "chunks"}, bubble_over_ideal),
                        result({"of_total", "b", "idle time relative to total time", share},
                               {"stages", "microbatches", "chunks"}, bubble_of_total),
                        result({"of_span", "b_s", "idle time relative to the busiest rank's span", share},
                               {"stages", "microbatches", "chunks"}, bubble_of_total)},
            .source =
                "Narayanan et al., arXiv 2104.04473, section 2.2; GPipe, arXiv 1811.06965, section 2.3; interleaving: "
                "from a simulated schedule if the number of microbatches is not a multiple of the number of stages",
            .notes = "Applies to GPipe and 1F1B without chunks, and to interleaved 1F1B with chunks. The same idle "
                     "time can be stated as two fractions: 3 units of idle time after 12 units of work are 25% of the "
                     "ideal time and 20% of the total. Both fractions are correct, for 1F1B as for GPipe. The first "
                     "rank starts first and ends last, so its span is the whole step. With chunks, the closed form "
                     "(p - 1) / (m v) holds only if the number of microbatches is a multiple of the number of stages: "
                     "with 4 microbatches on 16 stages of 2 chunks, ranks are idle for 337.5% of the ideal time, not "
                     "187.5%."};
}

Formula in_flight() {
    Symbol schedule = choice("schedule", "S", "pipeline schedule", {});
    for (const std::string &name : schedule_names())
        schedule.choices.emplace_back(name);
    schedule.high = static_cast<double>(schedule.choices.size() - 1);
    const Symbol group =
        otherwise(whole("group", "g", "microbatches per interleaving group; 0: the number of stages", 0), 0);
    const Symbol rank = otherwise(whole("rank", "k", "pipeline rank, from 0", 0, 1e5), 0);
    return {
        .id = "pipeline-in-flight",
        .title = "Microbatches in flight",
        .topic = topic::pipeline,
        .symbols = {otherwise(schedule, 1), stages(), microbatches(), chunks(), group, rank,
                    or_zero(amount(bytes, "bytes", "S", "activations of one microbatch on one rank"))},
        .results = {result({"microbatches", "n", "peak microbatches in flight, from forward to weight gradient",
                            Quantity::number},
                           {"schedule", "stages", "microbatches", "chunks", "group", "rank"}, microbatches_in_flight),
                    result({"chunks_in_flight", "n_c", "peak chunks in flight", count},
                           {"schedule", "stages", "microbatches", "chunks", "group", "rank"}, chunks_in_flight),
                    result({"bytes_in_flight", "S_n", "peak activation memory", bytes},
                           {"schedule", "stages", "microbatches", "chunks", "group", "rank", "bytes"},
                           bytes_in_flight)},
        .source =
            "1F1B and interleaving: arXiv 2104.04473; zero bubble: 2401.10241; V schedules: 2405.15362; DualPipe: "
            "2412.19437; Chimera: 2107.06925; Seq1F1B: 2406.03488",
        .notes = "The first rank of 1F1B runs p forward passes before its first backward pass ends, so it holds p "
                 "microbatches: 4 stages and 2 GB per microbatch give 8 GB. Counting only the p - 1 microbatches of "
                 "the warm-up gives 6 GB, and the run would not fit."};
}

Formula one_f_one_b() {
    const Symbol rank = otherwise(whole("rank", "k", "pipeline rank, from 0", 0, 1e5), 0);
    const Symbol group = whole("group", "g", "microbatches per interleaving group");
    return {.id = "in-flight-by-rank",
            .title = "Microbatches in flight per rank with 1F1B",
            .topic = topic::pipeline,
            .symbols = {stages(), microbatches(), rank, chunks(), group},
            .results = {result({"microbatches", "n", "peak microbatches in flight with 1F1B", count},
                               {"stages", "microbatches", "rank"}, one_f_one_b_in_flight),
                        result({"interleaved_chunks", "n_i", "peak chunks in flight with interleaving", count},
                               {"stages", "microbatches", "chunks", "group", "rank"}, interleaved_in_flight),
                        result({"sliced", "n_s", "peak slices in flight with Seq1F1B (chunks are slices)", count},
                               {"stages", "microbatches", "chunks", "rank"}, seq1f1b_in_flight)},
            .source = "Narayanan et al., arXiv 2104.04473, section 2.2; Seq1F1B, arXiv 2406.03488"};
}

Formula traffic() {
    return {
        .id = "pipeline-traffic",
        .title = "Point-to-point traffic between stages",
        .topic = topic::pipeline,
        .symbols = {stages(), microbatches(), chunks(),
                    or_zero(amount(bytes, "bytes", "S", "activation bytes per microbatch and boundary")),
                    amount(bytes_per_second, "bandwidth", "B", "link bandwidth, one direction")},
        .results = {result({"bytes", "S_p", "bytes over all boundaries, both directions", bytes},
                           {"stages", "microbatches", "chunks", "bytes"}, pipeline_traffic_bytes),
                    result({"seconds", "t", "time if one link carried all bytes in sequence", seconds},
                           {"stages", "microbatches", "chunks", "bytes", "bandwidth"}, pipeline_traffic_seconds)},
        .source =
            "One send forward and one backward over each boundary; Narayanan et al., arXiv 2104.04473, section 2.2.2",
        .notes = "The time assumes a single link for everything. In practice each boundary has its own link, and "
                 "most sends overlap with computation."};
}

Formula for_bubble() {
    const Symbol bubble = amount(share, "bubble", "r", "upper limit for idle time relative to ideal time");
    return {
        .id = "microbatches-for-bubble",
        .title = "Microbatches for a bubble limit",
        .topic = topic::pipeline,
        .symbols = {stages(), bubble, chunks()},
        .results = {result(
            {"microbatches", "m", "minimum number of microbatches for a bubble strictly below the limit", count},
            {"stages", "chunks", "bubble"}, microbatches_below_bubble)},
        .source = "Narayanan et al., arXiv 2104.04473, section 2.2, solved for m",
        .notes =
            "The bubble must be below the limit: with 8 stages and a limit of 5%, 140 microbatches give exactly "
            "5%, so 141 are needed. With chunks the closed form holds only for multiples of the number of stages, so "
            "the result is rounded up to the next one: 72 microbatches with 2 chunks (a bubble of 4.9%; with 70 or 71 "
            "it exceeds 5%), and 40 with 4 chunks (4.4%)."};
}

Formula layers() {
    const Symbol all = whole("layers", "L", "layers of the model");
    return {
        .id = "stage-layers",
        .title = "Layers per stage",
        .topic = topic::pipeline,
        .symbols = {all, stages()},
        .results = {result({"most", "l", "maximum layers per stage", count}, {"layers", "stages"}, stage_layers_most),
                    result({"stages_with_most", "p_l", "number of stages with the maximum", count},
                           {"layers", "stages"}, stages_with_most),
                    result({"least", "l_0", "minimum layers per stage", count}, {"layers", "stages"},
                           stage_layers_least)},
        .source = "Division with remainder"};
}

Formula sends() {
    return {.id = "pipeline-sends",
            .title = "Send time added to 1F1B",
            .topic = topic::pipeline,
            .symbols = {whole("stages", "p", "pipeline stages", 2, 1e5), microbatches(),
                        amount(seconds, "hop", "c", "time of one send between stages")},
            .results = {result({"seconds", "t", "time added to the makespan", seconds},
                               {"stages", "microbatches", "hop"}, one_f_one_b_send_seconds)},
            .source = "Derived from simulated schedules in which the number of microbatches is a multiple of the "
                      "number of stages. The makespan grows by 16 send times with 4 stages and 8 microbatches, by 54 "
                      "with 8 stages and 24 microbatches, and by 148 with 16 stages and 64 microbatches."};
}

} // namespace

std::vector<Formula> pipeline_formulas() {
    return {bubble(), in_flight(), one_f_one_b(), traffic(), for_bubble(), layers(), sends()};
}

} // namespace meshwright::catalogue
