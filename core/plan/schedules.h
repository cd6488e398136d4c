// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Pipeline schedules as data. One file under pipeline/orders/ defines a schedule: its name, what it runs with, the
/// generator of its order and, where it has some, its closed forms; one line in pipeline/schedules.cpp lists it. All
/// else asks for the definition.
namespace meshwright {

/// A schedule's place in the list. Those that code or tests call by name have a constant; a listed schedule needs none.
enum class Schedule : std::uint8_t {
    gpipe,
    one_f_one_b,
    interleaved,
    looped_bfs,
    zb_h1,
    zb_h2,
    zb_1p,
    zb_2p,
    interleaved_zb,
    zb_v,
    v_half,
    v_min,
    dualpipe,
    dualpipe_v,
    chimera,
    seq1f1b
};

/// Which virtual stages a rank holds.
enum class StagePlacement : std::uint8_t {
    looped, ///< stage s on rank s mod p
    v_shape, ///< two chunks: down the ranks and up again
    both_ways ///< one stage for each direction, the second one mirrored: two copies of every weight
};

/// How many chunks a rank has.
enum class ChunkCount : std::uint8_t { one, two, any };

/// What closed forms take: stages p, microbatches m, chunks (or slices) v, interleaving group g, rank r; forward F,
/// input gradient I and weight gradient W are seconds of one microbatch on one rank, all its chunks together.
struct FormTerms {
    double p = 1;
    double m = 1;
    double v = 1;
    double g = 0; ///< 0: as many as stages
    double r = 0;
    double F = 0;
    double I = 0;
    double W = 0;
};

/// What sends add to the makespan, by their closed form.
struct SendForm {
    enum class Waits : std::uint8_t {
        filling, ///< the line of stages is crossed so many times
        neighbours, ///< neighbours wait for each other at every microbatch, in any order
        chunks ///< where compute does not hide sends, every chunk of a microbatch waits
    };
    Waits waits = Waits::filling;
    std::int64_t crossings = 2;
    bool through_chunks = true; ///< crossed once a chunk
};

/// Closed forms of a schedule. Where they do not hold, or there are none, its order is executed.
struct ClosedForms {
    /// Seconds of makespan beyond m (F + I + W), sends apart, for p from 2. Without one the form of 1F1B over chunks
    /// stands in where millions of layouts are ranked; whatever is listed has been executed.
    double (*bubble)(const FormTerms &) = nullptr;
    const char *bubble_formula = "fill-bubble"; ///< the same among the named formulas
    /// Idle time inside the busiest rank's own span; without one the first rank starts first and ends last.
    double (*span_bubble)(const FormTerms &) = nullptr;
    SendForm sends;
    /// Chunks (microbatches where there is one chunk) that rank r holds at most, from F until W; without one all.
    double (*in_flight)(const FormTerms &) = nullptr;
    bool needs_equal_times = false; ///< hold only where F, I and W take the same time
};

struct OrderRequest;
struct OperationOrder;

/// All that is said of a schedule.
struct ScheduleDefinition {
    std::string name; ///< in plans and on the command line
    std::string title; ///< as the field writes it
    std::string source; ///< paper or program, with its section or figure
    StagePlacement placement = StagePlacement::looped;
    ChunkCount chunks = ChunkCount::one;
    bool cuts_sequences = false; ///< its chunks are slices of a sequence, not of the layers
    bool takes_groups = false; ///< microbatches pass the chunks in groups, whose size a plan may give
    bool searches_groups = false; ///< whose size the search may choose
    bool pairs_passes = false; ///< a forward and a backward pass run in one block and hide each other's expert traffic
    bool forward_first = false; ///< every forward pass comes before the first backward pass
    std::int64_t (*min_microbatches)(std::int64_t stages) = nullptr; ///< without one: any number
    OperationOrder (*generate)(const OrderRequest &) = nullptr;
    /// One rank's operations in the form of its references, where that is not the plain list.
    std::string (*write_row)(const OperationOrder &, std::int64_t rank) = nullptr;
    ClosedForms forms;
};

/// Those that the program comes with, in their order; pipeline/schedules.cpp lists them.
std::vector<ScheduleDefinition> listed_schedules();

/// Adds one at run time, before any plan is read. @returns its place
/// @throws std::invalid_argument if its name is taken or it has no generator
Schedule register_schedule(ScheduleDefinition definition);

/// Definitions of all schedules, each at its place; there are as many places as a byte tells apart.
using ScheduleTable = std::array<const ScheduleDefinition *, 256>;
const ScheduleTable &schedule_table();
inline const ScheduleDefinition &definition_of(Schedule schedule) {
    static const ScheduleTable &table = schedule_table(); // asked for all the time
    return *table[static_cast<std::size_t>(schedule)];
}
/// Names of all schedules, each at its place.
const std::vector<std::string> &schedule_names();
std::vector<Schedule> all_schedules();
const std::string &name_of(Schedule schedule);

inline bool runs_both_ways(Schedule schedule) {
    return definition_of(schedule).placement == StagePlacement::both_ways;
}

} // namespace meshwright
