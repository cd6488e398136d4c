// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/derivation_text.h"
#include "explain/explain.h"
#include "figures/figure_text.h"
#include "listed_test.h"
#include "narrative/paragraph.h"
#include "report/page_flow.h"
#include "report_pages.h"
#include "step/plan_pipeline.h"
#include "timeline/time_ticks.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include <nlohmann/json.hpp>

using namespace meshwright;

namespace {

/// A plan with 64 pipeline stages of at least one layer.
std::shared_ptr<const Result> deepPipeline() {
    return resultOf("gpt3-175b-1k",
                    {"parallelism.pipeline=64", "parallelism.tensor=8", "parallelism.data=2", "parallelism.chunks=1",
                     "parallelism.schedule=1f1b"});
}

std::shared_ptr<const Result> tooLarge() {
    return resultOf("ten-to-25", {"precision.gradients=fp32", "recompute.mode=none"});
}

} // namespace

class TestReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pdfIsA4WithTitleAndCreator();
    void fontsAreEmbeddedAndCanBeSearched();
    void figuresOfTheResultAreInThePdf();
    void figuresOfTheResultAreInThePdf_data();
    void textHasNoLigatures();
    void theSummaryIsOnePage();
    void theSummaryIsOnePage_data();
    void derivationsTakeAtMostFivePages();
    void derivationsTakeAtMostFivePages_data();
    void onlyChosenSectionsAreWritten();
    void letterPagesAreLetter();
    void nothingIsBesideThePage();
    void nothingIsBesideThePage_data();
    void noRowOfATableStandsAlone();
    void contentsLeadToTheirPages();
    void theBestConfigurationFoundIsOnTheFirstPage();
    void comparedPlansHaveASection();
    void thePipelineAndAStepsMemoryAreDrawn();
    void aScheduleThatIsTooLongIsNotSimulated();
    void figuresOfTheFirstPageHaveTheirFormula();
    void allSixtyFourStagesAreShown();
    void aPlanThatDoesNotFitSaysSo();
    void figuresAreLinksToTheirDerivation();
    void figuresAreLinksToTheirDerivation_data();
    void theSameResultGivesTheSamePages();
    void thePictureShowsTheFirstPage();
    void theDrawingIsWellFormedAndDescribed();
};

void TestReport::pdfIsA4WithTitleAndCreator() {
    const auto result = resultOf("ten-to-25");
    const QString information = said(QStringLiteral("pdfinfo"), reportOf(result)->pdf(), {});
    QVERIFY2(information.contains(QStringLiteral("(A4)")), qPrintable(information));
    QVERIFY2(information.contains(QString::fromStdString(result->plan.name)), qPrintable(information));
    QVERIFY2(information.contains(QStringLiteral("Meshwright 1.2.3")), qPrintable(information));
}

void TestReport::fontsAreEmbeddedAndCanBeSearched() {
    const QString fonts = said(QStringLiteral("pdffonts"), reportOf(resultOf("ten-to-25"))->pdf(), {});
    const QStringList lines = fonts.trimmed().split(QLatin1Char('\n')).mid(2);
    QVERIFY(lines.size() >= 2);
    for (const QString &line : lines) {
        QVERIFY2(line.contains(QStringLiteral("DejaVu")), qPrintable(line));
        // Columns after the encoding: embedded, subset, Unicode mapping.
        const QStringList words = line.simplified().split(QLatin1Char(' '));
        QCOMPARE(words.at(words.size() - 5), QStringLiteral("yes"));
        QCOMPARE(words.at(words.size() - 3), QStringLiteral("yes"));
    }
}

void TestReport::figuresOfTheResultAreInThePdf_data() {
    QTest::addColumn<QByteArray>("preset");
    for (const char *preset : {"ten-to-25", "deepseek-v3", "llama3-405b-16k", "pretrain-8b", "llama-1b-profile"})
        QTest::newRow(preset) << QByteArray(preset);
}

void TestReport::figuresOfTheResultAreInThePdf() {
    QFETCH(QByteArray, preset);
    const auto result = resultOf(preset.constData());
    const QString text = textOf(reportOf(result)->pdf()).simplified();
    QStringList figures{figureText(result->step.seconds, Quantity::seconds),
                        shareText(result->step.mfu),
                        shareText(result->step.hfu),
                        figureText(result->run.energy_joules, Quantity::joules),
                        figureText(result->run.checkpoint_bytes, Quantity::bytes),
                        figureText(result->run.tokens, Quantity::tokens),
                        countText(double(result->plan.cluster.accelerators())),
                        figureText(result->parameters.total, Quantity::parameters),
                        shareText(result->pipeline.bubble_of_ideal),
                        shareText(result->cluster.node_share_of_threshold)};
    for (const double term : result->step.terms)
        if (term > 0)
            figures << figureText(term, Quantity::seconds);
    if (result->outer)
        figures << shareText(result->outer->utilisation)
                << figureText(result->outer->up_bytes_per_round, Quantity::bytes);
    for (const QString &figure : figures)
        QVERIFY2(text.contains(figure), qPrintable(figure + QStringLiteral(" is missing")));
    for (const Diagnostic &diagnostic : result->diagnostics)
        QVERIFY(text.contains(QString::fromStdString(diagnostic.message.text).mid(1, 30)));
}

void TestReport::textHasNoLigatures() {
    const QString text = textOf(reportOf(resultOf("ten-to-25"))->pdf());
    for (const QChar character : text)
        QVERIFY2(character.unicode() < 0xfb00 || character.unicode() > 0xfb06,
                 "the text contains a ligature instead of letters");
}

namespace {

void addPlans() {
    QTest::addColumn<QByteArray>("preset");
    for (const char *preset : {"ten-to-25", "pretrain-8b", "llama-1b-profile", "deepseek-v3", "smollm-135m",
                               "llama3-405b-16k", "megatron-1t-2021", "intellect-1"})
        QTest::newRow(preset) << QByteArray(preset);
}

} // namespace

void TestReport::theSummaryIsOnePage_data() {
    addPlans();
}

/// The summary fits one page, alone and before other sections, on both paper sizes.
void TestReport::theSummaryIsOnePage() {
    QFETCH(QByteArray, preset);
    const auto result = resultOf(preset.constData());
    for (const PaperSize paper : {PaperSize::A4, PaperSize::Letter}) {
        ReportOptions alone = sectionsNamed("summary");
        alone.paper = paper;
        QCOMPARE(reportOf(result, alone)->pageCount(), 1);
        const QStringList pages = pageTextsOf(reportOf(result, {.paper = paper})->pdf());
        QVERIFY(pages.size() > 2);
        QVERIFY(pages[0].contains(QStringLiteral("Contents")));
        QVERIFY(!pages[1].contains(QStringLiteral("Contents")));
        QVERIFY2(pages[1].trimmed().startsWith(QStringLiteral("Problems and hints"))
                     || pages[1].trimmed().startsWith(QStringLiteral("Memory")),
                 qPrintable(pages[1].left(200)));
    }
}

void TestReport::derivationsTakeAtMostFivePages_data() {
    addPlans();
}

void TestReport::derivationsTakeAtMostFivePages() {
    QFETCH(QByteArray, preset);
    const auto result = resultOf(preset.constData());
    for (const PaperSize paper : {PaperSize::A4, PaperSize::Letter}) {
        const QString title = titleOf(ReportChapter::derivations);
        qsizetype count = 0;
        // The heading is repeated on each page, and the table of contents lists it once.
        for (const QString &page : pageTextsOf(reportOf(result, {.paper = paper})->pdf()))
            count += page.contains(title) ? 1 : 0;
        QVERIFY(count > 1);
        QVERIFY2(count <= 6, qPrintable(QString::number(count)));
    }
}

void TestReport::onlyChosenSectionsAreWritten() {
    const auto result = resultOf("ten-to-25");
    const auto report = reportOf(result, sectionsNamed("memory,glossary"));
    QCOMPARE(report->sections().size(), std::size_t(2));
    const QString text = textOf(report->pdf());
    QVERIFY(text.contains(titleOf(ReportChapter::memory)));
    QVERIFY(text.contains(titleOf(ReportChapter::glossary)));
    for (const ReportChapter other : {ReportChapter::pipeline, ReportChapter::evidence, ReportChapter::derivations})
        QVERIFY(!text.contains(titleOf(other)));
    QStringList unknown;
    QVERIFY(ReportChapters::named(QStringLiteral("memory, plaid"), unknown).has(ReportChapter::memory));
    QCOMPARE(unknown, QStringList{QStringLiteral("plaid")});
    QCOMPARE(ReportChapters::named(ReportChapters::all().names(), unknown), ReportChapters::all());
}

void TestReport::letterPagesAreLetter() {
    const auto report = reportOf(resultOf("deepseek-v3"), {.paper = PaperSize::Letter});
    const QString information = said(QStringLiteral("pdfinfo"), report->pdf(), {});
    QVERIFY2(information.contains(QStringLiteral("612 x 792 pts (letter)")), qPrintable(information));
}

/// No word is outside the margins.
void TestReport::nothingIsBesideThePage() {
    QFETCH(QString, preset);
    const QByteArray pdf = reportOf(resultOf(preset.toLatin1().constData()))->pdf();
    const PaperFormat format = PaperFormat::of(PaperSize::A4);
    QXmlStreamReader reader(said(QStringLiteral("pdftotext"), pdf, {QStringLiteral("-bbox")}));
    double width = 0;
    int words = 0;
    while (!reader.atEnd()) {
        reader.readNext();
        if (!reader.isStartElement())
            continue;
        if (reader.name() == QStringLiteral("page"))
            width = reader.attributes().value(QStringLiteral("width")).toDouble();
        if (reader.name() != QStringLiteral("word"))
            continue;
        const double margin = width * format.margin() / format.width;
        const double left = reader.attributes().value(QStringLiteral("xMin")).toDouble();
        const double right = reader.attributes().value(QStringLiteral("xMax")).toDouble();
        const QString word = reader.readElementText();
        QVERIFY2(left > margin - 1 && right < width - margin + 1, qPrintable(word));
        ++words;
    }
    QVERIFY(words > 1000);
}

void TestReport::nothingIsBesideThePage_data() {
    QTest::addColumn<QString>("preset");
    QTest::newRow("that does not fit") << QStringLiteral("ten-to-25");
    QTest::newRow("of many stages") << QStringLiteral("deepseek-v3");
}

/// The last row of a table moves to the next page together with the two rows before it.
void TestReport::noRowOfATableStandsAlone() {
    const PaperFormat format = PaperFormat::of(PaperSize::A4);
    PaperSection section{
        .chapter = ReportChapter::evidence, .title = QStringLiteral("Table"), .note = {}, .blocks = {}};
    section.blocks.push_back({.height = 20, .paint = {}, .staysWithNext = true});
    // One row more than the page has room for.
    const int rows = static_cast<int>((format.contentHeight() - 51) / 20) + 1;
    for (int row = 0; row < rows; ++row)
        section.blocks.push_back({.height = 20, .paint = {}, .headedBy = row + 1});
    const std::vector<PaperSection> sections{section};
    const std::vector<ReportPage> pages = flowed(sections, format);
    QCOMPARE(pages.size(), std::size_t(2));
    QCOMPARE(pages.back().blocks.size(), std::size_t(4)); // includes the heading of the table
}

/// Each entry of the table of contents gives the page on which its section begins.
void TestReport::contentsLeadToTheirPages() {
    const auto report = reportOf(resultOf("deepseek-v3"));
    const QStringList pages = pageTextsOf(report->pdf());
    const QString contents = pages[0].section(QStringLiteral("Contents"), 1).simplified();
    for (std::size_t i = 1; i < report->sections().size(); ++i) {
        const QString title = report->sections()[i].title;
        const QRegularExpressionMatch entry =
            QRegularExpression(QRegularExpression::escape(title.left(24)) + QStringLiteral("[^0-9]*(\\d+)"))
                .match(contents);
        QVERIFY2(entry.hasMatch(), qPrintable(title));
        const int page = entry.captured(1).toInt();
        QVERIFY(page > 1 && page <= pages.size());
        QVERIFY2(pages[page - 1].contains(title), qPrintable(title));
    }
    QVERIFY(report->pdf().contains("/Outlines"));
}

void TestReport::theBestConfigurationFoundIsOnTheFirstPage() {
    const auto result = resultOf("deepseek-v3");
    const QString page = pageTextsOf(reportOf(result)->pdf())[0].simplified();
    QVERIFY(page.contains(QStringLiteral("faster than the plan"))
            || page.contains(QStringLiteral("required headroom")));
    const ReportInput none{.result = result, .version = QStringLiteral("1.2.3")};
    const Report report(gatherReport(none, ReportChapters::all()), {});
    QVERIFY(!textOf(report.pdf()).contains(titleOf(ReportChapter::search)));
}

/// The section shows the figures of both plans, the field that differs, and effects that add up to the difference.
void TestReport::comparedPlansHaveASection() {
    const auto result = resultOf("pretrain-70b-1k");
    const auto other = resultOf("pretrain-70b-1k", {"recompute.mode=full"});
    const ReportOptions options = sectionsNamed("compare");
    const ReportInput input{.result = result, .compared = {{"Full recomputation", other->plan}}, .version = {}};
    const Report report(gatherReport(input, options.chapters), options);
    QCOMPARE(report.sections().size(), std::size_t(1));
    const QString text = textOf(report.pdf()).simplified();
    for (const QString &shown :
         {titleOf(ReportChapter::comparison), QStringLiteral("B \u00b7 Full recomputation"),
          figureText(result->step.seconds, Quantity::seconds), figureText(other->step.seconds, Quantity::seconds),
          figureText(other->memory.peak_bytes, Quantity::bytes), QStringLiteral("recompute.mode"),
          figureText(other->step.seconds - result->step.seconds, Quantity::seconds)})
        QVERIFY2(text.contains(shown), qPrintable(shown));
    QVERIFY(QString::fromUtf8(report.markdown()).contains(QStringLiteral("| recompute.mode |")));
    QVERIFY(reportOf(result, options)->sections().empty());
}

void TestReport::thePipelineAndAStepsMemoryAreDrawn() {
    for (const char *preset : {"deepseek-v3", "pretrain-70b-1k", "megatron-1t-2021"}) {
        const auto result = resultOf(preset);
        const PlanPipeline pipeline = simulate_pipeline(result->plan);
        const QByteArray pdf = reportOf(result)->pdf();
        const QString text = textOf(pdf).simplified();
        QVERIFY(text.contains(QStringLiteral("Pipeline timeline")));
        QVERIFY(text.contains(durationText(pipeline.timeline.makespan)));
        QVERIFY(text.contains(shareText(pipeline.idle.of_all_ranks())));
        QVERIFY(text.contains(QStringLiteral("Memory over a step")));
        QVERIFY(text.contains(QStringLiteral("gradients")));
        QVERIFY(said(QStringLiteral("pdfimages"), pdf, {QStringLiteral("-list")}).count(QLatin1Char('\n')) <= 2);
        QVERIFY(pdf.size() < 4'000'000);
    }
}

void TestReport::aScheduleThatIsTooLongIsNotSimulated() {
    const auto result = resultOf("pretrain-8b", {"batch.global_sequences=671088640"});
    QVERIFY(textOf(reportOf(result)->pdf()).contains(QStringLiteral("not simulated")));
}

void TestReport::figuresOfTheFirstPageHaveTheirFormula() {
    const auto result = resultOf("ten-to-25");
    const QStringList pages = pageTextsOf(reportOf(result)->pdf());
    const QString text = pages.mid(1).join(QLatin1Char(' ')).simplified();
    const QString writing = QString::fromUtf8(reportOf(result)->markdown());
    const Derivation tree = explain(*result);
    int paragraphs = 0;
    for (const char *path : {"step.seconds", "step.mfu", "run.rental_dollars", "memory.peak_bytes", "run.goodput",
                             "outer.utilisation", "cluster.total_h100_equivalents", "verdict.headroom_bytes"}) {
        const Derivation *node = find_figure(tree, path);
        QVERIFY2(node != nullptr && text.contains(titleOf(*node)), path);
        QVERIFY2(text.contains(QStringLiteral("= ") + formulaLineOf(*node).left(24).trimmed()), path);
        const QString paragraph = QString::fromStdString(paragraph_about(*node, *result));
        paragraphs += paragraph.isEmpty() ? 0 : 1;
        QVERIFY2(text.contains(paragraph.simplified()), path);
        QVERIFY2(writing.contains(paragraph.left(40)), path);
    }
    QVERIFY(paragraphs >= 4);
}

void TestReport::allSixtyFourStagesAreShown() {
    const auto result = deepPipeline();
    QCOMPARE(result->memory.stages.size(), size_t(64));
    const QByteArray pdf = reportOf(result)->pdf();
    const QString text = textOf(pdf);
    QVERIFY(text.contains(QStringLiteral("Stage 0")));
    QVERIFY(text.contains(QStringLiteral("Stage 62")));
}

void TestReport::aPlanThatDoesNotFitSaysSo() {
    const auto result = tooLarge();
    QVERIFY(!result->verdict.fits);
    const QString text = textOf(reportOf(result)->pdf());
    QVERIFY(text.contains(QStringLiteral("Does not fit")));
    QVERIFY(text.contains(QStringLiteral("GB over")));
}

void TestReport::figuresAreLinksToTheirDerivation_data() {
    QTest::addColumn<QString>("preset");
    for (const char *preset : {"ten-to-25", "deepseek-v3", "smollm-135m"})
        QTest::newRow(preset) << QString::fromLatin1(preset);
}

/// Poppler can read the document after the incremental update, and every link covers a figure on its page.
void TestReport::figuresAreLinksToTheirDerivation() {
    QFETCH(QString, preset);
    const auto result = resultOf(preset.toLatin1().constData());
    const auto report = reportOf(result);
    const QByteArray pdf = report->pdf();
    const std::vector<ReportFigure> figures = report->figures();
    // Links from the table of contents, and from the best configuration to its section.
    qsizetype links = static_cast<qsizetype>(report->sections().size());
    QSet<QString> first;
    for (const ReportFigure &figure : figures) {
        links += figure.leads ? 1 : 0;
        if (figure.page != 0)
            continue; // the appendix derives only the figures of the first page
        first.insert(figure.figure.name());
        QVERIFY2(figure.leads, qPrintable(QStringLiteral("%1 leads nowhere").arg(figure.figure.name())));
    }
    QCOMPARE(pdf.count("/Subtype /Link"), links);
    QCOMPARE(pdf.count("%%EOF"), qsizetype(2));
    QCOMPARE(pagesOf(pdf), report->pageCount()); // poppler reads it without a warning
    for (const char *path : {"verdict.headroom_bytes", "memory.peak_bytes", "memory.capacity_bytes", "step.seconds",
                             "step.mfu", "step.hfu", "run.seconds", "run.rental_dollars", "step.low_seconds",
                             "run.high_rental_dollars", "step.compute_seconds", "run.goodput"})
        QVERIFY2(first.contains(QLatin1String(path)), path);
}

void TestReport::theSameResultGivesTheSamePages() {
    const auto result = resultOf("ten-to-25");
    const auto one = std::make_unique<const Report>(gathered(result), ReportOptions());
    const auto other = std::make_unique<const Report>(gathered(result), ReportOptions());
    QCOMPARE(textOf(one->pdf()), textOf(other->pdf()));
    QCOMPARE(one->html(), other->html());
    QCOMPARE(one->markdown(), other->markdown());
    QCOMPARE(one->pageImage(0, 1), other->pageImage(0, 1));
    QCOMPARE(reportSvg(*result), reportSvg(*result));
}

void TestReport::thePictureShowsTheFirstPage() {
    const QImage image = reportOf(resultOf("ten-to-25"), sectionsNamed("summary"))->pageImage(0, 1);
    QCOMPARE(image.size(), QSize(794, 1123));
    qsizetype inked = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            inked += image.pixel(x, y) != qRgb(255, 255, 255);
    QVERIFY(inked > image.width() * image.height() / 20);
    // The margins are empty.
    for (int y = 0; y < image.height(); ++y)
        for (const int x : {0, 20, 40, image.width() - 41, image.width() - 21, image.width() - 1})
            QCOMPARE(image.pixel(x, y), qRgb(255, 255, 255));
}

void TestReport::theDrawingIsWellFormedAndDescribed() {
    for (const auto &result : {resultOf("ten-to-25"), deepPipeline()}) {
        QXmlStreamReader reader(reportSvg(*result));
        QString title, description;
        qsizetype shapes = 0;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement)
                continue;
            if (reader.name() == QStringLiteral("title"))
                title = reader.readElementText();
            else if (reader.name() == QStringLiteral("desc"))
                description = reader.readElementText();
            else if (reader.name() != QStringLiteral("g"))
                ++shapes;
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(title, QString::fromStdString(result->plan.name));
        QCOMPARE(description, QString::fromStdString(result->verdict.summary.text));
        QVERIFY(shapes > 50);
    }
}

LISTED_TEST(TestReport)
#include "tst_report.moc"
