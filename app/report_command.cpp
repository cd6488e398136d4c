// SPDX-License-Identifier: GPL-3.0-or-later
#include "report_command.h"

#include "catalog/library.h"
#include "cli/command_line.h"
#include "cli/documents.h"
#include "cli/evaluation.h"
#include "cli/failure.h"
#include "report/report.h"
#include "theme/theme.h"
#include "unattended.h"
#include "view_export.h"
#include "window_picture.h"

#include <QApplication>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace meshwright {

namespace {

struct Options {
    PlanArgument plan;
    std::string pdf;
    std::string json;
    std::string png;
    std::string svg;
    std::string theme = "light";
    std::string size = "1600x1000";

    bool writesSomething() const { return !(pdf.empty() && json.empty() && png.empty() && svg.empty()); }
    bool needsQt() const { return !(pdf.empty() && png.empty() && svg.empty()); }
};

QSize sizeOf(const std::string &text) {
    constexpr int smallest = 320;
    constexpr int largest = 8192;
    const QStringList parts = QString::fromStdString(text).split(QLatin1Char('x'));
    const QSize size = parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
    if (size.width() < smallest || size.height() < smallest || size.width() > largest || size.height() > largest)
        throw Failure(ExitStatus::usage,
                      "meshwright report: usage: --size " + text
                          + " is not a size; expected WIDTHxHEIGHT in pixels, each from 320 to 8192");
    return size;
}

void writePictures(const Options &options, const nlohmann::ordered_json &plan, const Result &result, int &argc,
                   char **argv) {
    prepareWithoutDisplay();
    QApplication application(argc, argv);
    const QString version = QString::fromUtf8(programVersion.data(), qsizetype(programVersion.size()));
    if (!options.pdf.empty())
        writeFile(options.pdf, reportPdf(result, version));
    if (!options.svg.empty())
        writeFile(options.svg, reportSvg(result));
    if (options.png.empty())
        return;
    Theme::apply(application, options.theme == "dark" ? ThemeMode::Dark : ThemeMode::Light);
    writeFile(options.png, pngOf(windowPicture(plan, Library::standard(), sizeOf(options.size))));
}

void run(const Options &options, int &argc, char **argv) {
    if (!options.writesSomething())
        throw Failure(ExitStatus::usage,
                      "meshwright report: usage: no output file; expected --pdf, --json, --png or --svg; see "
                      "meshwright report --help");
    sizeOf(options.size);
    const nlohmann::ordered_json plan = loadPlan(options.plan, Library::standard());
    const std::shared_ptr<const Result> result = evaluateNamed(options.plan.name, plan, Library::standard());
    if (!options.json.empty())
        writeFile(options.json, QByteArray::fromStdString(to_json(*result).dump(2) + "\n"));
    if (options.needsQt())
        writePictures(options, plan, *result, argc, argv);
}

} // namespace

void addReport(CLI::App &program, int &argc, char **argv) {
    CLI::App *const verb = program.add_subcommand("report", "Write a plan's report to files; needs no display");
    const auto options = std::make_shared<Options>();
    addPlanArgument(*verb, options->plan);
    verb->add_option("--pdf", options->pdf, "Write the report as PDF on A4 pages")->type_name("FILE");
    verb->add_option("--json", options->json, "Write the result as JSON, as meshwright-cli evaluate --json prints it")
        ->type_name("FILE");
    verb->add_option("--png", options->png, "Write a picture of the window with the plan")->type_name("FILE");
    verb->add_option("--svg", options->svg, "Write a drawing of memory and step time")->type_name("FILE");
    verb->add_option("--theme", options->theme, "Theme of the PNG picture: light or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->type_name("NAME");
    verb->add_option("--size", options->size, "Size of the PNG picture in pixels; default 1600x1000")->type_name("WxH");
    verb->callback([options, &argc, argv] { run(*options, argc, argv); });
}

} // namespace meshwright
