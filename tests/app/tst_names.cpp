// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "controls/text_label.h"
#include "every_page.h"
#include "lessons/lesson_text.h"
#include "listed_test.h"
#include "plan/plan_json.h"
#include "plan_title.h"

#include <QApplication>
#include <QHelpEvent>
#include <QInputDialog>
#include <QMessageBox>
#include <QTest>
#include <QTextEdit>
#include <QToolTip>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

constexpr const char *markup = "<img src='/nonexistent.png'><b>bold</b> & <a href='x'>link</a>";

/// JSON pointers to all strings of a document.
void collectTexts(const ordered_json &value, const ordered_json::json_pointer &at,
                  std::vector<ordered_json::json_pointer> &found) {
    if (value.is_object())
        for (const auto &item : value.items())
            collectTexts(item.value(), at / item.key(), found);
    else if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i)
            collectTexts(value[i], at / i, found);
    else if (value.is_string())
        found.push_back(at);
}

/// A plan without presets that names everything that can have a name.
ordered_json spelledOut() {
    const Library &library = Library::standard();
    ordered_json plan = library.json(PresetKind::plan, "ten-to-25");
    plan["model"] = library.json(PresetKind::model, plan["model"].get<std::string>());
    plan["stack"] = library.json(PresetKind::stack, plan["stack"].get<std::string>());
    ordered_json &accelerator = plan["cluster"]["accelerator"];
    accelerator = library.json(PresetKind::accelerator, accelerator.get<std::string>());
    plan["cluster"]["name"] = "x";
    plan["cluster"]["sites"] = 3;
    plan["outer"]["quorum"] = 2;
    plan["outer"]["fragments"] = 4;
    plan["notes"] = "x";
    plan["snapshots"] = {{{"name", markup}, {"time", "2026-01-01T00:00:00Z"}, {"plan", plan}}};
    return plan;
}

/// The same plan with markup in every free text.
ordered_json planOfMarkup(std::size_t &names) {
    ordered_json plan = spelledOut();
    std::vector<ordered_json::json_pointer> texts;
    collectTexts(plan, ordered_json::json_pointer(), texts);
    names = 0;
    for (const ordered_json::json_pointer &at : texts) {
        ordered_json changed = plan;
        changed[at] = markup;
        if (!read_plan(changed, Library::standard()).valid())
            continue;
        plan = std::move(changed);
        ++names;
    }
    return plan;
}

/// The label that Qt shows tool tips in.
const QLabel *tipLabel() {
    const QWidgetList windows = QApplication::topLevelWidgets();
    for (const QWidget *window : windows)
        if (window->inherits("QTipLabel") && window->isVisible())
            return qobject_cast<const QLabel *>(window);
    return nullptr;
}

int labelsWithMarkup() {
    int found = 0;
    const QWidgetList widgets = QApplication::allWidgets();
    for (const QWidget *widget : widgets) {
        const auto *label = qobject_cast<const QLabel *>(widget);
        if (label == nullptr || !label->isVisible())
            continue;
        found += label->text().contains(QLatin1String("<img")) ? 1 : 0;
        const bool isPlain = label->textFormat() == Qt::PlainText;
        // The program's own markup, with escaped names from a document.
        const bool isEscaped = label->textFormat() == Qt::RichText && !label->text().contains(QLatin1String("<img"));
        if (!isPlain && !isEscaped)
            qWarning("a label may read markup: %s", qPrintable(label->text().left(100)));
        if (!isPlain && !isEscaped)
            return -1;
    }
    return found;
}

/// Hovers every widget whose tool tip contains markup. @returns their number; -1 if a tool tip would interpret it
int tipsWithMarkup(MainWindow &window) {
    int found = 0;
    const QList<QWidget *> widgets = window.findChildren<QWidget *>();
    for (QWidget *widget : widgets) {
        if (!widget->isVisible() || !widget->toolTip().contains(QLatin1String("<img")))
            continue;
        const QPoint middle = widget->rect().center();
        QHelpEvent hover(QEvent::ToolTip, middle, widget->mapToGlobal(middle));
        QApplication::sendEvent(widget, &hover);
        const QLabel *tip = tipLabel();
        if (tip != nullptr && tip->textFormat() != Qt::PlainText)
            return -1;
        found += tip != nullptr ? 1 : 0;
    }
    QToolTip::hideText();
    return found;
}

} // namespace

/// Names in a document are plain text: interpreted as markup, they could load files and show anything.
class NamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_page_shows_a_plans_names_as_text() {
        WindowFixture fixture;
        std::size_t names = 0;
        fixture.write(QStringLiteral("markup.json"), planOfMarkup(names));
        QVERIFY2(names > 20, "names, notes, sources and descriptions are free");
        fixture.window().openAtStart(fixture.file(QStringLiteral("markup.json")));
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().result->plan.name, std::string(markup));
        int labels = 0;
        int tips = 0;
        showEachPage(fixture, [&](const QString &page) {
            const int shown = labelsWithMarkup();
            const int hovered = tipsWithMarkup(fixture.window());
            QVERIFY2(shown >= 0 && hovered >= 0, qPrintable(page));
            for (const QTextEdit *markedUp : fixture.window().findChildren<QTextEdit *>())
                QVERIFY2(qobject_cast<const LessonText *>(markedUp) != nullptr, "which shows markup as such");
            labels += shown;
            tips += hovered;
        });
        QVERIFY2(labels > 0, "the title says the name on every page");
        QVERIFY2(tips > 0, "and its tool tip");
    }

    void a_label_is_plain_before_it_is_shown() {
        const TextLabel label{QLatin1String(markup)};
        QCOMPARE(label.textFormat(), Qt::PlainText);
    }

    void a_tool_tip_is_text() {
        WindowFixture fixture;
        QToolTip::showText(fixture.window().mapToGlobal(QPoint(50, 50)), QLatin1String(markup), &fixture.window());
        QVERIFY(QTest::qWaitFor([] { return tipLabel() != nullptr; }));
        QCOMPARE(tipLabel()->textFormat(), Qt::PlainText);
        QCOMPARE(tipLabel()->text(), QLatin1String(markup));
        QToolTip::hideText();
    }

    void dialogs_of_qt_show_text() {
        const WindowFixture fixture;
        QMessageBox box(QMessageBox::Question, QStringLiteral("title"), QLatin1String(markup));
        box.setInformativeText(QLatin1String(markup));
        QInputDialog input;
        input.setLabelText(QLatin1String(markup));
        for (QDialog *dialog : {static_cast<QDialog *>(&box), static_cast<QDialog *>(&input)}) {
            dialog->show();
            QVERIFY(labelsWithMarkup() > 0);
            dialog->hide();
        }
    }
};

LISTED_TEST(NamesTest)
#include "tst_names.moc"
