// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/catalogue.h"
#include "formulas/pipeline.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

enum class Share { over_ideal, of_total };

/// A schedule's bubble as a fraction. The fraction takes the arguments of the bubble's function, followed by
/// microbatches, F, I and W.
template <typename Function, typename Indices>
FormulaResult share_of(Share kind, FormulaResult about, const FormulaResult &bubble,
                       const FormulaFunction<Function, Indices> &function) {
    static constexpr std::size_t own = FormulaFunction<Function, Indices>::argument_count;
    const auto share_of_idle = [kind](const auto &idle, const auto &rest) {
        return kind == Share::over_ideal ? idle_over_ideal(idle, rest[0], rest[1], rest[2], rest[3])
                                         : idle_of_total(idle, rest[0], rest[1], rest[2], rest[3]);
    };
    about.quantity = share;
    about.arguments = bubble.arguments;
    for (const std::string_view name : {"microbatches", "forward", "input_gradient", "weight_gradient"})
        about.arguments.push_back(name);
    about.function = [share_of_idle, &function](std::span<const double> values) {
        return share_of_idle(function.call(values), values.subspan(own));
    };
    about.formula = [share_of_idle, &function](std::span<const Expression> names) {
        return share_of_idle(function.express(names), names.subspan(own));
    };
    return about;
}

struct About {
    std::string_view id;
    std::string_view title;
    std::string_view source;
    std::string_view notes = {};
};

Symbol time_of(std::string_view name, std::string_view letter, std::string_view meaning) {
    return otherwise(amount(seconds, name, letter, meaning), 1);
}

/// A schedule's bubble in seconds and as fractions.
/// @param symbols  symbols other than stages, microbatches and the three times
template <std::size_t Count, typename Function, typename Indices>
Formula schedule(const About &about, std::vector<Symbol> symbols, const std::string_view (&arguments)[Count],
                 const FormulaFunction<Function, Indices> &function) {
    const FormulaResult bubble =
        result({"bubble_seconds", "t_b", "idle time per step, not counting sends", seconds}, arguments, function);
    symbols.insert(
        symbols.begin(),
        {whole("stages", "p", "pipeline stages", 2, 1e5), whole("microbatches", "m", "microbatches per step")});
    symbols.push_back(time_of("forward", "F", "time of a microbatch's forward pass on one rank"));
    symbols.push_back(time_of("input_gradient", "I", "time of a microbatch's input gradient on one rank"));
    symbols.push_back(time_of("weight_gradient", "W", "time of a microbatch's weight gradient on one rank"));
    return {
        .id = about.id,
        .title = about.title,
        .topic = topic::pipeline,
        .symbols = std::move(symbols),
        .results = {bubble,
                    share_of(Share::over_ideal, {"over_ideal", "r", "idle time relative to ideal time"}, bubble,
                             function),
                    share_of(Share::of_total, {"of_total", "b", "idle time relative to total time"}, bubble, function)},
        .source = about.source,
        .notes = about.notes};
}

/// Adds the idle fraction of the busiest rank's own span, if the span is shorter than the whole step.
template <std::size_t Count, typename Function, typename Indices>
Formula with_span(Formula formula, const std::string_view (&arguments)[Count],
                  const FormulaFunction<Function, Indices> &function) {
    const FormulaResult idle = result({"span", "", "", seconds}, arguments, function);
    formula.results.push_back(
        share_of(Share::of_total, {"of_span", "b_s", "idle time relative to the busiest rank's span"}, idle, function));
    return formula;
}

Symbol chunks() {
    return otherwise(whole("chunks", "v", "chunks per rank, or slices per sequence for Seq1F1B", 1, 1e4), 1);
}

std::vector<Formula> zero_bubble_schedules() {
    constexpr std::string_view times = "F, I and W are times of one microbatch on one rank.";
    return {
        with_span(
            schedule(
                {"zb-h1-bubble", "Bubble of ZB-H1",
                 "Qi et al., Zero bubble pipeline parallelism, arXiv 2401.10241, section 2.2",
                 "Uses as much memory as 1F1B. Weight gradients longer than a forward pass do not fit into the drain."},
                {}, {"stages", "forward", "input_gradient", "weight_gradient"}, zb_h1_bubble_seconds),
            {"stages", "forward", "input_gradient", "weight_gradient"}, zb_h1_span_bubble_seconds),
        with_span(schedule({"zb-h2-bubble", "Bubble of ZB-H2", "Qi et al., arXiv 2401.10241, section 2.2",
                            "Zero bubble refers to a rank's own span. The skew between the ranks' first operations, (p "
                            "- 1) F, remains in every step that ends with a barrier."},
                           {}, {"stages", "forward", "input_gradient", "weight_gradient"}, zb_h2_bubble_seconds),
                  {"stages", "forward", "input_gradient", "weight_gradient"}, zb_h2_span_bubble_seconds),
        schedule(
            {"zb-2p-bubble", "Bubble of ZB-2p", "Qi et al., arXiv 2401.10241, section 3",
             "This is the skew between the ranks' first operations, which no order avoids. With memory for the "
             "activations of 2 p microbatches and with enough microbatches, the order found by search approaches it."},
            {}, {"stages", "forward"}, zb_2p_bubble_seconds),
        schedule({"interleaved-zb-bubble", "Bubble of interleaved zero bubble",
                  "ZB-H1's formula, arXiv 2401.10241, extended to chunks; equals the bubble of PyTorch's "
                  "ScheduleInterleavedZeroBubble at F = I = W",
                  times},
                 {chunks()}, {"stages", "chunks", "forward", "input_gradient", "weight_gradient"},
                 interleaved_zb_bubble_seconds),
        schedule({"zb-v-bubble", "Bubble of ZB-V",
                  "Qi et al., Pipeline parallelism with controllable memory, arXiv 2405.15362, section 4",
                  "Holds for F = I = W; no rank is then idle within its own span."},
                 {}, {"stages", "forward"}, zb_v_bubble_seconds),
        schedule({"v-half-bubble", "Bubble of V-Half",
                  "Output of the schedule generator of arXiv 2405.15362 at F = I = W",
                  "Uses half of 1F1B's activation memory."},
                 {}, {"stages", "forward", "input_gradient", "weight_gradient"}, v_half_bubble_seconds),
        schedule(
            {"v-min-bubble", "Bubble of V-Min", "Output of the schedule generator of arXiv 2405.15362 at F = I = W",
             "Uses a third of 1F1B's activation memory. There is no closed form. In units of 1/6 of a "
             "microbatch's time, the bubble is 3 at 2 stages, 11 at 4, 17 at 6, 27 at 8, 35 at 10, 41 at 12 and 59 "
             "at 16, interpolated linearly in between."},
            {}, {"stages", "forward", "input_gradient", "weight_gradient"}, v_min_bubble_seconds)};
}

std::vector<Formula> other_schedules() {
    const Symbol backward =
        otherwise(amount(seconds, "backward", "B", "time of a microbatch's whole backward pass"), 2);
    return {
        schedule({"fill-bubble", "Bubble of GPipe, 1F1B and interleaved 1F1B",
                  "arXiv 1811.06965 (GPipe), 2104.04473 (1F1B, interleaved), 2211.05953 (breadth-first), 2406.03488 "
                  "(Seq1F1B)"},
                 {chunks()}, {"stages", "chunks", "forward", "input_gradient", "weight_gradient"}, fill_bubble_seconds),
        schedule({"dualpipe-bubble", "Bubble of DualPipe",
                  "DeepSeek-V3, arXiv 2412.19437, table 2, where a combined forward and backward block takes F + B",
                  "Exact for F = I. Each rank holds two copies of the weights."},
                 {}, {"stages", "forward", "input_gradient", "weight_gradient"}, dualpipe_bubble_seconds),
        schedule({"dualpipe-v-bubble", "Bubble of DualPipeV",
                  "The DualPipe repository's notes on DualPipeV (DualPipe cut in half)", "Exact for F = I."},
                 {}, {"stages", "forward", "input_gradient", "weight_gradient"}, dualpipe_v_bubble_seconds),
        schedule({"chimera-bubble", "Bubble of Chimera", "Li and Hoefler, Chimera, arXiv 2107.06925, section 3",
                  "Needs an even number of stages; each rank holds two copies of the weights."},
                 {backward}, {"stages", "microbatches", "forward", "backward"}, chimera_bubble_seconds)};
}

} // namespace

std::vector<Formula> schedule_formulas() {
    std::vector<Formula> all = zero_bubble_schedules();
    for (Formula &formula : other_schedules())
        all.push_back(std::move(formula));
    return all;
}

} // namespace meshwright::catalogue
