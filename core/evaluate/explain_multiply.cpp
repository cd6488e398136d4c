// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_layers.h"
#include "evaluate/explain_layout.h"
#include "evaluate/quantity_names.h"
#include "formulas/kernels.h"

#include <utility>

namespace meshwright {

namespace {

/// Output shape of a matmul in one pass: its result, or the gradient of its inputs or weights.
ResultShape result_of(const GemmShape &shape, Pass pass) {
    const double rows = shape.rows / shape.groups;
    switch (pass) {
    case Pass::input_gradient:
        return {.rows = rows, .columns = shape.depth, .depth = shape.columns, .groups = shape.groups};
    case Pass::weight_gradient:
        return {.rows = shape.depth, .columns = shape.columns, .depth = rows, .groups = shape.groups};
    default:
        return {.rows = rows, .columns = shape.columns, .depth = shape.depth, .groups = shape.groups};
    }
}

/// Load of the busiest expert-parallel rank relative to the mean; 1 where tokens are not routed.
double load_of(const ExplainContext &context, const LayerOperation &multiply) {
    const bool routed = multiply.module == Module::expert && multiply.multiply.units == MatrixUnits::compute;
    return routed ? formula::busiest_expert_load(context.assumed[ConstantId::expert_load_variation],
                                                 multiply.multiply.groups, context.layers.shape().expert)
                  : 1;
}

} // namespace

Derivation rows_of(const ExplainContext &context, const LayerOperation &multiply) {
    const double tokens = context.layers.shape().tokens;
    const double rows = multiply.multiply.rows;
    if (rows == tokens)
        return microbatch_tokens(context, "rows");
    const Labelled what{"rows", "rows: tokens of a microbatch in this matmul", count};
    const double load = load_of(context, multiply);
    const auto share = [&] {
        return model_fact({"share", "copies of a token, over the ranks that share them"}, rows / tokens / load,
                          "the model's experts per token, over parallelism");
    };
    if (load == 1)
        return derived(what, rows, "tokens * share", "definition", {microbatch_tokens(context, "tokens"), share()});
    return derived(what, rows, "tokens * share * load", "all ranks wait for the one with most tokens",
                   {microbatch_tokens(context, "tokens"), share(),
                    by_formula({"load", "tokens of the busiest rank relative to the mean"}, "expert-load", "load",
                               {context.constant("variation", ConstantId::expert_load_variation),
                                model_fact({"rank_experts", "routed experts per rank"}, multiply.multiply.groups,
                                           "the model's experts over expert parallelism"),
                                named("ranks", degree(context, "expert"))})});
}

Derivation tiled_rate(const ExplainContext &context, const GemmShape &shape, Pass pass, Derivation sustained,
                      Derivation memory_rate) {
    const ResultShape result = result_of(shape, pass);
    constexpr const char *origin = "the matmul's shape in this pass";
    const auto rows = [&] { return model_fact({"rows", "rows of one group's output", count}, result.rows, origin); };
    const auto columns = [&] {
        return model_fact({"columns", "columns of one group's output", count}, result.columns, origin);
    };
    const double ways = tile_ways(context.plan.cluster.accelerator);
    const Labelled multiprocessors{"multiprocessors", "multiprocessors, one tile each", count};
    return by_formula(
        {"rate", "matmul rate with whole waves of tiles", Quantity::flops_per_second}, "matrix-tiles", "reached_rate",
        {by_formula(
             {"tiles", "tiles of 256 x 128 outputs", count}, "matrix-cover", "tiles",
             {rows(), columns(), model_fact({"groups", "outputs in the grouped GEMM", count}, result.groups, origin)}),
         by_formula({"tile_share", "used fraction of a tile", Quantity::share}, "matrix-cover", "tile_share",
                    {rows(), columns()}),
         model_fact({"results", "output elements of all groups", count}, result.groups * result.rows * result.columns,
                    origin),
         model_fact({"depth", "depth of each output", count}, result.depth, origin), std::move(sustained),
         std::move(memory_rate),
         ways > 0 ? context.accelerator_fact(multiprocessors, ways, "multiprocessors")
                  : published(multiprocessors, 0, "a few large units, or unknown: no quantization to waves"),
         context.constant("tile_seconds", ConstantId::matrix_tile_seconds)});
}

} // namespace meshwright
