// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/measured_run.h"

#include "input/diagnostic.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace meshwright {

namespace {

struct NumberColumn {
    std::string_view name;
    std::optional<double> MeasuredRun::*place;
};

constexpr std::array number_columns{
    NumberColumn{"layers", &MeasuredRun::layers},
    NumberColumn{"hidden", &MeasuredRun::hidden},
    NumberColumn{"heads", &MeasuredRun::heads},
    NumberColumn{"kv_heads", &MeasuredRun::kv_heads},
    NumberColumn{"head_dim", &MeasuredRun::head_dim},
    NumberColumn{"ffn_hidden", &MeasuredRun::ffn_hidden},
    NumberColumn{"gated_mlp", &MeasuredRun::gated},
    NumberColumn{"vocabulary", &MeasuredRun::vocabulary},
    NumberColumn{"tied_embeddings", &MeasuredRun::tied_embeddings},
    NumberColumn{"experts", &MeasuredRun::experts},
    NumberColumn{"experts_per_token", &MeasuredRun::experts_per_token},
    NumberColumn{"expert_ffn_hidden", &MeasuredRun::expert_hidden},
    NumberColumn{"shared_experts", &MeasuredRun::shared_experts},
    NumberColumn{"dense_layers", &MeasuredRun::dense_layers},
    NumberColumn{"parameters", &MeasuredRun::parameters},
    NumberColumn{"accelerators", &MeasuredRun::accelerators},
    NumberColumn{"accelerators_per_node", &MeasuredRun::accelerators_per_node},
    NumberColumn{"tensor", &MeasuredRun::tensor},
    NumberColumn{"pipeline", &MeasuredRun::pipeline},
    NumberColumn{"chunks", &MeasuredRun::chunks},
    NumberColumn{"context", &MeasuredRun::context},
    NumberColumn{"expert", &MeasuredRun::expert},
    NumberColumn{"expert_tensor", &MeasuredRun::expert_tensor},
    NumberColumn{"data", &MeasuredRun::data},
    NumberColumn{"zero_stage", &MeasuredRun::zero_stage},
    NumberColumn{"shard_group", &MeasuredRun::shard_group},
    NumberColumn{"sequence_parallel", &MeasuredRun::sequence_parallel},
    NumberColumn{"micro_batch", &MeasuredRun::micro_batch},
    NumberColumn{"global_batch", &MeasuredRun::global_batch},
    NumberColumn{"sequence_length", &MeasuredRun::sequence_length},
    NumberColumn{"step_seconds", &MeasuredRun::step_seconds},
    NumberColumn{"tokens_per_second_per_accelerator", &MeasuredRun::tokens_per_second_per_accelerator},
    NumberColumn{"peak_memory_bytes", &MeasuredRun::peak_memory_bytes},
};

struct TextColumn {
    std::string_view name;
    std::string MeasuredRun::*place;
};

constexpr std::array text_columns{
    TextColumn{"id", &MeasuredRun::id},
    TextColumn{"source", &MeasuredRun::source},
    TextColumn{"model", &MeasuredRun::model_name},
    TextColumn{"framework", &MeasuredRun::framework},
    TextColumn{"quality", &MeasuredRun::quality},
    TextColumn{"attention", &MeasuredRun::attention},
    TextColumn{"accelerator", &MeasuredRun::accelerator},
    TextColumn{"interconnect", &MeasuredRun::interconnect},
    TextColumn{"schedule", &MeasuredRun::schedule},
    TextColumn{"precision", &MeasuredRun::precision},
    TextColumn{"optimizer", &MeasuredRun::optimizer},
    TextColumn{"recompute", &MeasuredRun::recompute},
    TextColumn{"recompute_detail", &MeasuredRun::recompute_detail},
    TextColumn{"offload", &MeasuredRun::offload},
    TextColumn{"overlap", &MeasuredRun::overlap},
    TextColumn{"notes", &MeasuredRun::notes},
    TextColumn{"outcome", &MeasuredRun::outcome},
};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
        text.remove_suffix(1);
    return text;
}

std::optional<double> number_in(std::string_view cell) {
    std::string_view text = trimmed(cell);
    if (text == "true" || text == "True" || text == "yes")
        return 1;
    if (text == "false" || text == "False" || text == "no")
        return 0;
    std::string without_separators;
    if (text.find(',') != std::string_view::npos) {
        std::remove_copy(text.begin(), text.end(), std::back_inserter(without_separators), ',');
        text = without_separators;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// Limits the length of texts from files, because tables show them.
std::string text_in(std::string_view cell) {
    constexpr std::size_t max_bytes = 4096;
    std::string_view text = trimmed(cell).substr(0, max_bytes);
    if (text.size() == max_bytes) // do not split a multi-byte character
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U)
            text.remove_suffix(1);
    return std::string(text);
}

MeasuredMemory memory_kind(std::string_view text) {
    const std::vector<std::string> &names = measured_memory_names();
    const auto found = std::find(names.begin(), names.end(), text);
    return found == names.end() ? MeasuredMemory::unknown : static_cast<MeasuredMemory>(found - names.begin());
}

Ending ending(std::string_view text) {
    if (text == "oom")
        return Ending::out_of_memory;
    return text == "failed" ? Ending::failed : Ending::ok;
}

} // namespace

std::optional<double> MeasuredRun::measured_seconds() const {
    if (step_seconds && *step_seconds > 0)
        return step_seconds;
    if (tokens_per_second_per_accelerator && *tokens_per_second_per_accelerator > 0 && global_batch && sequence_length
        && accelerators && *accelerators > 0)
        return *global_batch * *sequence_length / (*tokens_per_second_per_accelerator * *accelerators);
    return std::nullopt;
}

bool is_measured_run_column(std::string_view name) {
    const auto is_it = [name](const auto &column) { return column.name == name; };
    return name == "year" || name == "memory_kind" || std::any_of(number_columns.begin(), number_columns.end(), is_it)
        || std::any_of(text_columns.begin(), text_columns.end(), is_it);
}

std::vector<MeasuredRun> measured_runs(const CsvTable &table) {
    if (table.column("id") == CsvTable::missing)
        throw InputError("/1", "no column \"id\"", "expected the columns of a table of measured runs");
    std::array<std::size_t, number_columns.size()> numbers{};
    std::array<std::size_t, text_columns.size()> texts{};
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = table.column(number_columns[i].name);
    for (std::size_t i = 0; i < texts.size(); ++i)
        texts[i] = table.column(text_columns[i].name);
    const std::size_t year = table.column("year");
    const std::size_t kind = table.column("memory_kind");
    const std::size_t id = table.column("id");
    std::vector<MeasuredRun> runs;
    runs.reserve(table.rows.size());
    for (const std::vector<std::string> &cells : table.rows) {
        if (trimmed(cells[id]).starts_with('#'))
            continue;
        MeasuredRun &run = runs.emplace_back();
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (numbers[i] != CsvTable::missing)
                run.*number_columns[i].place = number_in(cells[numbers[i]]);
        for (std::size_t i = 0; i < texts.size(); ++i)
            if (texts[i] != CsvTable::missing)
                run.*text_columns[i].place = text_in(cells[texts[i]]);
        if (year != CsvTable::missing)
            run.year = static_cast<int>(std::clamp(number_in(cells[year]).value_or(0), 0.0, 9999.0));
        if (kind != CsvTable::missing)
            run.memory_kind = memory_kind(trimmed(cells[kind]));
        run.ending = ending(run.outcome);
    }
    return runs;
}

} // namespace meshwright
