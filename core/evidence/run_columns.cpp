// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/run_columns.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace meshwright {

namespace {

std::string csv_cell(std::string_view cell) {
    if (cell.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(cell);
    std::string text = "\"";
    for (const char each : cell)
        text += each == '"' ? std::string("\"\"") : std::string(1, each);
    return text + '"';
}

bool has_alias(const RunColumn &column, std::string_view name) {
    std::istringstream aliases{std::string(column.aliases)};
    for (std::string alias; aliases >> alias;)
        if (alias == name)
            return true;
    return false;
}

std::string run_together(const std::vector<std::string> &words) {
    std::string all;
    for (const std::string &word : words)
        all += word;
    return all;
}

} // namespace

const std::vector<RunColumn> &run_columns() {
    static const std::vector<RunColumn> columns{
        {"id", "Name of the run", "any text, unique in the table", "run-1", "",
         "run name runid runname experiment job jobid"},
        {"model", "Model", "a model preset, by name or id", "Llama 3.1 8B", "", "modelname architecture network"},
        {"parameters", "Parameters", "if the model has no preset; layers, hidden size and heads are more precise", "",
         "parameters", "params modelsize size nparams numparameters"},
        {"layers", "Layers", "if the model has no preset", "", "", "numlayers nlayers nlayer depth"},
        {"hidden", "Hidden size", "if the model has no preset", "", "", "hiddensize dmodel hiddendim nembd width"},
        {"heads", "Attention heads", "if the model has no preset", "", "", "numattentionheads nheads nhead numheads"},
        {"kv_heads", "KV heads", "if the model has no preset", "", "", "numkeyvalueheads numquerygroups nkvheads"},
        {"ffn_hidden", "Feed-forward size", "if the model has no preset", "", "",
         "ffnhiddensize intermediatesize dff ffndim"},
        {"vocabulary", "Vocabulary size", "if the model has no preset", "", "", "vocabsize vocab"},
        {"experts", "Experts", "for mixture-of-experts models", "", "", "numexperts nexperts"},
        {"experts_per_token", "Experts per token", "for mixture-of-experts models", "", "", "topk moetopk"},
        {"accelerator", "GPU", "id or name of the GPU's preset", "h100-sxm-80gb", "",
         "gpu gputype gpumodel device hardware acceleratortype"},
        {"accelerators", "Number of GPUs", "in the whole run", "16", "",
         "gpus ngpus numgpus gpucount worldsize numaccelerators devices numdevices chips"},
        {"accelerators_per_node", "GPUs per node", "default: as in the GPU's usual server", "8", "",
         "gpuspernode ngpuspernode devicespernode"},
        {"tensor", "Tensor parallel", "default: 1", "2", "",
         "tp tensorparallel tensorparallelism tpsize tensorparallelsize"},
        {"pipeline", "Pipeline stages", "default: 1", "1", "",
         "pp pipelineparallel pipelineparallelism ppsize pipelineparallelsize stages"},
        {"chunks", "Chunks per stage", "virtual pipeline; default: 1", "1", "",
         "vpp vp virtualpipeline virtualstages interleave"},
        {"context", "Context parallel", "default: 1", "1", "", "cp contextparallel contextparallelism cpsize"},
        {"expert", "Expert parallel", "default: 1", "1", "", "ep expertparallel expertparallelism epsize"},
        {"data", "Data parallel", "default: derived from the other degrees", "8", "",
         "dp dataparallel dataparallelism dpsize dataparallelsize replicas"},
        {"zero_stage", "ZeRO stage", "0 to 3; FSDP is 3", "1", "", "zero zerostage fsdp"},
        {"micro_batch", "Microbatch", "sequences", "1", "", "mbs microbatchsize microbs microsequences"},
        {"global_batch", "Global batch", "sequences per step", "64", "",
         "gbs globalbatchsize batch batchsize globalbs globalsequences"},
        {"sequence_length", "Sequence length", "tokens", "8192", "",
         "seq seqlen seqlength sequence contextlength maxseqlen ctx"},
        {"recompute", "Recomputation", "none, selective or full", "none", "",
         "recomputation activationcheckpointing checkpointing ac"},
        {"precision", "Precision", "bf16, fp16 or fp8", "bf16", "", "dtype datatype"},
        {"schedule", "Pipeline schedule", "default: 1F1B", "", "", "pipelineschedule"},
        {"framework", "Software", "name and version", "Megatron-LM", "", "software stack trainer"},
        {"step_seconds", "Step time", "seconds per optimizer step", "1.72", "s",
         "step steptime iteration iterationtime itertime iter timeperstep timeperiteration secondsperstep "
         "stepduration"},
        {"tokens_per_second_per_accelerator", "Tokens per second per GPU", "alternative to the step time", "",
         "tokens/s",
         "tokenspersecondpergpu tokenspersecpergpu tokenssgpu tokssgpu tgs throughputpergpu tokenspersgpu tpspergpu"},
        {"peak_memory_bytes", "Peak memory", "bytes, on the GPU with the highest peak", "61e9", "bytes",
         "peakmemory peakmem memory mem maxmemory maxmem memorypeak maxmemoryallocated peakmemoryallocated"},
        {"memory_kind", "Kind of memory", "allocated, reserved or device", "reserved", "", "memorytype"},
        {"outcome", "Outcome", "ok, oom or failed; default: ok", "ok", "", "status result state"},
        {"source", "Source", "where the figure was published; default: the file's name", "", "", "reference url"},
    };
    return columns;
}

const RunColumn &run_column(std::string_view name) {
    return *std::find_if(run_columns().begin(), run_columns().end(),
                         [&](const RunColumn &column) { return column.name == name; });
}

const RunColumn *run_column_called(std::string_view name) {
    for (const RunColumn &column : run_columns())
        if (run_together(words_of_column(column.name)) == name || has_alias(column, name))
            return &column;
    return nullptr;
}

bool is_rate_of_all_gpus(std::string_view name) {
    constexpr std::array names{"tokenspersecond",     "tokenspersec", "tokenss",    "toks",
                               "tokspersec",          "tps",          "throughput", "wps",
                               "totaltokenspersecond"};
    return std::find(names.begin(), names.end(), name) != names.end();
}

const std::vector<NamedUnit> &named_units(const RunColumn &column) {
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
    static const std::vector<NamedUnit> rates{{"tps", {"tokens/s per GPU", 1}},
                                              {"", {"tokens/s, all GPUs", 1, RateOf::all_gpus}},
                                              {"ktps", {"thousand tokens/s per GPU", 1e3}},
                                              {"", {"thousand tokens/s, all GPUs", 1e3, RateOf::all_gpus}}};
    static const std::vector<NamedUnit> counts{
        {"", {"", 1}}, {"k", {"thousand", 1e3}}, {"m", {"million", 1e6}}, {"b", {"billion", 1e9}}};
    static const std::vector<NamedUnit> none;
    return column.unit == "s"         ? seconds
        : column.unit == "bytes"      ? bytes
        : column.unit == "tokens/s"   ? rates
        : column.unit == "parameters" ? counts
                                      : none;
}

std::vector<ColumnUnit> column_units(std::string_view column) {
    std::vector<ColumnUnit> units;
    for (const NamedUnit &each : named_units(run_column(column)))
        if (std::none_of(units.begin(), units.end(),
                         [&](const ColumnUnit &unit) { return unit.name == each.unit.name; }))
            units.push_back(each.unit);
    if (units.empty())
        units.push_back({"", 1});
    return units;
}

std::vector<std::string> words_of_column(std::string_view name) {
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

ColumnUnit unit_named_in(const RunColumn &column, std::string_view name) {
    const std::vector<std::string> words = words_of_column(name);
    const bool is_of_all = column.unit == "tokens/s" && is_rate_of_all_gpus(run_together(words));
    for (const NamedUnit &each : named_units(column))
        if (is_of_all ? each.unit.rate == RateOf::all_gpus
                      : !words.empty() && !each.word.empty() && each.word == words.back())
            return each.unit;
    return column_units(column.name).front();
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

} // namespace meshwright
