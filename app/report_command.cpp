// SPDX-License-Identifier: GPL-3.0-or-later
#include "report_command.h"

#include "catalog/library.h"
#include "cli/command_line.h"
#include "cli/documents.h"
#include "cli/evaluation.h"
#include "cli/failure.h"
#include "compare/compared_plan.h"
#include "input/printable.h"
#include "lessons/lessons.h"
#include "report/lesson_handout.h"
#include "report/report.h"
#include "theme/theme.h"
#include "unattended.h"
#include "view_export.h"
#include "window_picture.h"

#include <QApplication>
#include <QDate>
#include <QFileInfo>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace meshwright {

namespace {

struct Options {
    PlanArgument plan;
    std::string pdf;
    std::string key; ///< id of a lesson to print as a handout
    std::uint64_t seed = 1;
    std::string json;
    std::string png;
    std::string svg;
    std::string markdown;
    std::string html;
    std::vector<std::string> compared;
    std::string sections; ///< names of sections separated by commas; empty for all sections
    std::string paper = "a4";
    std::string theme = "light";
    std::string size = "1600x1000";

    bool writesReport() const { return !(pdf.empty() && markdown.empty() && html.empty()); }
    bool needsQt() const { return writesReport() || !(png.empty() && svg.empty()); }
    bool writesSomething() const { return needsQt() || !json.empty(); }
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

/// @throws Failure that names the available sections
ReportOptions reportOptionsOf(const Options &options) {
    ReportOptions read{.paper = options.paper == "letter" ? PaperSize::Letter : PaperSize::A4};
    if (options.sections.empty())
        return read;
    QStringList unknown;
    read.chapters = ReportChapters::named(QString::fromStdString(options.sections), unknown);
    if (!unknown.isEmpty())
        throw Failure(ExitStatus::usage,
                      "meshwright report: usage: --sections has no section \""
                          + printable(unknown.first().toStdString()) + "\"; expected one or more of "
                          + ReportChapters::all().names().toStdString());
    return read;
}

/// Plans and options of the report. --set changes only the first plan, so that a plan can be compared with a variant of
/// itself.
struct Loaded {
    nlohmann::ordered_json plan;
    std::shared_ptr<const Result> result;
    std::vector<NamedPlan> compared;
};

Loaded load(const Options &options) {
    const Library &library = Library::standard();
    Loaded loaded{.plan = loadPlan(options.plan, library), .result = {}, .compared = {}};
    loaded.result = evaluateNamed(options.plan.name, loaded.plan, library);
    for (const std::string &name : options.compared)
        loaded.compared.push_back({.name = name, .plan = evaluatePlan({.name = name, .sets = {}}, library)->plan});
    return loaded;
}

QString availableSections(const ReportData &data) {
    ReportChapters available;
    for (const ReportChapter chapter : Report::chaptersOf(data))
        available.set(chapter);
    return available.names();
}

void writeReport(const Options &options, const Loaded &loaded, const QString &version) {
    const ReportOptions chosen = reportOptionsOf(options);
    ReportInput input{
        .result = loaded.result,
        .compared = loaded.compared,
        .file = options.plan.name == "-" ? QString() : QFileInfo(QString::fromStdString(options.plan.name)).fileName(),
        .date = QDate::currentDate(),
        .version = version};
    if (chosen.chapters.has(ReportChapter::summary) || chosen.chapters.has(ReportChapter::search))
        input.search = searchForReport(*loaded.result);
    const ReportDataPointer data = gatherReport(input, chosen.chapters);
    const Report report(data, chosen);
    if (report.sections().empty())
        throw Failure(ExitStatus::usage,
                      "meshwright report: usage: this plan has nothing to show in --sections " + options.sections
                          + "; expected one or more of " + availableSections(*data).toStdString());
    if (!options.pdf.empty())
        writeFile(options.pdf, report.pdf());
    if (!options.markdown.empty())
        writeFile(options.markdown, report.markdown());
    if (!options.html.empty())
        writeFile(options.html, report.html());
}

void writePictures(const Options &options, const Loaded &loaded, int &argc, char **argv) {
    prepareWithoutDisplay();
    QApplication application(argc, argv);
    const QString version = QString::fromUtf8(programVersion.data(), qsizetype(programVersion.size()));
    if (options.writesReport())
        writeReport(options, loaded, version);
    if (!options.svg.empty())
        writeFile(options.svg, reportSvg(*loaded.result));
    if (options.png.empty())
        return;
    Theme::apply(application, options.theme == "dark" ? ThemeMode::Dark : ThemeMode::Light);
    writeFile(options.png, pngOf(windowPicture(loaded.plan, Library::standard(), sizeOf(options.size))));
}

constexpr std::string_view lessonPrefix = "lesson:";

void writeHandOuts(const Options &options, int &argc, char **argv) {
    const std::string name = options.plan.name.substr(lessonPrefix.size());
    if (options.pdf.empty() && options.key.empty())
        throw Failure(ExitStatus::usage,
                      "meshwright report: usage: no output file; a lesson's handout needs --pdf or --key");
    const Library &library = Library::standard();
    naming(options.plan.name, [&] {
        std::shared_ptr<const Lesson> lesson = Lessons::standard().find(name);
        if (lesson == nullptr && (name.ends_with(".md") || name.ends_with(".json")))
            lesson = std::make_shared<const Lesson>(read_lesson_file(name, library));
        if (lesson == nullptr)
            throw InputError("", "there is no such lesson",
                             "expected one that `meshwright-cli lessons` lists, or a file");
        prepareWithoutDisplay();
        const QApplication application(argc, argv);
        const QString version = QString::fromUtf8(programVersion.data(), qsizetype(programVersion.size()));
        const PaperSize paper = options.paper == "letter" ? PaperSize::Letter : PaperSize::A4;
        if (!options.pdf.empty())
            writeFile(options.pdf, handOutPdf(*lesson, HandOut::questions, library, options.seed, paper, version));
        if (!options.key.empty())
            writeFile(options.key, handOutPdf(*lesson, HandOut::key, library, options.seed, paper, version));
    });
}

void run(const Options &options, int &argc, char **argv) {
    if (options.plan.name.starts_with(lessonPrefix))
        return writeHandOuts(options, argc, argv);
    if (!options.key.empty())
        throw Failure(ExitStatus::usage, "meshwright report: usage: --key is for lessons; expected lesson:ID");
    if (!options.writesSomething())
        throw Failure(ExitStatus::usage,
                      "meshwright report: usage: no output file; expected --pdf, --markdown, --html, --json, --png or "
                      "--svg; see meshwright report --help");
    sizeOf(options.size);
    if (options.compared.size() > std::size_t(maxOtherPlans))
        throw Failure(ExitStatus::usage,
                      "meshwright report: usage: " + std::to_string(options.compared.size())
                          + " plans for comparison; expected at most " + std::to_string(maxOtherPlans));
    reportOptionsOf(options);
    const Loaded loaded = load(options);
    if (options.needsQt())
        writePictures(options, loaded, argc, argv);
    if (!options.json.empty())
        writeFile(options.json, QByteArray::fromStdString(to_json(*loaded.result).dump(2) + "\n"));
}

} // namespace

void addReport(CLI::App &program, int &argc, char **argv) {
    CLI::App *const verb = program.add_subcommand(
        "report", "Write a plan's report, or a lesson's handout (lesson:ID), to files; needs no display");
    const auto options = std::make_shared<Options>();
    addPlanArgument(*verb, options->plan);
    verb->add_option("--pdf", options->pdf, "Write the report as PDF")->type_name("FILE");
    verb->add_option("--key", options->key, "Write the answers to a lesson's questions as PDF; only with lesson:ID")
        ->type_name("FILE");
    verb->add_option("--seed", options->seed, "Random seed for the numbers in a lesson's questions; default 1")
        ->type_name("N");
    verb->add_option("--markdown", options->markdown, "Write the report as Markdown, with tables instead of pictures")
        ->type_name("FILE");
    verb->add_option("--html", options->html, "Write the report as one HTML file with embedded pictures")
        ->type_name("FILE");
    verb->add_option("--compare", options->compared, "Compare with this plan; may be repeated")
        ->allow_extra_args(false)
        ->take_all()
        ->type_name("PLAN");
    verb->add_option("--sections", options->sections,
                     "Sections of the report, separated by commas; default all: "
                         + ReportChapters::all().names().toStdString())
        ->type_name("NAMES");
    verb->add_option("--paper", options->paper, "Paper size of the PDF: a4 or letter; default a4")
        ->check(CLI::IsMember({"a4", "letter"}))
        ->type_name("SIZE");
    verb->add_option("--json", options->json, "Write the result as JSON, as meshwright-cli evaluate --json prints it")
        ->type_name("FILE");
    verb->add_option("--png", options->png, "Write a screenshot of the window that shows the plan")->type_name("FILE");
    verb->add_option("--svg", options->svg, "Write a figure of memory and step time")->type_name("FILE");
    verb->add_option("--theme", options->theme, "Theme of the PNG picture: light or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->type_name("NAME");
    verb->add_option("--size", options->size, "Size of the PNG picture in pixels; default 1600x1000")->type_name("WxH");
    verb->callback([options, &argc, argv] { run(*options, argc, argv); });
}

} // namespace meshwright
