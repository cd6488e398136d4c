// SPDX-License-Identifier: GPL-3.0-or-later
// Exports to Megatron-LM: a shell script with its options.
#include "launch/megatron_exporters.h"

#include "catalog/library.h"
#include "evaluate/result.h"
#include "launch/export_sbatch.h"
#include "launch/export_text.h"
#include "launch/launch_environment.h"
#include "launch/megatron_target.h"
#include "launch/megatron_writing.h"
#include "launch/torchrun.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace meshwright {

namespace {

constexpr std::string_view megatron_title = "Megatron-LM (d98e8a64ddf3)";

std::string array_name(LaunchPart part) {
    std::string name(name_of(part));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
    return name + "_ARGS";
}

/// Builds the script part by part. Each part is a shell array.
class MegatronScript {
public:
    MegatronScript(const TargetPlan &target, const Result &result, std::vector<WrittenOption> options)
        : m_target(target)
        , m_result(result)
        , m_options(std::move(options)) { }

    ExportFile write() {
        m_text.add("#!/bin/bash");
        m_text.head(m_result, megatron_title, m_target);
        m_text.blank();
        m_text.add("set -euo pipefail");
        m_text.blank();
        placeholders();
        m_text.blank();
        add_variables(m_text, program_environment(m_target, true));
        for (const LaunchPart part : {LaunchPart::model, LaunchPart::parallelism, LaunchPart::batch,
                                      LaunchPart::precision, LaunchPart::recompute, LaunchPart::overlap,
                                      LaunchPart::optimizer, LaunchPart::run, LaunchPart::checkpoint})
            add_part(part);
        data();
        start();
        return {.name = "train.sh", .lines = std::move(m_text).take()};
    }

private:
    /// A shell variable that no plan field determines, such as a path.
    void placeholder(const char *name, const char *value, const char *comment) {
        m_text.add(fmt::format("{0}=\"${{{0}:-{1}}}\" # {2}", name, value, comment));
    }

    bool has_rotary_positions() const { return !m_target.shape.learned_positions; }

    void placeholders() {
        m_text.comment("A plan does not have these values: set them in the environment or here.");
        placeholder("MEGATRON_PATH", ".", "checkout of Megatron-LM");
        placeholder("DATA_PATH", "", "prefix of the preprocessed data; empty: mock data");
        placeholder("TOKENIZER_MODEL", "", "folder of a Hugging Face tokenizer; empty: none, for mock data");
        placeholder("CHECKPOINT_PATH", "checkpoints", "on storage that all nodes share");
        placeholder("LR", "3e-4", "peak learning rate: tune it");
        placeholder("MIN_LR", "3e-5", "final learning rate");
        placeholder("WARMUP_FRACTION", "0.01", "fraction of the run");
        if (has_rotary_positions())
            placeholder("ROTARY_BASE", "10000", "RoPE base of the model; 500000 for Llama 3");
    }

    void add_option(const WrittenOption &option) {
        std::string line = "    " + option.name;
        for (const std::string &word : shell_words(option.value))
            line += " " + word;
        if (!option.why.empty())
            line += " # " + option.why;
        m_text.add(std::move(line), option.field, option.why);
    }

    void add_part(LaunchPart part) {
        const auto belongs = [&](const WrittenOption &option) { return option.part == part; };
        if (std::none_of(m_options.begin(), m_options.end(), belongs))
            return;
        m_text.blank();
        m_text.add(array_name(part) + "=(");
        for (const WrittenOption &option : m_options)
            if (belongs(option))
                add_option(option);
        if (part == LaunchPart::model && has_rotary_positions())
            m_text.add("    --rotary-base \"$ROTARY_BASE\"");
        if (part == LaunchPart::optimizer) {
            m_text.add("    --lr \"$LR\" --min-lr \"$MIN_LR\" --lr-decay-style cosine");
            m_text.add("    --lr-warmup-fraction \"$WARMUP_FRACTION\" --weight-decay 0.1 --clip-grad 1.0");
            if (m_target.plan.optimizer.kind != OptimizerKind::sgd)
                m_text.add("    --adam-beta1 0.9 --adam-beta2 0.95");
        }
        if (part == LaunchPart::run)
            m_text.add("    --eval-interval 1000 --eval-iters 0 --log-interval 10 --log-throughput");
        if (part == LaunchPart::checkpoint)
            m_text.add("    --save \"$CHECKPOINT_PATH\" --load \"$CHECKPOINT_PATH\"");
        m_text.add(")");
        m_arrays.push_back(array_name(part));
    }

    void data() {
        m_text.blank();
        m_text.add("if [ -n \"$DATA_PATH\" ]; then");
        m_text.add("    DATA_ARGS=(--data-path $DATA_PATH --split 99,1,0)");
        m_text.add("else");
        m_text.add("    DATA_ARGS=(--mock-data)");
        m_text.add("fi");
        m_text.add("if [ -n \"$TOKENIZER_MODEL\" ]; then");
        m_text.add("    TOKENIZER_ARGS=(--tokenizer-type HuggingFaceTokenizer --tokenizer-model \"$TOKENIZER_MODEL\")");
        m_text.add("else");
        m_text.add(fmt::format("    TOKENIZER_ARGS=(--tokenizer-type NullTokenizer --vocab-size {})",
                               *m_target.shape.vocabulary),
                   "/model/vocabulary");
        m_text.add("fi");
        m_arrays.emplace_back("DATA_ARGS");
        m_arrays.emplace_back("TOKENIZER_ARGS");
    }

    void start() {
        m_text.blank();
        add_torchrun(m_text, m_target.plan);
        m_text.add(fmt::format("\"${{LAUNCHER[@]}}\" \"$MEGATRON_PATH/{}\" \\",
                               m_target.hybrid ? "pretrain_hybrid.py" : "pretrain_gpt.py"));
        for (std::size_t i = 0; i < m_arrays.size(); ++i)
            m_text.add(fmt::format("    \"${{{}[@]}}\"{}", m_arrays[i], i + 1 < m_arrays.size() ? " \\" : ""));
    }

    const TargetPlan &m_target;
    const Result &m_result;
    std::vector<WrittenOption> m_options;
    std::vector<std::string> m_arrays;
    ExportText m_text;
};

} // namespace

LaunchExport export_megatron(const Result &result, const Library &library) {
    Stack software = *library.stack("megatron-core-2025");
    software.name = "Megatron-LM";
    TargetPlan target = megatron_target(result.plan, std::move(software));
    std::vector<WrittenOption> options = megatron_options(target, result);
    target.predict(result);
    LaunchExport written;
    written.files.push_back(MegatronScript(target, result, std::move(options)).write());
    written.files.push_back(sbatch_file(result, target, megatron_title, true, SlurmTasks::per_accelerator));
    written.lost = target.lost;
    return written;
}

} // namespace meshwright
