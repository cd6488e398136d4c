// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/pieces.h"

#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace meshwright {

/// Searches every configuration of a space, piece by piece, and skips only those that a bound rules out. The pieces
/// that are searched, their order and the rounds do not depend on the number of threads.
class Traversal {
public:
    struct Request {
        const ConfigurationSpace &space;
        const FieldValues &values;
        const std::vector<ShapeSearch::Variant> &variants;
        const Wanted &wanted;
        Configuration present; ///< the plan's configuration, where the search starts
        std::stop_token stop;
        std::function<void(std::int64_t considered)> progress; ///< called on the thread that calls run()
    };
    /// @param goals  collects the results; its initial candidates must already have been evaluated
    Traversal(Request request, Goals &goals);

    /// Runs in the calling thread's task arena.
    void run();

    /// Number of configurations considered: all unless the search was stopped.
    std::int64_t considered() const { return m_considered; }
    std::int64_t evaluated() const { return m_evaluated; }
    const Funnel &funnel() const { return m_funnel; }

private:
    struct Scratch {
        std::int32_t variant = -1;
        Plan plan;
    };
    struct Work {
        Piece *piece = nullptr;
        Score bound;
        std::unique_ptr<ShapeSearch> search; ///< search of the piece's kernel shape; deleted by finish()
        std::int64_t evaluated = 0;
        Funnel funnel;
        void finish();
    };
    using Works = std::vector<Work>;

    void climb();
    std::vector<KernelShape> best_kernel_shapes(const std::vector<KernelShape> &behind) const;
    void list_pieces(Family &family) const;
    void look_into(Family &family, Works &works, const std::function<bool(const KernelShape &kernel_shape)> &wanted);
    void bound_families();
    void go_through_families();
    void bound_pieces(Works &works);
    void go_through(Works &works);
    void open(std::span<Work> works);
    void look_at_waiting(std::span<Work> works);
    template <typename Run>
    void in_parallel(const std::vector<Work *> &works, const Run &run);
    Plan &scratch(std::int32_t variant);
    const ShapeSearch::Variant &variant_of(const KernelShape &kernel_shape) const;
    bool could_matter(const Score &bound) const;
    void report() const;

    Request m_request;
    Goals &m_goals;
    std::vector<Family> m_families;
    std::size_t m_round; ///< number of pieces opened at the same time
    tbb::enumerable_thread_specific<Scratch> m_scratch;
    std::int64_t m_considered = 0;
    std::int64_t m_evaluated = 0;
    Funnel m_funnel;
};

} // namespace meshwright
