// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain.h"
#include "explain/derivation_text.h"
#include "figures/figure_text.h"
#include "report_pages.h"
#include "step/plan_pipeline.h"
#include "timeline/time_ticks.h"

#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include <nlohmann/json.hpp>

using namespace meshwright;

namespace {

constexpr QLatin1String Version("1.2.3");

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
    void aSmallPlanTakesThreePages();
    void thePipelineAndAStepsMemoryAreDrawn();
    void aScheduleThatIsTooLongIsNotSimulated();
    void everyFigureHasItsFormula();
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
    const QString information = said(QStringLiteral("pdfinfo"), reportPdf(*result, Version), {});
    QVERIFY2(information.contains(QStringLiteral("(A4)")), qPrintable(information));
    QVERIFY2(information.contains(QString::fromStdString(result->plan.name)), qPrintable(information));
    QVERIFY2(information.contains(QStringLiteral("Meshwright 1.2.3")), qPrintable(information));
}

void TestReport::fontsAreEmbeddedAndCanBeSearched() {
    const QString fonts = said(QStringLiteral("pdffonts"), reportPdf(*resultOf("ten-to-25"), Version), {});
    const QStringList lines = fonts.trimmed().split(QLatin1Char('\n')).mid(2);
    QVERIFY(lines.size() >= 2);
    for (const QString &line : lines) {
        QVERIFY2(line.contains(QStringLiteral("DejaVu")), qPrintable(line));
        // The columns after the encoding: embedded, subset, Unicode mapping.
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
    const QString text = textOf(reportPdf(*result, Version)).simplified();
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
    const QString text = textOf(reportPdf(*resultOf("ten-to-25"), Version));
    for (const QChar character : text)
        QVERIFY2(character.unicode() < 0xfb00 || character.unicode() > 0xfb06, "a ligature instead of letters");
}

/// Two pages of figures and one of the pipeline timeline and the memory over a step.
void TestReport::aSmallPlanTakesThreePages() {
    for (const char *preset : {"ten-to-25", "pretrain-8b", "llama-1b-profile", "deepseek-v3"})
        QCOMPARE(pagesBeforeFormulas(reportPdf(*resultOf(preset), Version)), 3);
}

void TestReport::thePipelineAndAStepsMemoryAreDrawn() {
    for (const char *preset : {"deepseek-v3", "pretrain-8b", "megatron-1t-2021"}) {
        const auto result = resultOf(preset);
        const PlanPipeline pipeline = simulate_pipeline(result->plan);
        const QByteArray pdf = reportPdf(*result, Version);
        const QString text = textOf(pdf).simplified();
        QVERIFY(text.contains(QStringLiteral("Pipeline timeline")));
        QVERIFY(text.contains(durationText(pipeline.timeline.makespan)));
        QVERIFY(text.contains(shareText(pipeline.timeline.bubble_of_total())));
        QVERIFY(text.contains(QStringLiteral("Memory over a step")));
        QVERIFY(text.contains(QStringLiteral("gradients")));
        QVERIFY(said(QStringLiteral("pdfimages"), pdf, {QStringLiteral("-list")}).count(QLatin1Char('\n')) <= 2);
        QVERIFY(pdf.size() < 4'000'000);
    }
}

void TestReport::aScheduleThatIsTooLongIsNotSimulated() {
    const auto result = resultOf("pretrain-8b", {"batch.global_sequences=671088640"});
    QVERIFY(textOf(reportPdf(*result, Version)).contains(QStringLiteral("not simulated")));
}

void TestReport::everyFigureHasItsFormula() {
    const auto result = resultOf("ten-to-25");
    const QByteArray pdf = reportPdf(*result, Version);
    const QString text = textOf(pdf).section(QStringLiteral("How the figures are calculated"), 1).simplified();
    const Derivation tree = explain(*result);
    for (const char *path : {"step.seconds", "step.mfu", "run.rental_dollars", "memory.peak_bytes", "run.goodput",
                             "outer.utilisation", "cluster.total_h100_equivalents", "verdict.headroom_bytes"}) {
        const Derivation *node = find_figure(tree, path);
        QVERIFY2(node != nullptr && text.contains(titleOf(*node)), path);
        QVERIFY2(text.contains(QStringLiteral("= ") + formulaLineOf(*node).left(24).trimmed()), path);
    }
    QVERIFY(pagesOf(pdf) <= 18); // includes inputs, their origins and the tensors of the simulated step
}

void TestReport::allSixtyFourStagesAreShown() {
    const auto result = deepPipeline();
    QCOMPARE(result->memory.stages.size(), size_t(64));
    const QByteArray pdf = reportPdf(*result, Version);
    QVERIFY(pagesBeforeFormulas(pdf) <= 6);
    const QString text = textOf(pdf);
    QVERIFY(text.contains(QStringLiteral("Stage 0")));
    QVERIFY(text.contains(QStringLiteral("Stage 62")));
}

void TestReport::aPlanThatDoesNotFitSaysSo() {
    const auto result = tooLarge();
    QVERIFY(!result->verdict.fits);
    const QString text = textOf(reportPdf(*result, Version));
    QVERIFY(text.contains(QStringLiteral("Does not fit")));
    QVERIFY(text.contains(QStringLiteral("GB over")));
}

void TestReport::figuresAreLinksToTheirDerivation_data() {
    QTest::addColumn<QString>("preset");
    for (const char *preset : {"ten-to-25", "deepseek-v3", "smollm-135m"})
        QTest::newRow(preset) << QString::fromLatin1(preset);
}

/// Poppler reads the document after the incremental update, and every link is on a figure of its page.
void TestReport::figuresAreLinksToTheirDerivation() {
    QFETCH(QString, preset);
    const auto result = resultOf(preset.toLatin1().constData());
    const QByteArray pdf = reportPdf(*result, Version);
    const std::vector<ReportFigure> figures = reportFigures(*result);
    QVERIFY(figures.size() > 60);
    const auto before = static_cast<std::size_t>(pagesBeforeFormulas(pdf));
    qsizetype links = 0;
    for (const ReportFigure &figure : figures) {
        links += figure.leads ? 1 : 0;
        // References of derivations have targets only if the report shows these figures.
        if (figure.page < before)
            QVERIFY2(figure.leads,
                     qPrintable(
                         QStringLiteral("%1 on page %2 leads nowhere").arg(figure.figure.name()).arg(figure.page + 1)));
    }
    QCOMPARE(pdf.count("/Subtype /Link"), links);
    QCOMPARE(pdf.count("%%EOF"), qsizetype(2));
    QVERIFY(pagesOf(pdf) >= 4); // poppler reads it without complaint
    // All figures of the first page are links, except those in the title and fields of the plan.
    QSet<QString> first;
    for (const ReportFigure &figure : figures)
        first.insert(figure.figure.name());
    for (const char *path :
         {"verdict.headroom_bytes", "memory.peak_bytes", "memory.capacity_bytes", "step.seconds", "step.mfu",
          "step.hfu", "run.seconds", "run.rental_dollars", "step.low_seconds", "run.high_rental_dollars",
          "step.compute_seconds", "memory.stages.0.total_bytes", "run.goodput", "pipeline.bubble_of_span",
          "cluster.total_h100_equivalents", "schedule.makespan_seconds"})
        QVERIFY2(first.contains(QLatin1String(path)), path);
}

void TestReport::theSameResultGivesTheSamePages() {
    const auto result = resultOf("ten-to-25");
    QCOMPARE(textOf(reportPdf(*result, Version)), textOf(reportPdf(*result, Version)));
    QCOMPARE(reportImage(*result, Version), reportImage(*result, Version));
    QCOMPARE(reportSvg(*result), reportSvg(*result));
}

void TestReport::thePictureShowsTheFirstPage() {
    const QImage image = reportImage(*resultOf("ten-to-25"), Version, 1);
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

QTEST_MAIN(TestReport)
#include "tst_report.moc"
