// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/software_rules.h"
#include "search/configuration.h"
#include "search/stage_runs.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <tuple>
#include <utility>
#include <vector>

namespace meshwright {

/// Memory limit for families. A larger space is listed in parts of several variants each.
inline constexpr std::size_t max_part_bytes = 150u << 20;
/// Maximum number of parts. Further parts are omitted, because searching them would take too long.
inline constexpr std::size_t max_parts = 16;
/// Maximum memory for the families of one variant. If they need more, only those with the smallest degrees are listed.
inline constexpr std::size_t max_family_bytes = 400u << 20;
/// Maximum memory for schedules and pipeline layouts, which variants share. If they need more, as for models with
/// thousands of layers, only one and two chunks are listed. The limit for units is 1.5 times as high.
inline constexpr std::size_t max_shared_bytes = 1000u << 20;

/// One of the `count` shards into which a space is divided; `index` counts from 0.
struct Shard {
    std::int64_t index = 0;
    std::int64_t count = 1;
    bool operator==(const Shard &) const = default;
};

/// One way to run a pipeline with a given number of stages and microbatches.
struct ScheduleChoice {
    Schedule schedule = Schedule::one_f_one_b;
    std::int64_t chunks = 1;
    std::int64_t group = 0; ///< microbatches per interleaving group; 0 means the number of stages
    Balance balance = Balance::even;
    const StageRuns *runs = nullptr; ///< distribution of layers over the stages
};
using ScheduleChoices = std::vector<ScheduleChoice>;
/// ZeRO stage and size of the sharding group; 0 for all ranks.
using Shardings = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The settings that determine the cost of a layer: all degrees except pipeline and data. Schedule and ZeRO do not
/// affect it.
struct KernelShape {
    std::int32_t variant = 0;
    std::int64_t tensor = 1;
    std::int64_t context = 1;
    std::int64_t expert = 1;
    std::int64_t expert_tensor = 1;
    std::int64_t micro_sequences = 1;
    bool sequence_parallel = false;
    bool operator==(const KernelShape &) const = default;
};

/// The configurations with one pipeline size, shared by a range of kernel shapes. One kernel shape at one pipeline size
/// is the smallest part of a shard.
struct PipelineUnit {
    std::int64_t pipeline = 1;
    std::int64_t data = 1;
    const ScheduleChoices *schedules = nullptr;
    const Shardings *shardings = nullptr;
    std::int64_t layouts = 0;
};

/// Kernel shapes that differ only in the number of ranks that share the experts. They also share units: each kernel
/// shape uses the units whose number of ranks is a multiple of its number of expert ranks.
struct ShapeFamily {
    KernelShape kernel_shape; ///< the kernel shape with the most expert ranks
    std::size_t first_unit = 0; ///< index in the space's units; families with the same number of ranks share it
    std::size_t last_unit = 0;
    std::size_t units_before = 0; ///< number of units of all families before this one
    std::size_t kernel_shapes = 0; ///< number of kernel shapes with at least one unit
    std::int64_t layouts = 0;
};

struct Piece {
    KernelShape kernel_shape;
    std::vector<const PipelineUnit *> units;
    std::int64_t layouts = 0;
    bool is_done = false;
};

/// The configuration of a kernel shape with the given numbers of stages and data-parallel ranks.
/// @param sharding  ZeRO stage and group
Configuration configuration_of(const KernelShape &kernel_shape, std::int64_t pipeline, std::int64_t data,
                               const ScheduleChoice &choice, std::pair<std::int64_t, std::int64_t> sharding,
                               RecomputeMode recompute);

/// Every configuration that the plan's constraints admit and that its software can run (unless any_software is set).
/// Degrees are all divisors, not only powers of two. `expert_tensor` is 1 or the plan's own value unless the
/// constraints list others. Chunks are all counts without an empty virtual stage. A pipeline of one stage has one
/// schedule. Recomputation is none, selective, full, or `layers`: recomputation of the first layers of each virtual
/// stage, as few as are needed to fit.
class ConfigurationSpace {
public:
    /// @param variants  variants from `search_variants`
    /// @param stop  ends the list early
    ConfigurationSpace(const Plan &plan, const Constraints &constraints, std::vector<Plan> variants, Shard shard,
                       std::stop_token stop = {});
    ConfigurationSpace(const ConfigurationSpace &) = delete;
    ConfigurationSpace &operator=(const ConfigurationSpace &) = delete;

    const std::vector<Plan> &variants() const { return m_variants; }
    const std::vector<ShapeFamily> &families() const { return m_families; }
    /// Lists the next part instead of the current one, which invalidates references to families and pieces.
    /// @returns false if there is no next part
    bool list_next();
    void list_first();
    std::vector<Piece> pieces_of(const ShapeFamily &family) const;
    const std::vector<RecomputeMode> &recomputes() const { return m_recomputes; }
    /// Number of layers that the mode `layers` recomputes. If unset, it recomputes only as many as are needed to fit.
    std::optional<std::int64_t> fixed_layers() const { return m_fixed_layers; }
    bool admits_two_directions() const { return m_two_directions; } ///< whether the space includes DualPipe

    /// False if the list ends early, because it was stopped or takes more memory than `max_listed_bytes`.
    bool is_whole() const { return m_is_whole; }
    std::int64_t layouts() const { return m_layouts; }
    /// The values of each field in all parts of this shard. With several variants, the values of all shards.
    FieldValues values();
    /// Whether the plan itself is in the space, in any shard.
    bool holds_present() const { return m_holds_present; }

private:
    /// Returns whether listing must stop, and in that case clears m_is_whole.
    bool ends_here();
    /// Returns whether the lists that variants share take less than `most` bytes. If not, clears m_is_whole.
    bool has_room(std::size_t most);
    bool spreads(const ShapeFamily &family, std::size_t expert, std::size_t unit) const;
    bool admits(ConfigurationField field, std::int64_t value) const;
    std::vector<std::int64_t> admitted(ConfigurationField field, std::vector<std::int64_t> values) const;
    void list_variants();
    void finish_part();
    void add_values(FieldValues &values);
    void add_variant(std::int32_t index);
    /// Index of the first unit, and one past the last.
    using UnitRange = std::pair<std::size_t, std::size_t>;
    UnitRange units_of(const KernelShape &kernel_shape, const std::vector<std::int64_t> &pipelines);
    void add_units(const KernelShape &kernel_shape, const std::vector<std::int64_t> &pipelines);
    void add_families(KernelShape kernel_shape, UnitRange units);
    void list_expert_degrees(const Plan &plan);
    bool has(const ShapeFamily &family, std::size_t expert, std::size_t unit) const;
    std::size_t place_of(const ShapeFamily &family, std::size_t expert, std::size_t unit) const;
    void count(ShapeFamily &family) const;
    const ScheduleChoices &schedules(const Plan &plan, std::int64_t pipeline, std::int64_t microbatches);
    ScheduleChoices make_schedules(const Plan &plan, std::int64_t pipeline, std::int64_t microbatches);
    const StageRuns &stage_runs(const Plan &plan, std::int64_t pipeline, const ScheduleChoice &choice);
    const Shardings &shardings(const ShardingCase &given);
    bool runs_experts_on(std::size_t expert, std::int64_t context) const {
        return context == 1 || m_experts_with_context || m_experts[expert] == 1;
    }
    void keep_shard();
    bool finds(const Plan &plan) const;

    Configuration m_present;
    Constraints m_constraints;
    Capabilities m_can_run; ///< empty if nothing is known about the software
    bool m_experts_with_context = true;
    std::vector<Plan> m_variants;
    std::vector<std::int64_t> m_experts;
    std::vector<std::int64_t> m_expert_tensors;
    std::vector<ShapeFamily> m_families;
    std::vector<PipelineUnit> m_units;
    /// Units, keyed by tensor and context degree, sequences per microbatch, accelerators per site, sequences per batch,
    /// and whether states are sharded. Variants that differ only in formats, placement or offloading have the same
    /// units.
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool>, UnitRange>
        m_unit_ranges;
    std::size_t m_units_of_families = 0; ///< number of units; a unit counts once for each family that uses it
    std::vector<bool> m_kept; ///< whether each unit belongs to the shard
    std::vector<RecomputeMode> m_recomputes;
    std::optional<std::int64_t> m_fixed_layers;
    bool m_two_directions = false;
    bool m_holds_present = false;
    std::stop_token m_stop;
    Shard m_shard;
    std::vector<std::pair<std::int64_t, std::int64_t>> m_loads; ///< configurations per shard, a min-heap
    std::size_t m_first_variant = 0;
    std::size_t m_next_variant = 0;
    std::size_t m_end_variant; ///< index one past the last variant to list
    std::int64_t m_layouts = 0;
    /// Families whose values have been added, each identified by its first unit and its expert tensor degree.
    std::set<std::pair<std::size_t, std::int64_t>> m_valued;
    std::size_t m_listed_bytes = 0; ///< approximate memory of the lists in bytes, without families
    std::size_t m_family_bytes = 0;
    bool m_is_whole = true;
    std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<const ScheduleChoices>> m_schedules;
    /// Valid shardings, keyed by number of ranks and by whether the configuration has a pipeline, other parallelism,
    /// and sharded states.
    std::map<std::tuple<std::int64_t, bool, bool, bool>, std::unique_ptr<const Shardings>> m_shardings;
    /// Layers per stage, keyed by stages, chunks, stage placement and balance.
    std::map<std::tuple<std::int64_t, std::int64_t, StagePlacement, Balance>, const StageRuns *> m_runs;
    /// Splits of the layers into stages, keyed by number of ranks.
    std::map<std::int64_t, std::vector<std::unique_ptr<const StageRuns>>> m_runs_of_ranks;
};

} // namespace meshwright
