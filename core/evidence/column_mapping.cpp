// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/column_mapping.h"

#include "evidence/measured_run.h"
#include "evidence/prediction.h"
#include "input/diagnostic.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

/// Lower-case words of a column's name: "Step time [ms]" gives step, time, ms.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words;
    bool open = false;
    for (const char each : name) {
        const auto letter = static_cast<unsigned char>(each);
        if (std::isalnum(letter) == 0 && each != '%') {
            open = false;
            continue;
        }
        if (!open)
            words.emplace_back();
        open = true;
        words.back() += static_cast<char>(std::tolower(letter));
    }
    return words;
}

std::string joined(const std::vector<std::string> &words) {
    std::string all;
    for (const std::string &word : words)
        all += word;
    return all;
}

struct NamedUnit {
    std::string_view word; ///< as the last word of a column's name
    ColumnUnit unit;
};

const std::vector<NamedUnit> &units_of(std::string_view unit) {
    static const std::vector<NamedUnit> seconds{{"s", {"s", 1}},          {"ms", {"ms", 1e-3}},
                                                {"us", {"us", 1e-6}},     {"min", {"min", 60}},
                                                {"sec", {"s", 1}},        {"secs", {"s", 1}},
                                                {"seconds", {"s", 1}},    {"msec", {"ms", 1e-3}},
                                                {"millis", {"ms", 1e-3}}, {"milliseconds", {"ms", 1e-3}}};
    static const std::vector<NamedUnit> bytes{{"bytes", {"bytes", 1}},
                                              {"gb", {"GB", 1e9}},
                                              {"gib", {"GiB", 0x1p30}},
                                              {"mb", {"MB", 1e6}},
                                              {"mib", {"MiB", 0x1p20}}};
    static const std::vector<NamedUnit> rates{{"tps", {"tokens/s", 1}}, {"ktps", {"thousand tokens/s", 1e3}}};
    static const std::vector<NamedUnit> counts{{"", {"", 1}}, {"k", {"thousand", 1e3}}, {"b", {"billion", 1e9}}};
    static const std::vector<NamedUnit> none{{"", {"", 1}}};
    return unit == "s"         ? seconds
        : unit == "bytes"      ? bytes
        : unit == "tokens/s"   ? rates
        : unit == "parameters" ? counts
                               : none;
}

bool has_alias(const RunColumn &column, const std::string &name) {
    std::istringstream aliases{std::string(column.aliases)};
    for (std::string alias; aliases >> alias;)
        if (alias == name)
            return true;
    return false;
}

/// The column that a name without its unit means; null for none.
const RunColumn *column_called(const std::string &name) {
    for (const RunColumn &column : run_columns())
        if (joined(words_of(column.name)) == name || has_alias(column, name))
            return &column;
    return nullptr;
}

MappedColumn guess(std::string_view name) {
    const std::vector<std::string> words = words_of(name);
    if (words.empty())
        return {};
    if (const RunColumn *const whole = column_called(joined(words)))
        return {std::string(whole->name), 1};
    // "step_time_ms": the last word is the unit.
    const std::vector<std::string> rest(words.begin(), words.end() - 1);
    const RunColumn *const column = rest.empty() ? nullptr : column_called(joined(rest));
    if (column == nullptr)
        return {};
    for (const NamedUnit &each : units_of(column->unit))
        if (!each.word.empty() && each.word == words.back())
            return {std::string(column->name), each.unit.factor};
    return {};
}

std::string scaled(const std::string &cell, double factor) {
    if (factor == 1)
        return cell;
    std::string text = cell;
    text.erase(
        std::remove_if(text.begin(), text.end(), [](unsigned char c) { return c == ',' || std::isspace(c) != 0; }),
        text.end());
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(value * factor))
        return cell;
    return fmt::format("{}", value * factor);
}

bool is_given(const ColumnMapping &mapping, std::string_view target) {
    const auto fixed = mapping.for_all_rows.find(std::string(target));
    return (fixed != mapping.for_all_rows.end() && !fixed->second.empty())
        || std::any_of(mapping.columns.begin(), mapping.columns.end(),
                       [&](const MappedColumn &column) { return column.target == target; });
}

std::string csv_cell(std::string_view cell) {
    if (cell.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(cell);
    std::string text = "\"";
    for (const char each : cell)
        text += each == '"' ? std::string("\"\"") : std::string(1, each);
    return text + '"';
}

} // namespace

const std::vector<RunColumn> &run_columns() {
    static const std::vector<RunColumn> columns{
        {"id", "Name of the run", "any text that no other row has", "run-1", "",
         "run name runid runname experiment job jobid"},
        {"model", "Model", "a model that the program knows, by name or id", "Llama 3.1 8B", "",
         "modelname architecture network"},
        {"parameters", "Parameters", "where the model is not known by name; layers, hidden and heads say more", "",
         "parameters", "params modelsize size nparams numparameters"},
        {"layers", "Layers", "of a model that is not known by name", "", "", "numlayers nlayers nlayer depth"},
        {"hidden", "Hidden size", "of a model that is not known by name", "", "",
         "hiddensize dmodel hiddendim nembd width"},
        {"heads", "Attention heads", "of a model that is not known by name", "", "",
         "numattentionheads nheads nhead numheads"},
        {"kv_heads", "KV heads", "of a model that is not known by name", "", "",
         "numkeyvalueheads numquerygroups nkvheads"},
        {"ffn_hidden", "Feed-forward size", "of a model that is not known by name", "", "",
         "ffnhiddensize intermediatesize dff ffndim"},
        {"vocabulary", "Vocabulary size", "of a model that is not known by name", "", "", "vocabsize vocab"},
        {"experts", "Experts", "of a mixture of experts", "", "", "numexperts nexperts"},
        {"experts_per_token", "Experts per token", "of a mixture of experts", "", "", "topk moetopk"},
        {"accelerator", "GPU", "its id or name", "h100-sxm-80gb", "",
         "gpu gputype gpumodel device hardware acceleratortype"},
        {"accelerators", "Number of GPUs", "of the whole run", "16", "",
         "gpus ngpus numgpus gpucount worldsize numaccelerators devices numdevices chips"},
        {"accelerators_per_node", "GPUs per node", "left out: the usual server", "8", "",
         "gpuspernode ngpuspernode devicespernode"},
        {"tensor", "Tensor parallel", "left out: 1", "2", "",
         "tp tensorparallel tensorparallelism tpsize tensorparallelsize"},
        {"pipeline", "Pipeline stages", "left out: 1", "1", "",
         "pp pipelineparallel pipelineparallelism ppsize pipelineparallelsize stages"},
        {"chunks", "Chunks per stage", "virtual pipeline; left out: 1", "1", "",
         "vpp vp virtualpipeline virtualstages interleave"},
        {"context", "Context parallel", "left out: 1", "1", "", "cp contextparallel contextparallelism cpsize"},
        {"expert", "Expert parallel", "left out: 1", "1", "", "ep expertparallel expertparallelism epsize"},
        {"data", "Data parallel", "left out: what the other degrees leave", "8", "",
         "dp dataparallel dataparallelism dpsize dataparallelsize replicas"},
        {"zero_stage", "ZeRO stage", "0 to 3; FSDP is 3", "1", "", "zero zerostage fsdp"},
        {"micro_batch", "Micro-batch", "sequences", "1", "", "mbs microbatchsize microbs microsequences"},
        {"global_batch", "Global batch", "sequences per step", "64", "",
         "gbs globalbatchsize batch batchsize globalbs globalsequences"},
        {"sequence_length", "Sequence length", "tokens", "8192", "",
         "seq seqlen seqlength sequence contextlength maxseqlen ctx"},
        {"recompute", "Recomputation", "none, selective or full", "none", "",
         "recomputation activationcheckpointing checkpointing ac"},
        {"precision", "Precision", "bf16, fp16 or fp8", "bf16", "", "dtype datatype"},
        {"schedule", "Pipeline schedule", "left out: 1F1B", "", "", "pipelineschedule"},
        {"framework", "Software", "name and version", "Megatron-LM", "", "software stack trainer"},
        {"step_seconds", "Step time", "seconds per optimizer step", "1.72", "s",
         "step steptime iteration iterationtime itertime iter timeperstep timeperiteration secondsperstep "
         "stepduration"},
        {"tokens_per_second_per_accelerator", "Tokens per second per GPU", "instead of the step time", "", "tokens/s",
         "tokenspersecondpergpu tokenspersecpergpu tokenssgpu tokssgpu tgs throughputpergpu tokenspersgpu tpspergpu"},
        {"peak_memory_bytes", "Peak memory", "bytes on the fullest GPU", "61e9", "bytes",
         "peakmemory peakmem memory mem maxmemory maxmem memorypeak maxmemoryallocated peakmemoryallocated"},
        {"memory_kind", "Kind of memory", "allocated, reserved or device", "reserved", "", "memorytype"},
        {"outcome", "Outcome", "ok, oom or failed; left out: ok", "ok", "", "status result state"},
        {"source", "Source", "where the figure was printed; left out: the file", "", "", "reference url"},
    };
    return columns;
}

const RunColumn &run_column(std::string_view name) {
    return *std::find_if(run_columns().begin(), run_columns().end(),
                         [&](const RunColumn &column) { return column.name == name; });
}

std::vector<ColumnUnit> column_units(std::string_view column) {
    std::vector<ColumnUnit> units;
    for (const NamedUnit &each : units_of(run_column(column).unit))
        if (std::none_of(units.begin(), units.end(),
                         [&](const ColumnUnit &unit) { return unit.name == each.unit.name; }))
            units.push_back(each.unit);
    return units;
}

ColumnMapping guessed_mapping(const CsvTable &table) {
    ColumnMapping mapping;
    std::set<std::string> taken;
    // A column that has the program's own name is that one, whatever else might be.
    for (const std::string &name : table.columns)
        if (const RunColumn *const own = column_called(joined(words_of(name))); own != nullptr && own->name == name)
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
        mapping.columns.push_back({name, 1});
    return missing_columns(mapping).empty();
}

CsvTable mapped_table(const CsvTable &table, const ColumnMapping &mapping) {
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
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < from.size(); ++i) {
            const auto fixed = mapping.for_all_rows.find(mapped.columns[i]);
            cells.push_back(from[i] != CsvTable::missing
                                ? scaled(table.rows[r][from[i]], mapping.columns[from[i]].factor)
                                : fixed != mapping.for_all_rows.end() ? fixed->second
                                                                      : std::string());
        }
        if (cells[id].empty())
            cells[id] = fmt::format("row {}", r + 1);
        mapped.rows.push_back(std::move(cells));
    }
    return mapped;
}

CsvTable as_run_table(CsvTable table) {
    if (table.column("id") != CsvTable::missing)
        return table;
    const ColumnMapping mapping = guessed_mapping(table);
    const std::vector<std::string> missing = missing_columns(mapping);
    if (missing.empty())
        return mapped_table(table, mapping);
    std::string lacking;
    std::string names;
    for (const std::string &name : missing) {
        const RunColumn &column = run_column(name);
        lacking += fmt::format("{}{}", lacking.empty() ? "" : ", ", column.title);
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", name, column.explanation);
    }
    throw InputError("/1", "has no column for: " + lacking, "expected " + names);
}

std::vector<std::string> row_verdicts(const CsvTable &mapped, std::size_t most, const RunRules &rules,
                                      const Library &library) {
    CsvTable head{.columns = mapped.columns, .rows = mapped.rows};
    head.rows.resize(std::min(most, head.rows.size()));
    const std::vector<MeasuredRun> runs = measured_runs(head);
    const std::vector<RunPlan> plans = plans_of(runs, rules, library);
    std::vector<std::string> verdicts;
    for (std::size_t i = 0; i < runs.size(); ++i)
        verdicts.push_back(!plans[i].skipped.empty() ? plans[i].skipped
                               : !runs[i].measured_seconds() && !runs[i].peak_memory_bytes
                                   && runs[i].ending == Ending::ok
                               ? "holds neither a step time nor a peak memory"
                               : std::string());
    return verdicts;
}

std::string run_table_template() {
    std::string names;
    std::string explained;
    std::string example;
    for (const RunColumn &column : run_columns()) {
        const std::string comma = names.empty() ? "" : ",";
        names += comma + std::string(column.name);
        explained += comma
            + csv_cell((names.size() == column.name.size() ? "# " : "") + std::string(column.title) + ": "
                       + std::string(column.explanation));
        example += comma + csv_cell(column.example);
    }
    return names + "\n" + explained + "\n" + example + "\n";
}

std::string text_of(const ColumnMapping &mapping) {
    if (mapping == ColumnMapping{})
        return {};
    Json columns = Json::array();
    for (const MappedColumn &column : mapping.columns)
        columns.push_back({{"target", column.target}, {"factor", column.factor}});
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
            mapping.columns.push_back({column.at("target").get<std::string>(), column.at("factor").get<double>()});
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
