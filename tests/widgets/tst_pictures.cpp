// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/diagnostic.h"
#include "listed_test.h"
#include "pictures/picture_scene.h"
#include "pictures/picture_view.h"
#include "theme/theme.h"

#include <QApplication>
#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSet>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>

#include <memory>

using namespace meshwright;

namespace {

constexpr QSize smallest(420, 240);
constexpr QRgb untouched = 0xffff00ff; // a color that no theme uses

void addNames() {
    QTest::addColumn<QString>("name");
    for (const std::string &name : picture_names())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

std::string nameOfRow() {
    QFETCH(QString, name);
    return name.toStdString();
}

/// A picture with the maximum number of ranks or layers.
Picture fullest(const std::string &name) {
    Picture picture = complete({.name = name});
    for (const char *count : {"ranks", "layers"})
        if (const auto found = picture.parameters.find(count); found != picture.parameters.end())
            found->second = name == "overlap" ? most_drawn_layers : most_drawn_ranks;
    if (name == "hierarchical") {
        picture.parameters["ranks_per_node"] = 8;
        picture.parameters["nodes"] = 2;
    }
    return picture;
}

/// Area that the scene has painted, relative to its rectangle.
QRect paintedBy(const PictureScene &scene, const QSize &size, const PictureMoment &moment) {
    constexpr int margin = 40;
    QImage image(size + QSize(2 * margin, 2 * margin), QImage::Format_RGB32);
    image.fill(untouched);
    QPainter painter(&image);
    scene.paint(painter, QRectF(QPointF(margin, margin), size), moment, Theme::current());
    painter.end();
    QRect painted;
    for (int y = 0; y < image.height(); ++y) {
        const auto *line = reinterpret_cast<const QRgb *>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x)
            if (line[x] != untouched)
                painted |= QRect(x, y, 1, 1);
    }
    return painted.translated(-margin, -margin);
}

} // namespace

class PicturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), ThemeMode::Dark);
        Theme::setReducedMotion(true);
    }

    void keys_step_and_play_data() { addNames(); }
    void keys_step_and_play() {
        const std::unique_ptr<PictureView> view(makePicture(nameOfRow()));
        view->resize(smallest);
        view->show();
        QSignalSpy steps(view.get(), &PictureView::stepChanged);
        QCOMPARE(view->step(), 0);
        QTest::keyClick(view.get(), Qt::Key_Left);
        QCOMPARE(view->step(), 0);
        QTest::keyClick(view.get(), Qt::Key_Right);
        QCOMPARE(view->step(), 1);
        QTest::keyClick(view.get(), Qt::Key_End);
        QCOMPARE(view->step(), view->lastStep());
        QTest::keyClick(view.get(), Qt::Key_Right);
        QCOMPARE(view->step(), view->lastStep());
        QTest::keyClick(view.get(), Qt::Key_Left);
        QCOMPARE(view->step(), view->lastStep() - 1);
        QTest::keyClick(view.get(), Qt::Key_Home);
        QCOMPARE(view->step(), 0);
        QCOMPARE(steps.count(), 4);
        QTest::keyClick(view.get(), Qt::Key_Space);
        QVERIFY(view->isPlaying());
        QTRY_COMPARE(view->step(), 2);
        QTest::keyClick(view.get(), Qt::Key_Space);
        QVERIFY(!view->isPlaying());
        QCOMPARE(view->step(), 2);
    }

    void every_step_is_told_to_a_screen_reader_data() { addNames(); }
    void every_step_is_told_to_a_screen_reader() {
        const std::unique_ptr<PictureView> view(makePicture(nameOfRow()));
        QCOMPARE(view->accessibleName(), view->title());
        QStringList told;
        for (int step = 0; step <= view->lastStep(); ++step) {
            view->setStep(step);
            QCOMPARE(view->accessibleDescription(), view->sentence(step));
            QVERIFY(view->sentence(step).endsWith(QLatin1Char('.')));
            QVERIFY2(!view->sentence(step).contains(QLatin1Char('%')), qPrintable(view->sentence(step)));
            told.append(view->sentence(step));
        }
        QCOMPARE(told.removeDuplicates(), 0);
    }

    void captions_name_the_message() {
        const std::unique_ptr<PictureView> view(makePicture("ring", {{"ranks", 4}}));
        QCOMPARE(view->sentence(2),
                 QStringLiteral("Step 2 of 6: rank 1 sends chunk 0 to rank 2, which adds it to its own. 4 messages are "
                                "sent at the same time."));
    }

    void nothing_is_painted_outside_data() { addNames(); }
    void nothing_is_painted_outside() {
        const std::unique_ptr<PictureScene> scene = makeScene(fullest(nameOfRow()));
        for (const QSize &size : {QSize(280, 150), smallest, QSize(900, 400)})
            for (const int step : {0, 1, scene->lastStep() / 2, scene->lastStep()})
                for (const double progress : {0.5, 1.0}) {
                    const QRect painted = paintedBy(*scene, size, {.step = step, .progress = progress});
                    // Antialiased edges reach into the next pixel.
                    QVERIFY2(QRect(QPoint(), size).adjusted(-1, -1, 1, 1).contains(painted),
                             qPrintable(QStringLiteral("step %1 in %2 x %3: %4, %5 to %6, %7")
                                            .arg(step)
                                            .arg(size.width())
                                            .arg(size.height())
                                            .arg(painted.left())
                                            .arg(painted.top())
                                            .arg(painted.right())
                                            .arg(painted.bottom())));
                    QVERIFY(painted.width() > size.width() * 3 / 4);
                }
    }

    void steps_differ_in_what_they_show_data() { addNames(); }
    void steps_differ_in_what_they_show() {
        const std::unique_ptr<PictureView> view(makePicture(nameOfRow()));
        view->resize(smallest);
        QList<QImage> seen;
        for (int step = 0; step <= view->lastStep(); ++step) {
            view->setStep(step);
            const QImage now = view->grab().toImage();
            QVERIFY2(!seen.contains(now), qPrintable(view->sentence(step)));
            seen.append(now);
        }
    }

    void the_pointer_finds_something_to_tell_data() { addNames(); }
    void the_pointer_finds_something_to_tell() {
        const std::unique_ptr<PictureScene> scene = makeScene(complete({.name = nameOfRow()}));
        const QRectF rect(QPointF(), smallest);
        QSet<QString> titles;
        for (int y = 0; y < smallest.height(); y += 3)
            for (int x = 0; x < smallest.width(); x += 3)
                titles.insert(scene->describe(QPointF(x, y), rect, 1).spoken());
        titles.remove({});
        QVERIFY2(titles.size() >= 3, qPrintable(QString::number(titles.size())));
    }

    void every_parameter_is_outlined_inside_the_picture_data() { addNames(); }
    void every_parameter_is_outlined_inside_the_picture() {
        const std::unique_ptr<PictureScene> scene = makeScene(complete({.name = nameOfRow()}));
        const QRectF rect(QPointF(40, 40), smallest);
        for (const PictureParameter &parameter : parameters_of_picture(nameOfRow()))
            for (int step = 0; step <= scene->lastStep(); ++step) {
                const QPainterPath outline = scene->outlineOf(
                    QString::fromUtf8(parameter.name.data(), qsizetype(parameter.name.size())), rect, step);
                const QRectF bounds = outline.boundingRect(); // without height if a message's way is level
                QVERIFY2(!outline.isEmpty() && rect.contains(bounds.topLeft()) && rect.contains(bounds.bottomRight()),
                         parameter.name.data());
            }
        QVERIFY(scene->outlineOf(QStringLiteral("no parameter"), rect, 1).isEmpty());
    }

    void a_lit_parameter_is_painted() {
        PictureView view({.name = "ring"});
        view.resize(smallest);
        const QImage plain = view.grab().toImage();
        view.light(QStringLiteral("ranks"));
        QVERIFY(view.grab().toImage() != plain);
        view.light({});
        QCOMPARE(view.grab().toImage(), plain);
    }

    void vectors_have_the_title_and_the_caption_data() { addNames(); }
    void vectors_have_the_title_and_the_caption() {
        const std::unique_ptr<PictureView> view(makePicture(nameOfRow()));
        view->setStep(1);
        QBuffer bytes;
        bytes.open(QIODevice::WriteOnly);
        QSvgGenerator svg;
        svg.setOutputDevice(&bytes);
        svg.setSize(QSize(600, 340));
        QPainter painter(&svg);
        view->paint(painter, QRectF(0, 0, 600, 340), Theme::paper());
        painter.end();
        QVERIFY(bytes.data().contains(view->title().toUtf8()));
        QVERIFY(bytes.data().contains(view->sentence(1).section(QLatin1Char(' '), 0, 4).toUtf8()));
        QVERIFY2(!bytes.data().contains("<image"), "a vector picture contains a raster image");
    }

    void other_values_keep_the_step_and_another_picture_starts() {
        PictureView view({.name = "ring"});
        view.setStep(3);
        view.setPicture({.name = "ring", .parameters = {{"bytes", 5e9}}});
        QCOMPARE(view.step(), 3);
        view.setPicture({.name = "ring", .parameters = {{"ranks", 3}}});
        QCOMPARE(view.step(), 0);
        view.setPicture({.name = "zero", .parameters = {{"stage", 2}}});
        QCOMPARE(view.step(), 2);
        QVERIFY_THROWS_EXCEPTION(InputError, view.setPicture({.name = "zero", .parameters = {{"stage", 4}}}));
        QCOMPARE(view.step(), 2);
        QVERIFY_THROWS_EXCEPTION(InputError, makePicture("torus"));
    }

    void motion_ends_with_the_step_in_place() {
        Theme::setReducedMotion(false);
        PictureView view({.name = "ring"});
        view.resize(smallest);
        view.show();
        view.setStep(1);
        const QImage still = view.grab().toImage();
        view.setStep(0);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.step(), 1);
        QVERIFY(view.grab().toImage() != still);
        QTRY_VERIFY(view.grab().toImage() == still);
        Theme::setReducedMotion(true);
    }
};

LISTED_TEST(PicturesTest)
#include "tst_pictures.moc"
