// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"
#include "explain/layout.h"
#include "explain/quantity_names.h"
#include "formulas/kernels.h"

#include <utility>

namespace meshwright {

namespace {

/// Shape of the matmul in one pass: forward, input gradient or weight gradient. The rows are those of one group of the
/// grouped GEMM.
BasicGemmShape<Traced> result_of(const BasicGemmShape<Traced> &shape, Pass pass) {
    const Traced rows = value_of(shape.groups) == 1
        ? shape.rows
        : label(shape.rows / shape.groups,
                {"rows", "rows of one group", count, "the rows are divided among the groups"});
    switch (pass) {
    case Pass::input_gradient:
        return {.rows = rows, .columns = shape.depth, .depth = shape.columns, .groups = shape.groups};
    case Pass::weight_gradient:
        return {.rows = shape.depth, .columns = shape.columns, .depth = rows, .groups = shape.groups};
    default:
        return {.rows = rows, .columns = shape.columns, .depth = shape.depth, .groups = shape.groups};
    }
}

} // namespace

Derivation tiled_rate(const ExplainContext &context, const BasicGemmShape<Traced> &shape, Pass pass,
                      Derivation sustained, Derivation memory_rate) {
    const BasicGemmShape<Traced> result = result_of(shape, pass);
    constexpr const char *origin = "the matmul's shape in this pass";
    const auto of = [](const Traced &number, const char *name, const char *title) {
        return number.derivation({name, title, count}, origin);
    };
    const auto rows = [&] { return of(result.rows, "rows", "rows of one group's output"); };
    const auto columns = [&] { return of(result.columns, "columns", "columns of one group's output"); };
    const double ways = tile_ways(context.plan.cluster.accelerator);
    const Labelled multiprocessors{"multiprocessors", "multiprocessors, each computing one tile", count};
    return by_formula(
        {"rate", "matmul rate after wave quantization", Quantity::flops_per_second}, "matrix-tiles", "reached_rate",
        {by_formula({"tiles", "tiles of 256 x 128 outputs", count}, "matrix-cover", "tiles",
                    {rows(), columns(), of(result.groups, "groups", "number of groups into which the GEMM is split")}),
         by_formula({"tile_share", "fraction of each tile that is used", Quantity::share}, "matrix-cover", "tile_share",
                    {rows(), columns()}),
         of(result.groups * result.rows * result.columns, "results", "output elements of all groups"),
         of(result.depth, "depth", "K dimension of the matmul"), std::move(sustained), std::move(memory_rate),
         ways > 0 ? context.accelerator_fact(multiprocessors, ways, "multiprocessors")
                  : published(multiprocessors, 0,
                              "no wave quantization: the accelerator has a few large matrix units, or its number of "
                              "multiprocessors is unknown"),
         context.constant("tile_seconds", ConstantId::matrix_tile_seconds)});
}

} // namespace meshwright
