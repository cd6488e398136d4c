// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/column_mapping.h"

#include "evidence/measured_run.h"
#include "input/diagnostic.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

std::string joined(const std::vector<std::string> &words) {
    std::string all;
    for (const std::string &word : words)
        all += word;
    return all;
}

MappedColumn guess(std::string_view name) {
    const std::vector<std::string> words = words_of_column(name);
    if (words.empty())
        return {};
    const std::string all = joined(words);
    if (const RunColumn *const whole = run_column_called(all))
        return {.target = std::string(whole->name)};
    if (is_rate_of_all_gpus(all))
        return {.target = "tokens_per_second_per_accelerator", .factor = 1, .rate = RateOf::all_gpus};
    // The last word of a name is its unit: "step_time_ms".
    const std::vector<std::string> rest(words.begin(), words.end() - 1);
    const RunColumn *const column = rest.empty() ? nullptr : run_column_called(joined(rest));
    if (column == nullptr)
        return {};
    for (const NamedUnit &each : named_units(*column))
        if (!each.word.empty() && each.word == words.back())
            return {.target = std::string(column->name), .factor = each.unit.factor};
    return {};
}

struct NumberInCell {
    double value = 0;
    std::string unit;
};

std::optional<NumberInCell> number_in_cell(std::string_view cell) {
    constexpr std::size_t max_letters = 60; // maximum length of a number with its unit
    if (cell.empty() || cell.size() > max_letters)
        return std::nullopt;
    std::string text;
    for (const char each : cell)
        if (each != ',' && std::isspace(static_cast<unsigned char>(each)) == 0)
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
    NumberInCell number;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
    if (error != std::errc() || !std::isfinite(number.value))
        return std::nullopt;
    number.unit = text.substr(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// The cell in the program's unit: converted from the unit after its number ("61.5 GB"), or else from the unit of its
/// column.
std::string scaled(const std::string &cell, const MappedColumn &column) {
    const std::vector<NamedUnit> &units = named_units(run_column(column.target));
    if (units.empty() && column.factor == 1)
        return cell;
    const std::optional<NumberInCell> number = number_in_cell(cell);
    if (!number || (number->unit.empty() && column.factor == 1))
        return cell;
    double factor = column.factor;
    if (!number->unit.empty()) {
        const auto named =
            std::find_if(units.begin(), units.end(), [&](const NamedUnit &each) { return each.word == number->unit; });
        if (named == units.end())
            return cell;
        factor = named->unit.factor;
    }
    const double value = number->value * factor;
    return std::isfinite(value) ? fmt::format("{}", value) : cell;
}

/// Converts the rate of all GPUs to the rate per GPU; empty if the number of GPUs is not given.
std::string shared_out(const std::string &rate, const std::string &accelerators) {
    const std::optional<NumberInCell> all = number_in_cell(rate);
    const std::optional<NumberInCell> gpus = number_in_cell(accelerators);
    if (!all || !gpus || gpus->value < 1)
        return {};
    return fmt::format("{}", all->value / gpus->value);
}

bool is_given(const ColumnMapping &mapping, std::string_view target) {
    const auto fixed = mapping.for_all_rows.find(std::string(target));
    return (fixed != mapping.for_all_rows.end() && !fixed->second.empty())
        || std::any_of(mapping.columns.begin(), mapping.columns.end(),
                       [&](const MappedColumn &column) { return column.target == target; });
}

} // namespace

ColumnMapping guessed_mapping(const CsvTable &table) {
    ColumnMapping mapping;
    std::set<std::string> taken;
    for (const std::string &name : table.columns)
        if (const RunColumn *const own = run_column_called(joined(words_of_column(name)));
            own != nullptr && own->name == name)
            taken.insert(name);
    for (const std::string &name : table.columns) {
        MappedColumn column = guess(name);
        if (column.target != name && !taken.insert(column.target).second)
            column = {};
        mapping.columns.push_back(std::move(column));
    }
    return mapping;
}

std::vector<std::string> missing_columns(const ColumnMapping &mapping) {
    std::vector<std::string> missing;
    if (!is_given(mapping, "model") && !is_given(mapping, "parameters") && !is_given(mapping, "layers"))
        missing.emplace_back("model");
    for (const char *needed : {"accelerator", "accelerators", "sequence_length"})
        if (!is_given(mapping, needed))
            missing.emplace_back(needed);
    if (!is_given(mapping, "global_batch") && !is_given(mapping, "micro_batch"))
        missing.emplace_back("global_batch");
    if (!is_given(mapping, "step_seconds") && !is_given(mapping, "tokens_per_second_per_accelerator")
        && !is_given(mapping, "peak_memory_bytes"))
        missing.emplace_back("step_seconds");
    return missing;
}

bool is_run_table(const CsvTable &table) {
    if (table.column("id") == CsvTable::missing)
        return false;
    ColumnMapping mapping;
    for (const std::string &name : table.columns)
        mapping.columns.push_back({.target = name});
    return missing_columns(mapping).empty();
}

bool reads_without_mapping(const CsvTable &table) {
    return is_run_table(table)
        || (table.column("id") != CsvTable::missing
            && std::all_of(table.columns.begin(), table.columns.end(), is_measured_run_column));
}

CsvTable mapped_table(const CsvTable &table, const ColumnMapping &mapping, std::string_view rows_called) {
    CsvTable mapped;
    std::vector<std::size_t> from;
    const auto add = [&](const std::string &target, std::size_t column) {
        mapped.columns.push_back(target);
        from.push_back(column);
    };
    for (std::size_t i = 0; i < table.columns.size() && i < mapping.columns.size(); ++i)
        if (const std::string &target = mapping.columns[i].target;
            !target.empty() && mapped.column(target) == CsvTable::missing)
            add(target, i);
    for (const auto &[target, value] : mapping.for_all_rows)
        if (!value.empty() && mapped.column(target) == CsvTable::missing)
            add(target, CsvTable::missing);
    if (mapped.column("id") == CsvTable::missing)
        add("id", CsvTable::missing);
    const std::size_t id = mapped.column("id");
    const std::size_t rate = mapped.column("tokens_per_second_per_accelerator");
    const std::size_t gpus = mapped.column("accelerators");
    const bool is_of_all = rate != CsvTable::missing && from[rate] != CsvTable::missing
        && mapping.columns[from[rate]].rate == RateOf::all_gpus;
    const auto cell_of = [&](const std::vector<std::string> &row, std::size_t i) -> std::string {
        if (from[i] != CsvTable::missing)
            return scaled(row[from[i]], mapping.columns[from[i]]);
        const auto fixed = mapping.for_all_rows.find(mapped.columns[i]);
        return fixed != mapping.for_all_rows.end() ? fixed->second : std::string();
    };
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < from.size(); ++i)
            cells.push_back(cell_of(table.rows[r], i));
        if (is_of_all)
            cells[rate] = shared_out(cells[rate], gpus == CsvTable::missing ? std::string() : cells[gpus]);
        if (cells[id].empty())
            cells[id] = fmt::format("{} {}", rows_called, r + 1);
        mapped.rows.push_back(std::move(cells));
    }
    return mapped;
}

CsvTable as_run_table(CsvTable table, std::string_view rows_called) {
    if (table.column("id") != CsvTable::missing)
        return table;
    const ColumnMapping mapping = guessed_mapping(table);
    const std::vector<std::string> missing = missing_columns(mapping);
    if (missing.empty())
        return mapped_table(table, mapping, rows_called);
    std::string lacking;
    std::string names;
    for (const std::string &name : missing) {
        const RunColumn &column = run_column(name);
        lacking += fmt::format("{}{}", lacking.empty() ? "" : ", ", column.title);
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", name, column.explanation);
    }
    throw InputError("/1", "no column for: " + lacking, "expected " + names);
}

std::string text_of(const ColumnMapping &mapping) {
    if (mapping == ColumnMapping{})
        return {};
    Json columns = Json::array();
    for (const MappedColumn &column : mapping.columns)
        columns.push_back(
            {{"target", column.target}, {"factor", column.factor}, {"of_all_gpus", column.rate == RateOf::all_gpus}});
    return Json{{"columns", columns}, {"for_all_rows", mapping.for_all_rows}}.dump(-1, ' ', false,
                                                                                   Json::error_handler_t::replace);
}

ColumnMapping parse_mapping(std::string_view text, const CsvTable &table) {
    const Json json = Json::parse(text, nullptr, false);
    const auto known = [](const std::string &name) {
        return name.empty() || std::any_of(run_columns().begin(), run_columns().end(), [&](const RunColumn &column) {
                   return column.name == name;
               });
    };
    try {
        ColumnMapping mapping;
        for (const Json &column : json.at("columns"))
            mapping.columns.push_back(
                {.target = column.at("target").get<std::string>(),
                 .factor = column.at("factor").get<double>(),
                 .rate = column.value("of_all_gpus", false) ? RateOf::all_gpus : RateOf::each_gpu});
        mapping.for_all_rows = json.at("for_all_rows").get<std::map<std::string, std::string>>();
        const bool fits = mapping.columns.size() == table.columns.size()
            && std::all_of(mapping.columns.begin(), mapping.columns.end(),
                           [&](const MappedColumn &column) {
                               return known(column.target) && std::isfinite(column.factor) && column.factor > 0;
                           })
            && std::all_of(mapping.for_all_rows.begin(), mapping.for_all_rows.end(),
                           [&](const auto &fixed) { return known(fixed.first); });
        if (fits)
            return mapping;
    } catch (const Json::exception &) {
        return guessed_mapping(table);
    }
    return guessed_mapping(table);
}

} // namespace meshwright
