// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/calculator.h"
#include "controls/key_figure.h"
#include "explain/explain.h"
#include "figures/figure_text.h"
#include "formulas/kernels.h"
#include "listed_test.h"
#include "report/report.h"
#include "window_fixture.h"

#include <QProcess>

#include <cmath>

using namespace meshwright;

namespace {

/// The texts that different places show for a figure.
struct Shown {
    QString inView;
    QString inExplanation;
    double inCalculator = 0;
    QString report;
};

QString textOfReport(const std::shared_ptr<const Result> &result) {
    const QTemporaryDir folder;
    const ReportChapters summary = ReportChapters().set(ReportChapter::summary);
    const Report report(gatherReport({.result = result, .version = QStringLiteral("1.2.3")}, summary),
                        {.chapters = summary});
    QFile file(folder.filePath(QStringLiteral("report.pdf")));
    if (!file.open(QIODevice::WriteOnly) || file.write(report.pdf()) <= 0)
        qFatal("no room for the report");
    file.close();
    QProcess process;
    process.start(QStringLiteral("pdftotext"),
                  {QStringLiteral("-enc"), QStringLiteral("UTF-8"), file.fileName(), QStringLiteral("-")});
    if (!process.waitForFinished() || process.exitCode() != 0)
        qFatal("%s", process.readAllStandardError().constData());
    return QString::fromUtf8(process.readAllStandardOutput());
}

Shown shown() {
    WindowFixture fixture(QStringLiteral("preset:llama3-405b-16k"));
    if (!fixture.settle())
        qFatal("no answer");
    const Result &result = *fixture.session().view().result;
    Calculator calculator(*find_formula("matrix-multiply"));
    calculator.setTexts(
        {{"rows", "8192"}, {"columns", "8192"}, {"depth", "8192"}, {"rate", "600TFLOP/s"}, {"memory_rate", "3TB/s"}});
    return {.inView = fixture.find<KeyFigure>("stepFigure")->accessibleName(),
            .inExplanation = figureText(find_figure(explain(result), "step.seconds")->value, Quantity::seconds),
            .inCalculator = calculator.value("forward_seconds")->value,
            .report = textOfReport(fixture.session().view().result)};
}

} // namespace

class TestFormulas : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void one_function_moves_view_explanation_calculator_and_report() {
        const Shown before = shown();
        const auto agree = [](const Shown &all) {
            return all.inView.contains(all.inExplanation) && all.report.contains(all.inExplanation);
        };
        QVERIFY2(agree(before), qPrintable(before.inView + QStringLiteral(" for ") + before.inExplanation));
        {
            const decltype(formula::matrix_flops)::Replacement twice(
                formula::matrix_flops,
                [](double rows, double columns, double depth) { return 4 * rows * columns * depth; });
            const Shown after = shown();
            QVERIFY2(agree(after), qPrintable(after.inView + QStringLiteral(" for ") + after.inExplanation));
            QVERIFY(!after.inView.contains(before.inExplanation));
            QVERIFY(!after.report.contains(before.inExplanation));
            QVERIFY(std::abs(after.inCalculator / before.inCalculator - 2) < 1e-9);
        }
        QCOMPARE(shown().inView, before.inView);
    }
};

LISTED_TEST(TestFormulas)
#include "tst_formulas.moc"
