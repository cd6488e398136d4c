// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/torchtitan_flavors.h"

#include "catalog/library.h"
#include "evidence/csv_table.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "launch/hub_names.h"
#include "launch/option_list.h"

#include <algorithm>

namespace meshwright {

namespace {

constexpr std::string_view released_commit = "73a0e6979dd1"; // v0.2.2

/// One row of the table of flavors, accessed by column name. Empty cells and missing columns are unset.
class FlavorRow {
public:
    FlavorRow(const CsvTable &table, const std::vector<std::string> &cells)
        : m_table(table)
        , m_cells(cells) { }
    std::string text(std::string_view column) const {
        const std::size_t at = m_table.column(column);
        return at == CsvTable::missing ? std::string() : m_cells[at];
    }
    std::optional<std::int64_t> count(std::string_view column) const { return spelled_integer(text(column)); }
    bool flag(std::string_view column) const { return text(column) == "true"; }

private:
    const CsvTable &m_table;
    const std::vector<std::string> &m_cells;
};

/// Whether each layer has experts: the first `dense` layers have none; after them, every `step`-th layer has them.
std::vector<bool> expert_layers(std::int64_t layers, std::int64_t dense, std::int64_t step) {
    std::vector<bool> result;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(layers, 10'000); ++i)
        result.push_back(i >= dense && (i + 1) % std::max<std::int64_t>(1, step) == 0);
    return result;
}

ModelShape shape_of_flavor(const FlavorRow &row) {
    ModelShape shape;
    shape.layers = row.count("layers");
    shape.hidden = row.count("hidden");
    shape.heads = row.count("heads");
    shape.kv_heads = row.count("kv_heads");
    shape.head_dim = row.count("head_dim");
    shape.feed_forward = row.count("ffn");
    shape.vocabulary = row.count("vocab");
    shape.longest_sequence = row.count("longest");
    shape.gated = true;
    shape.linear_bias = row.flag("bias");
    shape.query_key_norm = row.flag("qk_norm");
    shape.tied_embeddings = row.flag("tied");
    shape.norm = NormKind::rms;
    if (const auto rank = row.count("kv_rank"))
        shape.latent = {.query_rank = row.count("q_rank").value_or(0),
                        .kv_rank = rank,
                        .nope_head_dim = row.count("nope_head_dim").value_or(128),
                        .rope_head_dim = row.count("rope_head_dim").value_or(64),
                        .value_head_dim = row.count("value_head_dim").value_or(128)};
    if (const auto experts = row.count("experts"); experts && *experts > 0) {
        shape.experts = experts;
        shape.experts_per_token = row.count("top_k").value_or(1);
        shape.expert_hidden = row.count("expert_ffn");
        shape.shared_hidden = row.count("shared_experts").value_or(0) * shape.expert_hidden.value_or(0);
        shape.has_experts = expert_layers(shape.layers.value_or(0), row.count("dense_layers").value_or(0),
                                          row.count("expert_step").value_or(1));
    }
    return shape;
}

} // namespace

std::vector<TorchtitanFlavor> torchtitan_flavors(const Library &library) {
    std::vector<TorchtitanFlavor> flavors;
    try {
        const CsvTable table = read_csv(read_file(library.own_folder() / "launchers" / "torchtitan-flavors.csv"));
        for (const auto &cells : table.rows) {
            const FlavorRow row(table, cells);
            flavors.push_back({.model = row.text("model"),
                               .flavor = row.text("flavor"),
                               .preset = row.text("preset"),
                               .shape = shape_of_flavor(row),
                               .is_released = row.text("commit") == released_commit});
        }
    } catch (const InputError &) {
    } catch (const FileError &) { }
    return flavors;
}

const TorchtitanFlavor *find_flavor(const std::vector<TorchtitanFlavor> &flavors, std::string_view model,
                                    std::string_view flavor) {
    const auto found = std::find_if(flavors.begin(), flavors.end(), [&](const TorchtitanFlavor &each) {
        return bare_name(each.model) == bare_name(model) && bare_name(each.flavor) == bare_name(flavor);
    });
    return found == flavors.end() ? nullptr : &*found;
}

const TorchtitanFlavor *flavor_in(const std::vector<TorchtitanFlavor> &flavors, std::string_view model,
                                  std::string_view config) {
    const std::string name = bare_name(config);
    const TorchtitanFlavor *longest = nullptr;
    for (const TorchtitanFlavor &each : flavors)
        if (bare_name(each.model) == bare_name(model) && name.find(bare_name(each.flavor)) != std::string::npos
            && (longest == nullptr || bare_name(longest->flavor).size() < bare_name(each.flavor).size()))
            longest = &each;
    return longest;
}

} // namespace meshwright
