// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "palette/command_palette.h"
#include "palette/fuzzy_match.h"
#include "theme/theme.h"

#include <QApplication>
#include <QLineEdit>
#include <QTest>

using namespace meshwright;

namespace {

QVector<PaletteItem> someItems(QString *ran) {
    const auto item = [ran](const QString &group, const QString &title, const QString &words = {}) {
        return PaletteItem{.group = group,
                           .title = title,
                           .detail = {},
                           .words = words,
                           .icon = QStringLiteral("calc"),
                           .run = [ran, title] { *ran = title; }};
    };
    return {item(QStringLiteral("Formulas"), QStringLiteral("Tree all-reduce")),
            item(QStringLiteral("Formulas"), QStringLiteral("Ring all-reduce"), QStringLiteral("ranks\nbandwidth")),
            item(QStringLiteral("Formulas"), QStringLiteral("Pipeline bubble"), QStringLiteral("microbatches")),
            item(QStringLiteral("Actions"), QStringLiteral("Reset Layout"))};
}

int scoreOf(const char *typed, const char *text) {
    const auto match = fuzzyMatch(QLatin1String(typed), QLatin1String(text));
    return match ? match->score : -1000;
}

} // namespace

class PaletteTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), ThemeMode::Dark); }

    void letters_are_found_in_their_order() {
        const auto match = fuzzyMatch(QStringLiteral("rar"), QStringLiteral("Ring all-reduce"));
        QVERIFY(match);
        QCOMPARE(match->positions, (QVector<int>{0, 5, 9}));
        QVERIFY(!fuzzyMatch(QStringLiteral("xyz"), QStringLiteral("Ring all-reduce")));
        QVERIFY(!fuzzyMatch(QStringLiteral("gnir"), QStringLiteral("Ring")));
        QVERIFY(fuzzyMatch(QString(), QString()));
        QVERIFY(fuzzyMatch(QStringLiteral("ALL-RED"), QStringLiteral("Ring all-reduce")));
        QVERIFY(fuzzyMatch(QStringLiteral("all red"), QStringLiteral("Ring all-reduce")));
    }

    void whole_words_and_beginnings_come_first() {
        QVERIFY(scoreOf("ring", "Ring all-reduce") > scoreOf("ring", "Rate of missing"));
        QVERIFY(scoreOf("bub", "Bubble") > scoreOf("bub", "Pipeline bubble"));
        QVERIFY(scoreOf("pb", "Pipeline bubble") > scoreOf("pb", "Spare bytes"));
    }

    void strange_text_is_searched_without_harm() {
        const QString many(100000, QLatin1Char('a'));
        QVERIFY(fuzzyMatch(QStringLiteral("aaa"), many));
        fuzzyMatch(many, many);
        fuzzyMatch(QStringLiteral("\u00e4\U0001F600"), QStringLiteral("\U0001F600\u00c4"));
    }

    void typing_chooses_and_enter_runs() {
        QString ran;
        QWidget window;
        window.resize(1280, 720);
        CommandPalette palette(&window);
        window.show();
        palette.open(someItems(&ran));
        QCOMPARE(palette.model()->rowCount(), 4);
        QTest::keyClicks(palette.field(), QStringLiteral("ring red"));
        QCOMPARE(palette.model()->itemAt(0).title, QStringLiteral("Ring all-reduce"));
        QTest::keyClick(palette.field(), Qt::Key_Return);
        QCOMPARE(ran, QStringLiteral("Ring all-reduce"));
        QVERIFY(palette.isHidden());
    }

    void arrows_move_and_escape_closes() {
        QString ran;
        QWidget window;
        window.resize(1280, 720);
        CommandPalette palette(&window);
        window.show();
        palette.open(someItems(&ran));
        QTest::keyClick(palette.field(), Qt::Key_Down);
        QTest::keyClick(palette.field(), Qt::Key_Return);
        QCOMPARE(ran, palette.model()->itemAt(1).title);
        ran.clear();
        palette.open(someItems(&ran));
        QTest::keyClick(palette.field(), Qt::Key_Escape);
        QVERIFY(palette.isHidden());
        QVERIFY(ran.isEmpty());
        palette.open(someItems(&ran));
        QTest::mouseClick(&palette, Qt::LeftButton, {}, QPoint(4, 4));
        QVERIFY(palette.isHidden());
    }

    void symbols_typed_in_full_come_before_strewn_letters() {
        QString ran;
        QVector<PaletteItem> items = someItems(&ran);
        items[0].title = QStringLiteral("Time of fused attention");
        items[1].title = QStringLiteral("Utilisation");
        items[1].words = QStringLiteral("tflops\nmfu");
        items[2].title = QStringLiteral("MFU of a run");
        QWidget window;
        CommandPalette palette(&window);
        palette.open(items);
        palette.field()->setText(QStringLiteral("MFU"));
        QCOMPARE(palette.model()->rowCount(), 3);
        QCOMPARE(palette.model()->itemAt(0).title, items.at(2).title);
        QCOMPARE(palette.model()->itemAt(1).title, items.at(1).title);
        QCOMPARE(palette.model()->itemAt(2).title, items.at(0).title);
    }

    void symbols_are_found_though_not_shown_and_nothing_runs_nothing() {
        QString ran;
        QWidget window;
        CommandPalette palette(&window);
        palette.open(someItems(&ran));
        palette.field()->setText(QStringLiteral("microbatches"));
        QCOMPARE(palette.model()->rowCount(), 1);
        QCOMPARE(palette.model()->itemAt(0).title, QStringLiteral("Pipeline bubble"));
        palette.field()->setText(QStringLiteral("qqqq"));
        QCOMPARE(palette.model()->rowCount(), 0);
        QTest::keyClick(palette.field(), Qt::Key_Return);
        QVERIFY(ran.isEmpty());
    }
};

LISTED_TEST(PaletteTest)
#include "tst_palette.moc"
