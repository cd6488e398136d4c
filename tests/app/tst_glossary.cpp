// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "window_fixture.h"

#include "canvases/hover_card.h"
#include "figures/field_mark.h"
#include "figures/figure_event.h"
#include "figures/figure_sentence.h"
#include "glossary/glossary.h"
#include "glossary/glossary_dialog.h"
#include "glossary/term_popup.h"
#include "glossary/term_text.h"
#include "glossary_controller.h"
#include "palette/command_palette.h"
#include "palette/palette_model.h"
#include "panels/panel_column.h"
#include "plan/plan_page.h"
#include "theme/theme.h"
#include "views/problems_card.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>

#include <algorithm>

using namespace meshwright;

namespace {

/// A plan whose warnings name terms: tensor parallelism across nodes, ZeRO, DiLoCo.
const QString planName = QStringLiteral("preset:ten-to-25");

TermPopup &popup(WindowFixture &fixture) {
    return *fixture.window().glossary()->popup();
}

GlossaryDialog &opened(WindowFixture &fixture) {
    fixture.window().glossary()->action()->trigger();
    return *fixture.window().glossary()->dialog();
}

QAction *helpItem(WindowFixture &fixture, const QString &name) {
    const QList<QAction *> menus = fixture.window().findChild<QMenuBar *>()->actions();
    for (const QAction *menu : menus)
        if (menu->menu() != nullptr && menu->text().remove(QLatin1Char('&')) == QStringLiteral("Help"))
            for (QAction *action : menu->menu()->actions())
                if (action->objectName() == name)
                    return action;
    return nullptr;
}

/// Index of the first link to a term in a sentence; -1 if there is none.
int termIn(const FigureSentence &sentence) {
    for (std::size_t i = 0; i < sentence.places().size(); ++i)
        if (std::holds_alternative<TermRef>(sentence.places()[i].target) && !sentence.areaOf(i).isEmpty())
            return static_cast<int>(i);
    return -1;
}

QString termAt(const FigureSentence &sentence, int place) {
    return std::get<TermRef>(sentence.places()[static_cast<std::size_t>(place)].target).id;
}

/// Returns the sentence of a problem that links a term.
FigureSentence *problemWithTerm(WindowFixture &fixture) {
    ProblemsCard *problems = fixture.window().view<PlanPage>()->problems();
    const QList<FigureSentence *> sentences = problems->findChildren<FigureSentence *>();
    for (FigureSentence *sentence : sentences)
        if (sentence->isVisible() && termIn(*sentence) >= 0)
            return sentence;
    return nullptr;
}

void press(FigureSentence *sentence, int place) {
    QTest::mouseClick(sentence, Qt::LeftButton, {}, sentence->areaOf(static_cast<std::size_t>(place)).center());
}

/// Moves to a link with the arrow keys, as a user does.
void walkTo(FigureSentence *sentence, int place) {
    const FigureTarget wanted = sentence->places()[static_cast<std::size_t>(place)].target;
    sentence->setFocus(Qt::TabFocusReason);
    for (std::size_t i = 0; i < sentence->places().size(); ++i)
        QTest::keyClick(sentence, Qt::Key_Left);
    for (std::size_t i = 0; i < sentence->places().size() && !(sentence->currentTarget() == wanted); ++i)
        QTest::keyClick(sentence, Qt::Key_Right);
    QVERIFY(sentence->currentTarget() == wanted);
}

} // namespace

class GlossaryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void it_opens_by_its_key() {
        WindowFixture fixture;
        QTest::keyClick(&fixture.window(), Qt::Key_F1, Qt::ShiftModifier);
        QVERIFY(fixture.window().glossary()->dialog() != nullptr);
    }

    void it_opens_from_the_help_menu() {
        WindowFixture fixture;
        QAction *item = helpItem(fixture, QStringLiteral("glossaryAction"));
        QVERIFY(item != nullptr && item->isEnabled());
        QVERIFY(fixture.window().glossary()->dialog() == nullptr);
        item->trigger();
        GlossaryDialog *dialog = fixture.window().glossary()->dialog();
        QVERIFY(dialog != nullptr && dialog->isVisible() && !dialog->isModal());
        QCOMPARE(dialog->list()->model()->rowCount(), static_cast<int>(Glossary::standard().terms().size()));
        QVERIFY(!dialog->card()->termId().isEmpty());
        item->trigger(); // a second trigger shows the same window
        QCOMPARE(fixture.window().glossary()->dialog(), dialog);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(fixture.window().glossary()->dialog() == nullptr);
    }

    void what_is_typed_is_found_by_name_alias_and_definition() {
        WindowFixture fixture;
        GlossaryDialog &dialog = opened(fixture);
        const auto first = [&](const char *typed) {
            dialog.field()->setText(QString::fromLatin1(typed));
            return dialog.list()->model()->rowCount() > 0 ? dialog.card()->termId() : QString();
        };
        QCOMPARE(first("MFU"), QStringLiteral("mfu"));
        QCOMPARE(first("tp"), QStringLiteral("tensor-parallelism"));
        QCOMPARE(first("all reduce"), QStringLiteral("all-reduce"));
        QCOMPARE(first("ALL-REDUCE"), QStringLiteral("all-reduce"));
        QCOMPARE(first("activation checkpointing"), QStringLiteral("recomputation"));
        QCOMPARE(first("entropy of the text"), QStringLiteral("irreducible-loss"));
        QCOMPARE(first("no such term"), QString());
        QVERIFY(!dialog.card()->isVisible());
        QVERIFY(dialog.findChild<QLabel *>(QStringLiteral("glossaryNothing"))->isVisible());
        dialog.field()->clear();
        QVERIFY(dialog.card()->isVisible());
        QCOMPARE(dialog.list()->model()->rowCount(), static_cast<int>(Glossary::standard().terms().size()));
    }

    void the_keyboard_is_enough() {
        WindowFixture fixture;
        GlossaryDialog &dialog = opened(fixture);
        dialog.field()->setFocus();
        QTest::keyClicks(dialog.field(), QStringLiteral("zero"));
        const QString best = dialog.card()->termId();
        QTest::keyClick(dialog.field(), Qt::Key_Down);
        QVERIFY(dialog.card()->termId() != best);
        QTest::keyClick(dialog.field(), Qt::Key_Up);
        QCOMPARE(dialog.card()->termId(), best);
        QTest::keyClick(dialog.field(), Qt::Key_Return); // Enter moves to the list and keeps the window open
        QVERIFY(dialog.isVisible());
        QTest::keyClick(dialog.list(), Qt::Key_Down);
        QVERIFY(dialog.card()->termId() != best);
        FigureSentence *related = dialog.card()->related();
        QCOMPARE(related->focusPolicy(), Qt::TabFocus);
        walkTo(related, 0);
        const QString next = termAt(*related, 0);
        QTest::keyClick(related, Qt::Key_Return);
        QCOMPARE(dialog.card()->termId(), next);
    }

    void related_terms_and_terms_of_a_definition_open_in_the_dialog() {
        WindowFixture fixture;
        GlossaryDialog &dialog = opened(fixture);
        dialog.showTerm(QStringLiteral("zero-1"));
        FigureSentence *related = dialog.card()->related();
        QCoreApplication::processEvents();
        QVERIFY(termIn(*related) >= 0);
        const QString next = termAt(*related, 0);
        press(related, 0);
        QCOMPARE(dialog.card()->termId(), next);
        QCOMPARE(dialog.list()->currentIndex().data(Qt::DisplayRole).toString(),
                 glossaryText(Glossary::standard().find(next.toStdString())->term));
        dialog.field()->setText(QStringLiteral("quorum")); // this filter hides ZeRO-1, but showTerm() shows it
        dialog.showTerm(QStringLiteral("zero-1"));
        QCOMPARE(dialog.card()->termId(), QStringLiteral("zero-1"));
        FigureSentence *definition = dialog.card()->definition();
        QCoreApplication::processEvents();
        const int place = termIn(*definition);
        QVERIFY2(place >= 0, qPrintable(definition->text()));
        const QString named = termAt(*definition, place);
        QVERIFY(named != QStringLiteral("zero-1"));
        press(definition, place);
        QCOMPARE(dialog.card()->termId(), named);
        QVERIFY(!popup(fixture).isVisible());
    }

    void a_field_in_a_card_leads_to_the_plan() {
        WindowFixture fixture;
        GlossaryDialog &dialog = opened(fixture);
        dialog.showTerm(QStringLiteral("tensor-parallelism"));
        QCoreApplication::processEvents();
        auto *fields = dialog.findChild<FigureSentence *>(QStringLiteral("glossaryFields"));
        QCOMPARE(fields->text(),
                 fixture.window().findChild<PanelColumn *>()->nameOf(QStringLiteral("/parallelism/tensor")));
        press(fields, 0);
        QVERIFY(fixture.window().view<PlanPage>()->isVisible());
        const QWidget *focused = fixture.window().focusWidget();
        QVERIFY(focused != nullptr);
        QCOMPARE(fieldOf(markedField(const_cast<QWidget *>(focused))), QStringLiteral("/parallelism/tensor"));
    }

    void a_term_in_a_problem_opens_its_card_by_mouse() {
        WindowFixture fixture(planName);
        FigureSentence *sentence = problemWithTerm(fixture);
        QVERIFY(sentence != nullptr);
        const int place = termIn(*sentence);
        QVERIFY(!popup(fixture).isVisible());
        press(sentence, place);
        QVERIFY(popup(fixture).isVisible());
        QCOMPARE(popup(fixture).card()->termId(), termAt(*sentence, place));
        QTest::keyClick(&popup(fixture), Qt::Key_Escape);
        QVERIFY(!popup(fixture).isVisible());
    }

    void a_term_in_a_problem_opens_its_card_by_key() {
        WindowFixture fixture(planName);
        FigureSentence *sentence = problemWithTerm(fixture);
        QVERIFY(sentence != nullptr);
        const int place = termIn(*sentence);
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_F1}) {
            walkTo(sentence, place);
            QTest::keyClick(sentence, key);
            QVERIFY(popup(fixture).isVisible());
            QCOMPARE(popup(fixture).card()->termId(), termAt(*sentence, place));
            popup(fixture).hide();
        }
        QVERIFY(!sentence->accessibleDescription().isEmpty());
    }

    void pointing_at_a_term_shows_its_definition() {
        WindowFixture fixture(planName);
        FigureSentence *sentence = problemWithTerm(fixture);
        QVERIFY(sentence != nullptr);
        const int place = termIn(*sentence);
        const QPoint at = sentence->areaOf(static_cast<std::size_t>(place)).center();
        QHelpEvent pointed(QEvent::ToolTip, at, sentence->mapToGlobal(at));
        QCoreApplication::sendEvent(sentence, &pointed);
        const QList<HoverCard *> cards = fixture.window().findChildren<HoverCard *>();
        const auto shown =
            std::find_if(cards.begin(), cards.end(), [](const HoverCard *card) { return card->isVisible(); });
        QVERIFY(shown != cards.end());
        const GlossaryTerm *term = Glossary::standard().find(termAt(*sentence, place).toStdString());
        QCOMPARE((*shown)->content().title, glossaryText(term->term));
        QCOMPARE((*shown)->content().footnote, glossaryText(term->definition));
        QEvent left(QEvent::Leave);
        QCoreApplication::sendEvent(sentence, &left);
        QVERIFY(!(*shown)->isVisible());
    }

    void the_popup_leads_on_and_into_the_glossary() {
        WindowFixture fixture;
        fixture.window().glossary()->showCard(QStringLiteral("mfu"), &fixture.window(), QRect(400, 300, 40, 16));
        TermPopup &card = popup(fixture);
        QVERIFY(card.isVisible());
        QVERIFY(card.accessibleName().contains(QStringLiteral("MFU")));
        QVERIFY(card.accessibleDescription().contains(QStringLiteral("peak")));
        FigureSentence *related = card.card()->related();
        QCoreApplication::processEvents();
        QVERIFY(termIn(*related) >= 0);
        const QString next = termAt(*related, 0);
        press(related, 0);
        QVERIFY(card.isVisible());
        QCOMPARE(card.card()->termId(), next);
        card.findChild<QPushButton *>(QStringLiteral("openInGlossary"))->click();
        QVERIFY(!card.isVisible());
        QCOMPARE(fixture.window().glossary()->dialog()->card()->termId(), next);
    }

    void the_popup_stays_on_the_screen_and_shows_all_of_its_text() {
        WindowFixture fixture;
        const QRect screen = fixture.window().screen()->availableGeometry();
        for (const QPoint corner : {QPoint(0, 0), QPoint(1590, 0), QPoint(0, 990), QPoint(1590, 990)}) {
            fixture.window().glossary()->showCard(QStringLiteral("update-quantization"), &fixture.window(),
                                                  QRect(corner, QSize(8, 8)));
            QVERIFY(screen.adjusted(-16, -16, 16, 16).contains(popup(fixture).geometry()));
            const QList<FigureSentence *> sentences = popup(fixture).findChildren<FigureSentence *>();
            for (const FigureSentence *sentence : sentences)
                if (sentence->isVisible())
                    QVERIFY2(sentence->height() >= sentence->heightForWidth(sentence->width()),
                             qPrintable(sentence->objectName()));
            popup(fixture).hide();
        }
    }

    void f1_on_a_plan_field_opens_the_term_that_explains_it_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("term");
        QTest::newRow("slider's box") << QStringLiteral("/parallelism/tensor") << QStringLiteral("tensor-parallelism");
        QTest::newRow("integer") << QStringLiteral("/batch/global_sequences") << QStringLiteral("global-batch-size");
        QTest::newRow("choice") << QStringLiteral("/recompute/mode") << QStringLiteral("recomputation");
        QTest::newRow("searchable choice")
            << QStringLiteral("/parallelism/schedule") << QStringLiteral("pipeline-schedule");
        QTest::newRow("toggle") << QStringLiteral("/parallelism/sequence_parallel")
                                << QStringLiteral("sequence-parallelism");
        QTest::newRow("quantity") << QStringLiteral("/run/tokens") << QStringLiteral("training-tokens");
        QTest::newRow("link") << QStringLiteral("/cluster/wan/round_trip_seconds") << QStringLiteral("round-trip-time");
    }
    void f1_on_a_plan_field_opens_the_term_that_explains_it() {
        QFETCH(QString, field);
        QFETCH(QString, term);
        WindowFixture fixture;
        auto *panels = fixture.window().findChild<PanelColumn *>();
        QVERIFY2(panels->hasField(field), qPrintable(field));
        panels->focusField(field);
        QWidget *focused = QApplication::focusWidget();
        QVERIFY(focused != nullptr);
        QTest::keyClick(focused, Qt::Key_F1);
        QVERIFY2(popup(fixture).isVisible(), focused->metaObject()->className());
        QCOMPARE(popup(fixture).card()->termId(), term);
    }

    void f1_on_the_label_of_a_field_explains_it_too() {
        WindowFixture fixture;
        auto *panels = fixture.window().findChild<PanelColumn *>();
        panels->focusField(QStringLiteral("/run/tokens")); // focusing the field opens its section
        QWidget *row = markedField(QApplication::focusWidget());
        while (row != nullptr && row->findChildren<QLabel *>().isEmpty())
            row = row->parentWidget();
        QVERIFY(row != nullptr);
        auto *label = row->findChild<QLabel *>();
        QCOMPARE(fieldOf(markedField(label)), QStringLiteral("/run/tokens"));
    }

    void f1_on_a_figure_still_shows_its_derivation() {
        WindowFixture fixture;
        auto *summary = fixture.find<FigureSentence>("statusSummary");
        QVERIFY(summary != nullptr);
        summary->setFocus();
        QTest::keyClick(summary, Qt::Key_F1);
        QVERIFY(!popup(fixture).isVisible());
    }

    void fields_of_panels_have_tool_tips_of_the_glossary_where_they_have_none() {
        const QString tip = fieldToolTip(QStringLiteral("/parallelism/tensor"));
        QVERIFY(tip.startsWith(QStringLiteral("Splits the weight matrices")));
        for (const QString &line : tip.split(QLatin1Char('\n')))
            QVERIFY(line.size() <= 80);
        // Only the section that contains the field has a term.
        QVERIFY(fieldToolTip(QStringLiteral("/cluster/tiers/0/name")).isEmpty());
        QVERIFY(fieldToolTip(QString()).isEmpty());
    }

    void sentences_mark_each_term_once_and_never_over_a_figure() {
        const SentenceText marked = withTerms(
            filled(QStringLiteral("MFU is %1, MFU × peak; é all-reduces"), said(QStringLiteral("TP 8"), "step.mfu")));
        QCOMPARE(marked.figures.size(), std::size_t(3));
        const auto text = [&](std::size_t i) {
            return marked.text.mid(marked.figures[i].begin, marked.figures[i].length);
        };
        QCOMPARE(text(0), QStringLiteral("MFU"));
        QCOMPARE(std::get<TermRef>(marked.figures[0].target).id, QStringLiteral("mfu"));
        QCOMPARE(text(1), QStringLiteral("TP 8"));
        QCOMPARE(figureOf(marked.figures[1].target).name(), QStringLiteral("step.mfu"));
        QCOMPARE(text(2), QStringLiteral("all-reduces"));
        QCOMPARE(withTerms(marked), marked);
        QVERIFY(withTerms(QStringLiteral("MFU"), {QStringLiteral("mfu")}).figures.empty());
        QVERIFY(withTerms(QString()).figures.empty());
    }

    void the_palette_finds_terms_after_what_belongs_to_the_plan() {
        WindowFixture fixture;
        fixture.window().find();
        CommandPalette *palette = fixture.window().commandPalette();
        palette->field()->setText(QStringLiteral("Pareto front"));
        QCOMPARE(palette->model()->itemAt(0).group, QStringLiteral("Glossary"));
        QVERIFY(qobject_cast<GlossaryCard *>(palette->preview()) != nullptr);
        palette->runChosen();
        QCOMPARE(fixture.window().glossary()->dialog()->card()->termId(), QStringLiteral("pareto-front"));
        fixture.window().find();
        palette->field()->setText(QStringLiteral("straggler"));
        QCOMPARE(palette->model()->itemAt(0).group, QStringLiteral("Formulas"));
        palette->close();
    }

    void everything_has_a_name_in_both_themes() {
        WindowFixture fixture;
        GlossaryDialog &dialog = opened(fixture);
        dialog.showTerm(QStringLiteral("update-quantization"));
        for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
            Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), mode);
            QCoreApplication::processEvents();
            const QImage picture = dialog.grab().toImage();
            QVERIFY(!picture.isNull());
            const QList<QWidget *> widgets = dialog.findChildren<QWidget *>();
            for (QWidget *widget : widgets)
                if (widget->isVisible() && widget->focusPolicy() != Qt::NoFocus
                    && !widget->objectName().startsWith(QLatin1String("qt_")) && widget->focusProxy() == nullptr)
                    if (QAccessibleInterface *accessible = QAccessible::queryAccessibleInterface(widget);
                        accessible != nullptr && accessible->role() != QAccessible::Client
                        && qobject_cast<QAbstractScrollArea *>(widget) == nullptr)
                        QVERIFY2(!accessible->text(QAccessible::Name).isEmpty(),
                                 qPrintable(QLatin1String(widget->metaObject()->className()) + widget->objectName()));
            QVERIFY(
                contrast(
                    dialog.findChild<QLabel *>(QStringLiteral("glossaryTerm"))->palette().color(QPalette::WindowText),
                    Theme::current().colour(ColourRole::Panel))
                > 4.5);
        }
    }

    void texts_are_shown_as_text() {
        WindowFixture fixture;
        GlossaryDialog &dialog = opened(fixture);
        const QList<QLabel *> labels = dialog.findChildren<QLabel *>();
        for (const QLabel *label : labels)
            QCOMPARE(label->textFormat(), Qt::PlainText);
    }
};

LISTED_TEST(GlossaryTest)
#include "tst_glossary.moc"
