// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Pipeline schedules as data. One file under pipeline/orders/ defines a schedule: its name, its requirements, the
/// generator of its order and closed forms, if any. One line in pipeline/schedules.cpp registers it. All other code
/// uses the definition.
namespace meshwright {

/// A schedule's index in the list. Only schedules mentioned in code or tests need a constant.
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

enum class StagePlacement : std::uint8_t {
    looped, ///< stage s on rank s mod p
    v_shape, ///< two chunks per rank: the first in rank order, the second in reverse
    both_ways ///< one stage per direction on each rank, the second direction in reverse; two copies of the weights
};

enum class ChunkCount : std::uint8_t { one, two, any };

/// Arguments of closed forms: p stages, m microbatches, v chunks (or slices), interleaving group g, rank r. F, I and W
/// are the seconds of forward pass, input gradient and weight gradient per microbatch and rank, over all chunks.
struct FormTerms {
    double p = 1;
    double m = 1;
    double v = 1;
    double g = 0; ///< 0 means the number of stages
    double r = 0;
    double F = 0;
    double I = 0;
    double W = 0;
};

/// Closed form for the time that sends add to the makespan.
struct SendForm {
    enum class Waits : std::uint8_t {
        filling, ///< sends delay the pipeline fill; microbatches cross all stages `crossings` times
        neighbours, ///< adjacent stages wait for each other at every microbatch
        chunks ///< every chunk of a microbatch waits for the part of a send that is not overlapped with compute
    };
    Waits waits = Waits::filling;
    std::int64_t crossings = 2;
    bool through_chunks = true; ///< whether the crossings are repeated for each chunk
};

/// Closed forms of a schedule. If they are missing or do not apply, the order is executed.
struct ClosedForms {
    /// Bubble: seconds of makespan in addition to m (F + I + W), without sends, for p >= 2. If null, the search ranks
    /// configurations by the bubble of interleaved 1F1B and then executes every configuration that it lists.
    double (*bubble)(const FormTerms &) = nullptr;
    const char *bubble_formula = "fill-bubble"; ///< name of the same formula in the catalog of formulas
    /// Idle time within the busiest rank's span. If null, it equals `bubble`, because the first rank starts first and
    /// ends last.
    double (*span_bubble)(const FormTerms &) = nullptr;
    SendForm sends;
    /// Peak number of chunks (or microbatches, with one chunk) in flight on rank r, from forward pass until weight
    /// gradient. If null, all chunks are in flight.
    double (*in_flight)(const FormTerms &) = nullptr;
    bool needs_equal_times = false; ///< whether forward pass, input gradient and weight gradient must take equal time
};

struct OrderRequest;
struct OperationOrder;

struct ScheduleDefinition {
    std::string name; ///< name in plans and on the command line
    std::string title; ///< name as written in papers
    std::string source; ///< paper or program, with section or figure
    StagePlacement placement = StagePlacement::looped;
    ChunkCount chunks = ChunkCount::one;
    bool cuts_sequences = false; ///< whether chunks are slices of the sequence instead of layers
    bool takes_groups =
        false; ///< whether microbatches pass through the chunks in groups; a plan may set the group size
    bool searches_groups = false; ///< whether the search may choose the group size
    /// Whether forward and backward passes run as one block and overlap each other's expert communication.
    bool pairs_passes = false;
    bool forward_first = false;
    /// Minimum number of microbatches for a number of stages. Null if there is no minimum.
    std::int64_t (*min_microbatches)(std::int64_t stages) = nullptr;
    OperationOrder (*generate)(const OrderRequest &) = nullptr;
    /// Formats a rank's operations in the style of the reference implementation. If null, they are a plain list.
    std::string (*write_row)(const OperationOrder &, std::int64_t rank) = nullptr;
    ClosedForms forms;
};

std::vector<ScheduleDefinition> listed_schedules();

/// Registers a schedule at run time, before any plan is read. @returns its index
/// @throws std::invalid_argument if its name is taken or it has no generator
Schedule register_schedule(ScheduleDefinition definition);

/// Definitions of all schedules by index. There are 256 entries, because an index is a byte.
using ScheduleTable = std::array<const ScheduleDefinition *, 256>;
const ScheduleTable &schedule_table();
inline const ScheduleDefinition &definition_of(Schedule schedule) {
    static const ScheduleTable &table = schedule_table(); // cached because hot loops call this
    return *table[static_cast<std::size_t>(schedule)];
}
const std::vector<std::string> &schedule_names();
std::vector<Schedule> all_schedules();
const std::string &name_of(Schedule schedule);

inline bool runs_both_ways(Schedule schedule) {
    return definition_of(schedule).placement == StagePlacement::both_ways;
}

} // namespace meshwright
