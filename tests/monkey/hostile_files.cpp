// SPDX-License-Identifier: GPL-3.0-or-later
#include "hostile_files.h"

#include <QDir>
#include <QFile>

#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

namespace meshwright {

namespace {

using nlohmann::ordered_json;

const std::string markup = "<img src='/dev/zero'><b onclick=\"x\">&amp; %1 %2 \xE2\x80\xAE</b>";

ordered_json planOfMarkup() {
    return {{"schema", "meshwright.plan/1"},
            {"name", markup},
            {"notes", markup + "\n" + markup},
            {"cluster", "dgx-h100"},
            {"model", "llama-3.1-8b"},
            {"snapshots", {{{"name", markup}, {"plan", {{"schema", "meshwright.plan/1"}}}}}}};
}

ordered_json planThatDoesNotFit() {
    return {{"schema", "meshwright.plan/1"},
            {"name", "Does not fit"},
            {"cluster", "dgx-h100"},
            {"model", "llama-3.1-405b"},
            {"parallelism", {{"tensor", 1}, {"pipeline", 1}, {"data", 8}}}};
}

ordered_json invalidPlan() {
    return {{"schema", "meshwright.plan/1"},
            {"name", "Invalid"},
            {"cluster", "dgx-h100"},
            {"model", "llama-3.1-8b"},
            {"parallelism", {{"tensor", 3}, {"pipeline", 5}, {"data", 7}}},
            {"batch", {{"sequence_length", -1}, {"global", "many"}}}};
}

std::string rows(const std::vector<std::string> &of) {
    std::string text = "id,model,accelerator,accelerators,tensor,pipeline,data,micro_batch,global_batch,"
                       "sequence_length,recompute,step_seconds\n";
    for (const std::string &row : of)
        text += row + "\n";
    return text;
}

std::vector<std::pair<const char *, std::string>> contents() {
    const std::string good = "a,Llama 3.1 8B,h100-sxm-80gb,8,8,1,1,1,8,8192,full,1.9";
    return {
        {"empty.json", ""},
        {"cut.json", R"({"schema": "meshwright.plan/1", "model": {"lay)"},
        {"other.json", R"({"name": "left-pad", "version": "1.3.0"})"},
        {"list.json", "[1, 2, 3]"},
        {"deep.json", std::string(200'000, '[')},
        {"twice.json", R"({"schema": "meshwright.plan/1", "schema": "meshwright.plan/1", "model": 1})"},
        {"numbers.json", R"({"schema": "meshwright.plan/1", "model": {"layers": 1e999, "hidden": -0.0}})"},
        {"newer.json", R"({"schema": "meshwright.plan/99", "model": "llama-3.1-8b"})"},
        {"large.json", R"({"schema": "meshwright.plan/1", "notes": ")" + std::string(20U << 20U, 'x') + "\"}"},
        {"bytes.json", std::string("\0\xFF\xFE\x80{}", 6)},
        {"markup.json", planOfMarkup().dump()},
        {"tight.json", planThatDoesNotFit().dump()},
        {"invalid.json", invalidPlan().dump()},
        {"good.csv", rows({good})},
        {"bad.csv",
         rows({good, "b,Llama 3.1 8B,h100-sxm-80gb,8,8,100000,1,1,8,8192,full,1.9",
               "c,Llama 3.1 8B,h100-sxm-80gb,8,-1,1,1,1,8,1e300,full,1.9", "d,<b>none</b>,nothing,,,,,,,,,", ",,,,"})},
        {"columns.csv", "when,<i>what</i>,seconds\n1,2,3\n"},
        {"bytes.csv", std::string("\0\0,\xFF\n\"\n", 8)},
        {"rates.csv", "seconds,bits_per_second\n0,1e9\n5,-1\n"},
    };
}

} // namespace

QStringList writeHostileFiles(const QString &folder) {
    QStringList paths;
    const QDir in(folder);
    for (const auto &[name, content] : contents()) {
        QFile file(in.filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly))
            file.write(content.data(), qint64(content.size()));
        paths << file.fileName();
    }
    const QString fifo = in.filePath(QStringLiteral("fifo.json"));
    mkfifo(fifo.toLocal8Bit().constData(), S_IRUSR | S_IWUSR);
    QFile::link(QStringLiteral("/dev/zero"), in.filePath(QStringLiteral("zero.csv")));
    QFile::link(QStringLiteral("nowhere"), in.filePath(QStringLiteral("dangling.json")));
    paths << fifo << in.filePath(QStringLiteral("zero.csv")) << in.filePath(QStringLiteral("dangling.json")) << folder
          << in.filePath(QStringLiteral("missing.json"));
    return paths;
}

} // namespace meshwright
