// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_text.h"
#include "listed_test.h"
#include "window_fixture.h"

#include "autosave.h"
#include "controls/folding_column.h"
#include "controls/notice_strip.h"
#include "file_controller.h"
#include "input/json_document.h"
#include "plan/plan_page.h"
#include "recent_files.h"
#include "window_layout.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

void change(WindowFixture &fixture, int sites) {
    fixture.document().apply({.field = QStringLiteral("/cluster/sites"),
                              .subject = QStringLiteral("Sites"),
                              .from = {},
                              .to = QString::number(sites),
                              .patch = ordered_json{{"cluster", {{"sites", sites}}}}.dump(),
                              .pace = EditPace::Settled});
}

void drop(WindowFixture &fixture, const QString &path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    // Qt delivers a drop only to a widget that received the drag's enter event.
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&fixture.window(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&fixture.window(), &event);
}

ordered_json smallPlan() {
    return {{"schema", "meshwright.plan/1"}, {"name", "Small"}, {"cluster", "dgx-h100"}, {"model", "llama-3.1-8b"}};
}

/// Name and description that an assistive technology reads for a widget.
QString spokenName(const QWidget *widget) {
    if (!widget->accessibleName().isEmpty())
        return widget->accessibleName();
    if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
        return button->text();
    return {};
}

/// Whether assistive technology reads a widget as part of another: the line edit of a spin box, the parts of a view.
bool isPart(const QWidget *widget) {
    const QWidget *parent = widget->parentWidget();
    return qobject_cast<const QAbstractSpinBox *>(parent) != nullptr
        || qobject_cast<const QAbstractScrollArea *>(parent) != nullptr
        || parent->inherits("QComboBoxPrivateContainer");
}

} // namespace

class WindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saving_asks_for_a_name_once_and_remembers_the_file() {
        WindowFixture fixture;
        change(fixture, 48);
        QVERIFY(fixture.window().isWindowModified());
        fixture.prompts.path = fixture.file(QStringLiteral("mine.plan"));
        QTest::keyClick(&fixture.window(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(QFile::exists(fixture.prompts.path));
        QVERIFY(!fixture.window().isWindowModified());
        QCOMPARE(textOf(read_json_file(fixture.prompts.path.toStdString())), textOf(fixture.json()));
        QCOMPARE(fixture.window().files()->recentFiles()->files(), QStringList{fixture.prompts.path});
        fixture.prompts.path.clear();
        change(fixture, 47);
        QTest::keyClick(&fixture.window(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(!fixture.window().isWindowModified());
    }

    void unsaved_changes_are_asked_about_before_they_are_lost() {
        WindowFixture fixture;
        change(fixture, 48);
        fixture.prompts.answer = SaveAnswer::Cancel;
        QVERIFY(!fixture.window().close());
        QCOMPARE(fixture.prompts.saveQuestions, 1);
        QVERIFY(!fixture.window().files()->openPreset(QStringLiteral("deepseek-v3")));
        QCOMPARE(textOf(fixture.json()["cluster"]["sites"]), textOf(48));
        fixture.prompts.answer = SaveAnswer::Discard;
        QVERIFY(fixture.window().files()->openPreset(QStringLiteral("deepseek-v3")));
        QVERIFY(fixture.settle());
        QVERIFY(fixture.window().close());
        QCOMPARE(fixture.prompts.saveQuestions, 3);
    }

    void answering_save_writes_before_going_on() {
        WindowFixture fixture;
        change(fixture, 48);
        fixture.prompts.answer = SaveAnswer::Save;
        fixture.prompts.path = fixture.file(QStringLiteral("kept.plan"));
        QVERIFY(fixture.window().close());
        QCOMPARE(textOf(read_json_file(fixture.prompts.path.toStdString())["cluster"]["sites"]), textOf(48));
    }

    void a_dropped_plan_is_opened() {
        WindowFixture fixture;
        fixture.write(QStringLiteral("small.json"), smallPlan());
        drop(fixture, fixture.file(QStringLiteral("small.json")));
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.document().name(), QStringLiteral("Small"));
        QCOMPARE(fixture.document().path(), fixture.file(QStringLiteral("small.json")));
    }

    void a_dropped_hugging_face_configuration_becomes_the_model_in_one_step() {
        WindowFixture fixture;
        fixture.write(QStringLiteral("config.json"),
                      {{"architectures", {"LlamaForCausalLM"}},
                       {"model_type", "llama"},
                       {"hidden_size", 2048},
                       {"intermediate_size", 8192},
                       {"num_attention_heads", 32},
                       {"num_key_value_heads", 8},
                       {"num_hidden_layers", 16},
                       {"vocab_size", 128256},
                       {"max_position_embeddings", 131072},
                       {"tie_word_embeddings", true}});
        drop(fixture, fixture.file(QStringLiteral("config.json")));
        QCOMPARE(fixture.edits(), 1);
        QVERIFY(fixture.json()["model"].is_object());
        QCOMPARE(textOf(fixture.json()["model"]["hidden"]), textOf(2048));
        QCOMPARE(textOf(fixture.json()["cluster"]["sites"]), textOf(72));
        fixture.document().undoStack()->undo();
        QCOMPARE(textOf(fixture.json()["model"]), textOf("dense-144b"));
    }

    void a_file_that_does_not_read_is_announced_and_changes_nothing() {
        WindowFixture fixture;
        const ordered_json before = fixture.json();
        QFile broken(fixture.file(QStringLiteral("broken.json")));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{\"schema\"");
        broken.close();
        drop(fixture, broken.fileName());
        QVERIFY(fixture.window().notices()->isVisible());
        QVERIFY(fixture.window().notices()->text().contains(QStringLiteral("broken.json")));
        QCOMPARE(textOf(fixture.json()), textOf(before));
    }

    void a_plan_with_errors_opens_with_its_problems() {
        WindowFixture fixture;
        ordered_json plan = smallPlan();
        plan["parallelism"] = {{"tensor", 3}, {"data", 1}};
        fixture.write(QStringLiteral("bad.plan"), plan);
        QVERIFY(fixture.window().files()->openFile(fixture.file(QStringLiteral("bad.plan"))));
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().freshness, Freshness::Invalid);
        QVERIFY2(fixture.session().view().result == nullptr, "an invalid plan must not show another plan's numbers");
        QVERIFY(!fixture.session().view().diagnostics.empty());
    }

    void what_a_crash_left_behind_is_offered_and_recovered() {
        WindowFixture fixture;
        change(fixture, 31);
        fixture.window().autosave()->flush();
        // Simulates a crash, after which an autosave file without a lock remains: here, a copy of the autosave file.
        const QDir folder(fixture.file(QStringLiteral("autosave")));
        const QStringList files = folder.entryList({QStringLiteral("*.plan")});
        QCOMPARE(files.size(), 1);
        QVERIFY(QFile::copy(folder.filePath(files.first()), folder.filePath(QStringLiteral("crashed.plan"))));
        fixture.document().undoStack()->undo();
        fixture.restart();
        QCOMPARE(textOf(fixture.json()["cluster"]["sites"]), textOf(72));
        auto *bar = fixture.find<NoticeStrip>("recoveryBar");
        QVERIFY(bar->isVisible());
        QTest::mouseClick(bar->findChild<QPushButton *>(QStringLiteral("noticeAction")), Qt::LeftButton);
        QVERIFY(!bar->isVisible());
        QCOMPARE(textOf(fixture.json()["cluster"]["sites"]), textOf(31));
        QVERIFY2(fixture.document().isModified(), "a recovered plan must count as modified");
        // The recovered file is deleted once its successor is written.
        QTRY_VERIFY(!QFile::exists(folder.filePath(QStringLiteral("crashed.plan"))));
    }

    void a_clean_end_leaves_nothing_behind() {
        WindowFixture fixture;
        change(fixture, 31);
        fixture.window().autosave()->flush();
        fixture.restart();
        QVERIFY(!fixture.find<NoticeStrip>("recoveryBar")->isVisible());
        QVERIFY(!fixture.window().autosave()->leftBehind());
    }

    void an_autosave_that_does_not_read_is_set_aside() {
        WindowFixture fixture;
        const QString path = fixture.file(QStringLiteral("autosave/torn.plan"));
        QFile torn(path);
        QVERIFY(torn.open(QIODevice::WriteOnly));
        torn.write("{\"name\": \"x\", \"docu");
        torn.close();
        QVERIFY(!fixture.window().autosave()->leftBehind());
        QVERIFY(!QFile::exists(path));
        QVERIFY(QFile::exists(path + QStringLiteral(".unread")));
    }

    void the_layout_is_kept_and_can_be_reset() {
        WindowFixture fixture;
        auto *details = fixture.find<QDockWidget>("details");
        QVERIFY(details->isVisible());
        fixture.window().layoutOfDocks()->detailsAction()->trigger();
        QVERIFY(!details->isVisible());
        fixture.window().resize(1500, 900);
        QVERIFY(fixture.window().close());
        fixture.restart();
        QVERIFY(!fixture.find<QDockWidget>("details")->isVisible());
        QCOMPARE(fixture.window().size(), QSize(1500, 900));
        fixture.window().layoutOfDocks()->reset();
        QVERIFY(fixture.find<QDockWidget>("details")->isVisible());
    }

    void a_narrow_window_gives_the_right_column_up_and_takes_it_back() {
        WindowFixture fixture;
        auto *details = fixture.find<QDockWidget>("details");
        fixture.window().resize(1280, 720);
        QCoreApplication::processEvents();
        QVERIFY(!details->isVisible());
        fixture.window().resize(1600, 1000);
        QCoreApplication::processEvents();
        QVERIFY(details->isVisible());
    }

    void the_first_problem_is_in_sight_in_the_smallest_window() {
        WindowFixture fixture({}, {1280, 720});
        QCoreApplication::processEvents();
        for (const char *name : {"memoryFigure", "memoryCard", "stepCard", "problem0"}) {
            auto *widget = fixture.find<QWidget>(name);
            const QPoint bottom = widget->mapTo(&fixture.window(), QPoint(0, widget->height()));
            QVERIFY2(bottom.y() <= 720 - 24, qPrintable(QLatin1String(name)));
        }
    }

    void no_panel_is_wider_than_its_dock() {
        WindowFixture fixture;
        for (const char *name : {"panels", "details"}) {
            auto *area = fixture.find<QDockWidget>(name)->findChild<QScrollArea *>();
            for (QWidget *section : area->widget()->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
                fixture.reveal(section);
            QCoreApplication::processEvents();
            QVERIFY2(area->widget()->minimumSizeHint().width() <= 272,
                     qPrintable(QString::number(area->widget()->minimumSizeHint().width())));
        }
    }

    void everything_that_takes_the_focus_has_a_name() {
        WindowFixture fixture;
        for (QWidget *each : fixture.window().findChildren<QAbstractButton *>(QStringLiteral("networkDisclosure")))
            fixture.reveal(each);
        for (QAbstractButton *button : fixture.window().findChildren<QAbstractButton *>()) {
            if (button->objectName().endsWith(QStringLiteral("Disclosure")))
                button->setChecked(true);
        }
        int checked = 0;
        for (QWidget *widget : fixture.window().findChildren<QWidget *>()) {
            if (!(widget->focusPolicy() & Qt::TabFocus) || isPart(widget) || widget->isWindow())
                continue;
            ++checked;
            const QString what = QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ')
                + widget->objectName() + QLatin1String(" in ") + widget->parentWidget()->objectName();
            QVERIFY2(!spokenName(widget).isEmpty(), qPrintable(what));
        }
        QVERIFY(checked > 60);
    }
};

LISTED_TEST(WindowTest)
#include "tst_window.moc"
