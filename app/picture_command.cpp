// SPDX-License-Identifier: GPL-3.0-or-later
#include "picture_command.h"

#include "catalog/library.h"
#include "cli/documents.h"
#include "cli/evaluation.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "compare/compare_view.h"
#include "plan/plan_json.h"
#include "theme/theme.h"
#include "unattended.h"
#include "view_export.h"
#include "view_pages.h"
#include "view_rail.h"
#include "window_layout.h"

#include <QAction>
#include <QApplication>
#include <QFileInfo>
#include <QScrollArea>
#include <QScrollBar>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace meshwright {

namespace {

struct ViewOptions {
    PlanArgument plan;
    std::string view;
    std::vector<std::string> compared;
    std::string out;
    std::string theme = "light";
    int scale = 1;
    int width = 1760; ///< width of the view in pixels at scale 1
    int height = 0; ///< height in pixels; 0: the height of the view's content
};

constexpr int smallestWidth = 1280; // in pixels; every view fits into this width
constexpr int firstHeight = 1000;
constexpr int largestHeight = 6000;

/// A window that shows one page of one view, without side panels.
class ShownPage {
public:
    ShownPage(const ViewOptions &options, const nlohmann::ordered_json &plan)
        : m_options(options)
        , m_page(*std::find_if(viewPages().begin(), viewPages().end(),
                               [&](const ViewPage &page) { return options.view == page.name; }))
        , m_unattended(plan, Library::standard(), {options.width, firstHeight}) {
        for (const std::string &compared : options.compared)
            compareWith(compared);
        showPage(window(), m_page);
        for (QAction *dock : {window().layoutOfDocks()->panelsAction(), window().layoutOfDocks()->detailsAction()})
            if (dock->isChecked())
                dock->trigger();
        resizeView(options.height > 0 ? options.height : firstHeight);
        settle();
        resizeView(view().height()); // the navigation rail may have become narrower
        if (options.height == 0)
            grow();
        if (QWidget *focus = window().focusWidget())
            focus->clearFocus(); // a picture shows no focus ring
    }

    View &view() { return *window().rail()->current(); }
    ViewTable table() { return m_page.table(window()); }

private:
    MainWindow &window() { return m_unattended.window(); }

    void compareWith(const std::string &name) {
        const Library &library = Library::standard();
        const Plan plan =
            naming(name, [&] { return plan_from_json(loadPlan({.name = name, .sets = {}}, library), library); });
        const QString shown = QString::fromStdString(plan.name.empty() ? name : plan.name);
        window().view<CompareView>()->add({.name = shown, .origin = QString::fromStdString(name), .plan = plan});
    }

    void settle() {
        constexpr std::chrono::minutes timeout(3);
        if (!m_unattended.settle(timeout, [this] { return m_page.isSettled(window()); }))
            throw Failure(ExitStatus::rejected,
                          m_options.plan.name + ": /: the view " + m_options.view
                              + " was not complete after three minutes; expected a smaller plan");
    }

    void resizeView(int height) {
        // Repeat, because resizing the window may also resize the widgets around the view.
        constexpr int passes = 3;
        for (int pass = 0; pass < passes && view().size() != QSize(m_options.width, height); ++pass)
            m_unattended.resize(window().size() + QSize(m_options.width, height) - view().size());
    }

    /// Height of the content that is scrolled out of view.
    int hiddenHeight() {
        int hidden = 0;
        for (const QScrollArea *area : view().findChildren<QScrollArea *>())
            if (area->isVisible())
                hidden = std::max(hidden, area->verticalScrollBar()->maximum());
        return hidden;
    }

    /// Increases the view's height until nothing needs scrolling. A view whose content grows with its height stops at
    /// the limit.
    void grow() {
        constexpr int passes = 4;
        for (int pass = 0; pass < passes && hiddenHeight() > 0 && view().height() < largestHeight; ++pass) {
            resizeView(std::min(largestHeight, view().height() + hiddenHeight()));
            settle();
        }
    }

    const ViewOptions &m_options;
    const ViewPage &m_page;
    UnattendedWindow m_unattended;
};

template <typename Work>
void withPage(const ViewOptions &options, int &argc, char **argv, const Work &work) {
    const nlohmann::ordered_json plan = loadPlan(options.plan, Library::standard());
    const std::shared_ptr<const Result> result = evaluateNamed(options.plan.name, plan, Library::standard());
    prepareWithoutDisplay();
    QApplication application(argc, argv);
    Theme::apply(application, options.theme == "dark" ? ThemeMode::Dark : ThemeMode::Light);
    ShownPage page(options, plan);
    work(page, QString::fromStdString(result->plan.name));
}

bool isSvg(const ViewOptions &options) {
    const QString suffix = QFileInfo(QString::fromStdString(options.out)).suffix().toLower();
    if (suffix != QLatin1String("svg") && suffix != QLatin1String("png"))
        throw Failure(ExitStatus::usage,
                      "meshwright picture: usage: --out " + options.out
                          + " is neither SVG nor PNG; expected a name that ends in .svg or .png");
    if (suffix == QLatin1String("svg") && options.scale != 1)
        throw Failure(ExitStatus::usage,
                      "meshwright picture: usage: --scale applies only to PNG; expected a name that ends in .png");
    return suffix == QLatin1String("svg");
}

void writePicture(const ViewOptions &options, int &argc, char **argv) {
    const bool svg = isSvg(options);
    withPage(options, argc, argv, [&](ShownPage &page, const QString &name) {
        writeFile(options.out, svg ? svgOf(page.view(), name) : pngOf(pictureOf(page.view(), options.scale)));
    });
}

void writeTable(const ViewOptions &options, int &argc, char **argv) {
    withPage(options, argc, argv, [&](ShownPage &page, const QString &) {
        const ViewTable table = page.table();
        if (table.isEmpty())
            throw Failure(ExitStatus::rejected,
                          options.plan.name + ": /: the view " + options.view
                              + " shows no table for this plan; expected a plan or view that has a table");
        const QByteArray csv = csvOf(table);
        if (options.out.empty())
            writeText(csv.toStdString());
        else
            writeFile(options.out, csv);
    });
}

std::shared_ptr<ViewOptions> addViewOptions(CLI::App &verb) {
    auto options = std::make_shared<ViewOptions>();
    std::vector<std::string> names;
    for (const ViewPage &page : viewPages())
        names.emplace_back(page.name);
    addPlanArgument(verb, options->plan);
    verb.add_option("--view", options->view, "View, or page of a view, to export")
        ->required()
        ->check(CLI::IsMember(names));
    verb.add_option("--with", options->compared, "Plan to compare with PLAN in the compare view; may be repeated")
        ->type_name("PLAN")
        ->expected(1, maxOtherPlans);
    return options;
}

} // namespace

void addPicture(CLI::App &program, int &argc, char **argv) {
    CLI::App *const verb = program.add_subcommand("picture", "Write a picture of one view of a plan; needs no display");
    const std::shared_ptr<ViewOptions> options = addViewOptions(*verb);
    verb->add_option("--out", options->out, "The file, .svg or .png")->type_name("FILE")->required();
    verb->add_option("--scale", options->scale, "Scale factor of a PNG, 1 to 4")
        ->check(CLI::Range(1, largestPictureScale));
    verb->add_option("--theme", options->theme, "Theme: light or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->type_name("NAME");
    verb->add_option("--width", options->width, "Width of the view in pixels; default 1760")
        ->check(CLI::Range(smallestWidth, 4096));
    verb->add_option("--height", options->height, "Height of the view in pixels; default: the height of its content")
        ->check(CLI::Range(600, largestHeight));
    verb->callback([options, &argc, argv] { writePicture(*options, argc, argv); });
}

void addTable(CLI::App &program, int &argc, char **argv) {
    CLI::App *const verb =
        program.add_subcommand("table", "Write the table behind one view of a plan as CSV; needs no display");
    const std::shared_ptr<ViewOptions> options = addViewOptions(*verb);
    verb->add_option("--out", options->out, "The file; default: standard output")->type_name("FILE");
    verb->callback([options, &argc, argv] { writeTable(*options, argc, argv); });
}

} // namespace meshwright
