// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/complete_result.h"
#include "calculators/calculation_text.h"
#include "calculators/calculators_view.h"
#include "calculators/formula_curve.h"
#include "calculators/plan_values.h"
#include "catalog/library.h"
#include "charts/xy_chart.h"
#include "controls/text_label.h"
#include "explain/explain.h"
#include "explain/formula_layout.h"
#include "listed_test.h"
#include "pictures/formula_picture.h"
#include "pictures/picture_view.h"
#include "plan/plan_json.h"
#include "theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <nlohmann/json.hpp>

#include <cmath>

using namespace meshwright;

namespace {

QString idOf(const Formula &formula) {
    return QString::fromStdString(std::string(formula.id));
}

QLineEdit *field(CalculatorCard &card, const char *symbol) {
    return card.findChild<QLineEdit *>(QLatin1String(symbol));
}

QString shown(CalculatorCard &card, const char *label) {
    return card.findChild<TextLabel *>(QLatin1String(label))->text();
}

void type(QLineEdit *edit, const QString &text) {
    edit->selectAll();
    QTest::keyClicks(edit, text);
}

bool isClose(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

} // namespace

class CalculatorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), ThemeMode::Dark); }

    void every_formula_opens_with_values_that_give_a_result() {
        for (const Formula &formula : formulas()) {
            const Calculator calculator(formula);
            QVERIFY2(calculator.calculation().has_value(),
                     qPrintable(idOf(formula) + QLatin1Char(' ')
                                + calculator.problem().value_or(Calculator::Problem{}).text));
        }
    }

    void every_curve_runs_through_the_present_value() {
        for (const Formula &formula : formulas()) {
            const Calculator calculator(formula);
            for (const Calculation::Value &value : calculator.calculation()->values) {
                for (const Symbol *symbol : curveSymbols(formula, *value.result)) {
                    const ChartView view = formulaCurve(*calculator.calculation(), value, *symbol);
                    const double x = calculator.calculation()->arguments.find(symbol->name)->second;
                    const auto drawn = valueOf(view.series.first(), x, view.x);
                    const QByteArray what =
                        (idOf(formula) + QLatin1Char('/') + QString::fromStdString(std::string(symbol->name))).toUtf8();
                    QVERIFY2(drawn.has_value(), what.constData());
                    QVERIFY2(isClose(*drawn, value.value), what.constData());
                    QVERIFY2(view.x.high > view.x.low && view.y.high > view.y.low, what.constData());
                    QVERIFY2(view.x.low >= symbol->low - 1e-9 * std::abs(symbol->low), what.constData());
                }
            }
        }
    }

    void formulas_stay_within_the_width_that_they_have() {
        for (const qreal width : {280.0, 340.0, 420.0})
            for (const Formula &formula : formulas())
                for (const FormulaResult &result : formula.results) {
                    const std::optional<FormulaPart> part = letteredFormula(formula, result);
                    if (!part)
                        continue;
                    const FormulaLayout layout(QString::fromUtf8(result.letter.data(), qsizetype(result.letter.size())),
                                               *part, {}, Theme::of(nullptr), width);
                    QVERIFY2(layout.size().width() <= width,
                             qPrintable(idOf(formula) + QStringLiteral(": %1").arg(layout.size().width())));
                }
    }

    void a_key_in_a_field_changes_value_numbers_and_curve_at_once() {
        CalculatorsView view;
        CalculatorCard *card = view.openFormula(QStringLiteral("ring-all-reduce"));
        QVERIFY(card != nullptr);
        card->chooseResult("seconds");
        type(field(*card, "ranks"), QStringLiteral("8"));
        type(field(*card, "bytes"), QStringLiteral("2 GB"));
        type(field(*card, "bandwidth"), QStringLiteral("400 Gb/s"));
        type(field(*card, "latency"), QStringLiteral("5 us"));
        QCOMPARE(shown(*card, "calculatorValue"), QStringLiteral("70.1"));
        QVERIFY(shown(*card, "calculatorNumbers").contains(QStringLiteral("(8 − 1) ÷ 8")));
        const ChartView before = card->findChild<XyChart *>()->view();
        QCOMPARE(before.marks.first().at.x(), 8.0);
        type(field(*card, "ranks"), QStringLiteral("16"));
        QCOMPARE(card->findChild<XyChart *>()->view().marks.first().at.x(), 16.0);
    }

    void what_is_wrong_stands_under_its_field() {
        CalculatorsView view;
        CalculatorCard *card = view.openFormula(QStringLiteral("ring-all-reduce"));
        for (const char *text : {"many", "-3", "2.5", "8 GB", ""}) {
            type(field(*card, "ranks"), QString());
            field(*card, "ranks")->clear();
            Q_EMIT field(*card, "ranks")->textEdited({});
            QTest::keyClicks(field(*card, "ranks"), QLatin1String(text));
            const bool empty = QLatin1String(text).isEmpty();
            QCOMPARE(field(*card, "ranks")->accessibleDescription().isEmpty(), empty);
            QCOMPARE(shown(*card, "calculatorValue"), QStringLiteral("–"));
            QVERIFY(!field(*card, "ranks")->accessibleDescription().contains(QLatin1Char('\n')));
        }
        type(field(*card, "ranks"), QStringLiteral("4"));
        QVERIFY(field(*card, "ranks")->accessibleDescription().isEmpty());
        QVERIFY(shown(*card, "calculatorValue") != QStringLiteral("–"));
    }

    void several_stand_side_by_side_and_come_back() {
        CalculatorsView view;
        view.resize(1600, 900);
        for (const char *id : {"ring-all-reduce", "compute-optimal", "pipeline-bubble"})
            QVERIFY(view.openFormula(QLatin1String(id)) != nullptr);
        QVERIFY(view.openFormula(QStringLiteral("no-such-formula")) == nullptr);
        QCOMPARE(view.openFormula(QStringLiteral("compute-optimal")), view.cards().at(1));
        QCOMPARE(view.cards().size(), std::size_t{3});
        view.cards().front()->setText("stages", QStringLiteral("16"));
        CalculatorsView again;
        again.restore(view.state());
        QCOMPARE(again.state(), view.state());
        QSignalSpy spy(&view, &CalculatorsView::stateChanged);
        view.cards().at(1)->findChild<QToolButton *>(QStringLiteral("closeCalculator"))->click();
        QCOMPARE(view.cards().size(), std::size_t{2});
        QVERIFY(spy.count() > 0);
        view.closeAll();
        QVERIFY(view.cards().empty());
    }

    void a_strange_state_is_left_out() {
        CalculatorsView view;
        view.restore({QString(), QStringLiteral("{"), QStringLiteral("[]"), QStringLiteral("{\"formula\":7}"),
                      QStringLiteral("{\"formula\":\"gone\"}"),
                      QStringLiteral("{\"formula\":\"all-to-all\",\"result\":\"gone\",\"against\":3,"
                                     "\"values\":{\"gone\":\"1\",\"ranks\":[2],\"bytes\":\"x\"}}")});
        QCOMPARE(view.cards().size(), std::size_t{1});
    }

    void the_plan_gives_values_with_the_result_that_it_has_itself() {
        const Library &library = Library::standard();
        int places = 0;
        for (const char *name : {"ten-to-25", "deepseek-v3", "llama3-405b-16k", "smollm-135m"}) {
            const Plan plan = read_plan(library.json(PresetKind::plan, name), library).plan;
            const Derivation tree = explain(complete_result(plan));
            for (const Formula &formula : formulas()) {
                for (const PlanValues &place : valuesFromPlan(tree, formula)) {
                    Calculator calculator(formula);
                    calculator.setTexts(place.texts);
                    QVERIFY2(calculator.calculation().has_value(), qPrintable(idOf(formula)));
                    for (const Calculation::Value &value : calculator.calculation()->values)
                        QVERIFY2(!numbersLineOf(value).isEmpty(), qPrintable(idOf(formula)));
                    if (!place.result.empty()) {
                        const Calculation::Value *value = calculator.value(place.result);
                        QVERIFY2(value != nullptr, qPrintable(idOf(formula)));
                        QVERIFY2(std::abs(value->value - place.number) <= 1e-9 * std::abs(place.number),
                                 qPrintable(idOf(formula)));
                    }
                    ++places;
                }
            }
        }
        QVERIFY2(places > 10, qPrintable(QString::number(places)));
    }

    void a_picture_shows_the_formula_with_its_values_data() {
        QTest::addColumn<QString>("picture");
        QTest::newRow("ring-all-reduce") << QStringLiteral("ring");
        QTest::newRow("naive-all-reduce") << QStringLiteral("naive");
        QTest::newRow("tree-all-reduce") << QStringLiteral("tree");
        QTest::newRow("hierarchical-all-reduce") << QStringLiteral("hierarchical");
        QTest::newRow("tensor-shard") << QStringLiteral("column-split");
        QTest::newRow("tensor-all-reduce") << QStringLiteral("row-split");
        QTest::newRow("zero-memory") << QStringLiteral("zero");
        QTest::newRow("overlap") << QStringLiteral("overlap");
        QTest::newRow("bucket-overlap") << QStringLiteral("overlap");
    }
    void a_picture_shows_the_formula_with_its_values() {
        QFETCH(QString, picture);
        CalculatorsView view;
        const CalculatorCard *card = view.openFormula(QLatin1String(QTest::currentDataTag()));
        const auto *shown = card->findChild<FormulaPicture *>();
        QVERIFY(shown->isVisibleTo(card) && shown->view() != nullptr);
        QCOMPARE(QString::fromStdString(shown->view()->picture().name), picture);
        // Arguments with the same name have the same values, unless there are too many to draw.
        for (const auto &[name, value] : card->calculator().calculation()->arguments)
            if (const auto found = shown->view()->picture().parameters.find(name);
                found != shown->view()->picture().parameters.end() && picture != QLatin1String("hierarchical"))
                QCOMPARE(found->second, value);
    }

    void a_picture_draws_as_many_ranks_as_it_can_and_says_so() {
        CalculatorsView view;
        CalculatorCard *ring = view.openFormula(QStringLiteral("ring-all-reduce"));
        const auto *picture = ring->findChild<FormulaPicture *>();
        const auto *note = picture->findChild<TextLabel *>(QStringLiteral("pictureNote"));
        QVERIFY(!note->isVisibleTo(picture));
        type(field(*ring, "ranks"), QStringLiteral("1024"));
        QCOMPARE(picture->view()->picture().parameters.at("ranks"), 16.0);
        QVERIFY(note->isVisibleTo(picture));
        QCOMPARE(note->text(), QStringLiteral("Drawn with 16 of 1,024 ranks; all figures are for 16 ranks."));
        type(field(*ring, "ranks"), QStringLiteral("1"));
        QVERIFY(!picture->isVisibleTo(ring));
        type(field(*ring, "ranks"), QStringLiteral("4"));
        QVERIFY(picture->isVisibleTo(ring) && !note->isVisibleTo(picture));
        QCOMPARE(picture->view()->picture().parameters.at("ranks"), 4.0);
        type(field(*ring, "bandwidth"), QStringLiteral("none"));
        QVERIFY(!picture->isVisibleTo(ring));

        CalculatorCard *tiers = view.openFormula(QStringLiteral("hierarchical-all-reduce"));
        const auto drawn = [tiers](const char *ranks, const char *nodes) {
            type(field(*tiers, "ranks_per_node"), QLatin1String(ranks));
            type(field(*tiers, "nodes"), QLatin1String(nodes));
            const auto &parameters = tiers->findChild<FormulaPicture *>()->view()->picture().parameters;
            return std::pair(parameters.at("ranks_per_node"), parameters.at("nodes"));
        };
        QCOMPARE(drawn("8", "2"), std::pair(8.0, 2.0));
        QCOMPARE(drawn("8", "128"), std::pair(4.0, 4.0));
        QCOMPARE(drawn("2", "128"), std::pair(2.0, 8.0));
        QCOMPARE(drawn("64", "1"), std::pair(16.0, 1.0));
        QCOMPARE(drawn("8", "3"), std::pair(5.0, 3.0));

        CalculatorCard *overlap = view.openFormula(QStringLiteral("overlap"));
        type(field(*overlap, "layers"), QStringLiteral("128"));
        type(field(*overlap, "backward_seconds"), QStringLiteral("2"));
        const Picture &layers = overlap->findChild<FormulaPicture *>()->view()->picture();
        QCOMPARE(layers.parameters.at("layers"), 64.0);
        QCOMPARE(layers.parameters.at("backward_seconds"), 1.0);
    }

    void numbers_are_as_long_as_one_reads() {
        const Calculation::Value value{nullptr, 0, "3.14159265358979 * 2 + 1234567.8912345 / 12.5"};
        QCOMPARE(numbersLineOf(value), QStringLiteral("3.141593 × 2 + 1234568 ÷ 12.5"));
    }

    void copies_say_value_formula_numbers_and_source() {
        for (const Formula &formula : formulas()) {
            const Calculator calculator(formula);
            const QString source = QString::fromStdString(std::string(formula.source));
            for (const CopyFormat format : {CopyFormat::Text, CopyFormat::Markdown, CopyFormat::Latex}) {
                const QString text = copyOf(*calculator.calculation(), format);
                QVERIFY2(text.contains(source), qPrintable(idOf(formula)));
                QVERIFY2(text.count(QLatin1Char('{')) == text.count(QLatin1Char('}')), qPrintable(text));
            }
        }
    }
};

LISTED_TEST(CalculatorsTest)
#include "tst_calculators.moc"
