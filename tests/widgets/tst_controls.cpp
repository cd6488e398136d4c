// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/card.h"
#include "controls/combo_popup.h"
#include "controls/folding_section.h"
#include "controls/key_figure.h"
#include "controls/pill.h"
#include "controls/searchable_combo.h"
#include "controls/segmented.h"
#include "controls/stepped_slider.h"
#include "controls/text_label.h"
#include "controls/toggle_switch.h"
#include "controls/unit_spin_box.h"
#include "figures/figure_event.h"
#include "listed_test.h"
#include "theme/icon.h"
#include "theme/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <memory>

using namespace meshwright;

namespace {

/// Counts how often a widget requests a figure.
class WantedCount : public QObject {
public:
    int count = 0;
    bool eventFilter(QObject *, QEvent *event) override {
        count += event->type() == FigureWantedEvent::wanted() ? 1 : 0;
        return false;
    }
};

} // namespace

class ControlsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(*qApp, ThemeMode::Light); }
    void init();
    void cleanup() { m_window.reset(); }
    void sliderKeysGoFromStopToStop();
    void sliderDragIsOneGesture();
    void sliderKeepsAValueThatDoesNotDivide();
    void sliderLeavesAnOffListValueToItsNeighbours();
    void sliderLeavesTheWheelToScrolling();
    void sliderPositionsRoundTrip();
    void sliderTellsItsValueToAssistiveTechnology();
    void segmentsAreChosenByMouseAndArrows();
    void settingASegmentIsSilent();
    void toggleTurnsBySpaceAndClick();
    void comboFindsByAnyPartOfTheName();
    void comboIsDrivenByKeysAlone();
    void comboEscapeChoosesNothing();
    void comboOpensWithWhatIsTyped();
    void comboShowsTheUnknown();
    void sectionFoldsByKeyAndClick();
    void keyFigureAnswersWhy();
    void everyFocusableControlHasAName();
    void changingTheThemeReachesEveryControl();

private:
    template <typename Widget>
    Widget *add() {
        auto *widget = new Widget;
        m_window->layout()->addWidget(widget);
        widget->show();
        QApplication::processEvents();
        widget->setFocus();
        return widget;
    }
    SteppedSlider *addSlider();
    SearchableCombo *addCombo();

    std::unique_ptr<QWidget> m_window;
};

void ControlsTest::init() {
    m_window = std::make_unique<QWidget>();
    new QVBoxLayout(m_window.get());
    m_window->resize(400, 300);
    m_window->show();
    QApplication::setActiveWindow(m_window.get());
}

SteppedSlider *ControlsTest::addSlider() {
    auto *slider = add<SteppedSlider>();
    slider->setStops({1, 2, 4, 8, 16});
    slider->setStop(4);
    return slider;
}

SearchableCombo *ControlsTest::addCombo() {
    auto *combo = add<SearchableCombo>();
    QVector<ComboItem> items{
        {QStringLiteral("h100"), QStringLiteral("H100 SXM5 80 GB"), QStringLiteral("989 TFLOP/s"), {}},
        {QStringLiteral("gh200"), QStringLiteral("GH200 144 GB"), QStringLiteral("NVLink pair"), {}}};
    for (int i = 0; i < 160; ++i)
        items.append({QString::number(i), QStringLiteral("Accelerator %1").arg(i), QStringLiteral("%1 GB").arg(i), {}});
    combo->setItems(items);
    combo->setCurrentId(QStringLiteral("h100"));
    return combo;
}

void ControlsTest::sliderKeysGoFromStopToStop() {
    SteppedSlider *slider = addSlider();
    QSignalSpy chosen(slider, &SteppedSlider::stopChosen);
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(slider->stop(), 8);
    QTest::keyClick(slider, Qt::Key_Left);
    QTest::keyClick(slider, Qt::Key_Left);
    QCOMPARE(slider->stop(), 2);
    QTest::keyClick(slider, Qt::Key_End);
    QCOMPARE(slider->stop(), 16);
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(slider->stop(), 16);
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(slider->stop(), 1);
    QTest::keyClick(slider, Qt::Key_PageUp);
    QCOMPARE(slider->stop(), 2);
    QCOMPARE(chosen.count(), 6);
}

void ControlsTest::sliderDragIsOneGesture() {
    SteppedSlider *slider = addSlider();
    QSignalSpy started(slider, &SteppedSlider::dragStarted);
    QSignalSpy finished(slider, &SteppedSlider::dragFinished);
    QSignalSpy chosen(slider, &SteppedSlider::stopChosen);
    const auto at = [slider](int index) { return QPoint(qRound(slider->positionOf(index)), slider->height() / 2); };
    QTest::mousePress(slider, Qt::LeftButton, {}, at(2));
    QTest::mouseMove(slider, at(3));
    QTest::mouseMove(slider, at(4));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, at(4));
    QCOMPARE(slider->stop(), 16);
    QCOMPARE(started.count(), 1);
    QCOMPARE(finished.count(), 1);
    QCOMPARE(chosen.count(), 2);
}

void ControlsTest::sliderKeepsAValueThatDoesNotDivide() {
    SteppedSlider *slider = addSlider();
    QSignalSpy chosen(slider, &SteppedSlider::stopChosen);
    slider->setStop(3);
    QVERIFY(slider->isOffList());
    QCOMPARE(slider->stop(), 3);
    slider->grab();
    slider->setStops({1, 2, 4, 8});
    QCOMPARE(slider->stop(), 3);
    QCOMPARE(chosen.count(), 0);
    QVERIFY(slider->positionOfValue(3) > slider->positionOf(1));
    QVERIFY(slider->positionOfValue(3) < slider->positionOf(2));
}

void ControlsTest::sliderLeavesAnOffListValueToItsNeighbours() {
    SteppedSlider *slider = addSlider();
    slider->setStop(3);
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(slider->stop(), 4);
    slider->setStop(3);
    QTest::keyClick(slider, Qt::Key_Left);
    QCOMPARE(slider->stop(), 2);
    slider->setStop(100);
    QTest::keyClick(slider, Qt::Key_Left);
    QCOMPARE(slider->stop(), 16);
}

void ControlsTest::sliderLeavesTheWheelToScrolling() {
    SteppedSlider *slider = addSlider();
    const auto turn = [slider] {
        QWheelEvent event(QPointF(5, 5), slider->mapToGlobal(QPointF(5, 5)), {}, QPoint(0, 120), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(slider, &event);
    };
    for (const bool focused : {false, true}) {
        focused ? slider->setFocus() : slider->clearFocus();
        turn();
        QCOMPARE(slider->stop(), 4);
    }
}

void ControlsTest::sliderPositionsRoundTrip() {
    SteppedSlider *slider = addSlider();
    for (int index = 0; index < 5; ++index) {
        QCOMPARE(slider->indexAt(slider->positionOf(index)), index);
        QCOMPARE(slider->positionOfValue(slider->stops()[index]), slider->positionOf(index));
    }
    QCOMPARE(slider->indexAt(-100), 0);
    QCOMPARE(slider->indexAt(10000), 4);
}

void ControlsTest::sliderTellsItsValueToAssistiveTechnology() {
    SteppedSlider *slider = addSlider();
    QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(slider);
    QVERIFY(interface);
    QCOMPARE(interface->role(), QAccessible::Slider);
    QVERIFY(interface->valueInterface());
    QCOMPARE(interface->valueInterface()->currentValue().toInt(), 4);
    QCOMPARE(interface->valueInterface()->maximumValue().toInt(), 16);
    QSignalSpy chosen(slider, &SteppedSlider::stopChosen);
    interface->valueInterface()->setCurrentValue(15);
    QCOMPARE(slider->stop(), 16);
    QCOMPARE(chosen.count(), 1);
}

void ControlsTest::segmentsAreChosenByMouseAndArrows() {
    auto *segmented = add<Segmented>();
    for (const QString &name : {QStringLiteral("None"), QStringLiteral("Selective"), QStringLiteral("Full")})
        segmented->addSegment(name);
    QApplication::processEvents();
    QSignalSpy chosen(segmented, &Segmented::chosen);
    QCOMPARE(segmented->currentIndex(), 0);
    QTest::mouseClick(segmented->button(2), Qt::LeftButton);
    QCOMPARE(segmented->currentIndex(), 2);
    segmented->button(2)->setFocus();
    QTest::keyClick(segmented->button(2), Qt::Key_Left);
    QCOMPARE(segmented->currentIndex(), 1);
    QCOMPARE(chosen.count(), 2);
    QCOMPARE(chosen.last().first().toInt(), 1);
}

void ControlsTest::settingASegmentIsSilent() {
    auto *segmented = add<Segmented>();
    segmented->addSegment(QStringLiteral("A"));
    segmented->addSegment(QStringLiteral("B"));
    QSignalSpy chosen(segmented, &Segmented::chosen);
    QSignalSpy changed(segmented, &Segmented::currentChanged);
    segmented->setCurrentIndex(1);
    QCOMPARE(chosen.count(), 0);
    QCOMPARE(changed.count(), 1);
}

void ControlsTest::toggleTurnsBySpaceAndClick() {
    auto *toggle = add<ToggleSwitch>();
    QTest::keyClick(toggle, Qt::Key_Space);
    QVERIFY(toggle->isChecked());
    QTest::mouseClick(toggle, Qt::LeftButton);
    QVERIFY(!toggle->isChecked());
}

void ControlsTest::comboFindsByAnyPartOfTheName() {
    SearchableCombo *combo = addCombo();
    combo->openPopup();
    QCOMPARE(combo->popup()->matchCount(), 162);
    QTest::keyClicks(combo->popup()->filterEdit(), QStringLiteral("144 gh"));
    QCOMPARE(combo->popup()->matchCount(), 1);
    combo->popup()->filterEdit()->setText(QStringLiteral("nvlink"));
    QCOMPARE(combo->popup()->matchCount(), 1);
    combo->popup()->filterEdit()->setText(QStringLiteral("no such thing"));
    QCOMPARE(combo->popup()->matchCount(), 0);
    combo->popup()->hide();
}

void ControlsTest::comboIsDrivenByKeysAlone() {
    SearchableCombo *combo = addCombo();
    QSignalSpy chosen(combo, &SearchableCombo::chosen);
    QTest::keyClick(combo, Qt::Key_Down);
    QVERIFY(combo->popup()->isVisible());
    QLineEdit *edit = combo->popup()->filterEdit();
    QTest::keyClicks(edit, QStringLiteral("accelerator 1"));
    QTest::keyClick(edit, Qt::Key_Down);
    QTest::keyClick(edit, Qt::Key_Down);
    QTest::keyClick(edit, Qt::Key_Up);
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY(!combo->popup()->isVisible());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(combo->currentId(), QStringLiteral("10"));
    QCOMPARE(combo->text(), QStringLiteral("Accelerator 10"));
}

void ControlsTest::comboEscapeChoosesNothing() {
    SearchableCombo *combo = addCombo();
    QSignalSpy chosen(combo, &SearchableCombo::chosen);
    QTest::keyClick(combo, Qt::Key_Return);
    QTest::keyClick(combo->popup()->filterEdit(), Qt::Key_Down);
    QTest::keyClick(combo->popup()->filterEdit(), Qt::Key_Escape);
    QVERIFY(!combo->popup()->isVisible());
    QCOMPARE(chosen.count(), 0);
    QCOMPARE(combo->currentId(), QStringLiteral("h100"));
}

void ControlsTest::comboOpensWithWhatIsTyped() {
    SearchableCombo *combo = addCombo();
    QTest::keyClick(combo, Qt::Key_G);
    QVERIFY(combo->popup()->isVisible());
    QCOMPARE(combo->popup()->filterEdit()->text(), QStringLiteral("g"));
    combo->popup()->hide();
}

void ControlsTest::comboShowsTheUnknown() {
    SearchableCombo *combo = addCombo();
    combo->setUnknownText(QStringLiteral("Custom"));
    combo->setCurrentId(QStringLiteral("mine"));
    QCOMPARE(combo->text(), QStringLiteral("Custom"));
    QCOMPARE(combo->currentId(), QStringLiteral("mine"));
}

void ControlsTest::sectionFoldsByKeyAndClick() {
    auto *section = add<FoldingSection>();
    section->setTitle(QStringLiteral("Cluster"));
    auto *inside = new QWidget;
    section->contentLayout()->addWidget(inside);
    QApplication::processEvents();
    QSignalSpy folded(section, &FoldingSection::foldedChanged);
    QTest::mouseClick(section->header(), Qt::LeftButton);
    QVERIFY(section->isFolded());
    QVERIFY(!inside->isVisible());
    QTest::keyClick(section->header(), Qt::Key_Right);
    QVERIFY(!section->isFolded());
    QTest::keyClick(section->header(), Qt::Key_Return);
    QVERIFY(section->isFolded());
    QCOMPARE(folded.count(), 3);
}

void ControlsTest::keyFigureAnswersWhy() {
    auto *figure = add<KeyFigure>();
    figure->setTitle(QStringLiteral("Memory"));
    figure->setFigure(QStringLiteral("4.6"), QStringLiteral("GB free"));
    figure->setVerdict(QStringLiteral("Fits, tight"), Tone::Warn);
    figure->setInterval(KeyFigure::Interval{2.4, 4.6, 6.7, QStringLiteral("2.4"), QStringLiteral("6.7")});
    QCOMPARE(figure->accessibleName(), QStringLiteral("Memory: 4.6 GB free"));
    QVERIFY(figure->accessibleDescription().contains(QStringLiteral("Fits, tight")));
    QVERIFY(figure->accessibleDescription().contains(QStringLiteral("2.4 to 6.7")));
    figure->setFigureRef("step.seconds");
    WantedCount activated;
    figure->installEventFilter(&activated);
    QTest::keyClick(figure, Qt::Key_Return);
    QTest::keyClick(figure, Qt::Key_Space);
    QTest::mouseClick(figure, Qt::LeftButton);
    QCOMPARE(activated.count, 3);
    const QImage fresh = figure->grab().toImage();
    figure->setStale(true);
    QVERIFY(figure->grab().toImage() != fresh);
}

void ControlsTest::everyFocusableControlHasAName() {
    SearchableCombo *combo = addCombo();
    for (const QWidget *widget : combo->popup()->findChildren<QWidget *>()) {
        if (widget->focusPolicy() & Qt::TabFocus && !widget->inherits("QScrollBar"))
            QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
    }
}

namespace {

std::unique_ptr<QWidget> oneOfEach() {
    auto card = std::make_unique<Card>(QStringLiteral("Title"), QStringLiteral("subtitle"));
    card->addTrailing(new Pill(QStringLiteral("2 warnings"), Tone::Warn));
    auto *figure = new KeyFigure(QStringLiteral("Step"), QStringLiteral("clock"));
    figure->setFigure(QStringLiteral("23.0"), QStringLiteral("s"));
    auto *field = new UnitSpinBox;
    field->setUnit(QStringLiteral("Gb/s"));
    auto *slider = new SteppedSlider;
    slider->setStops({1, 2, 4, 8});
    auto *segmented = new Segmented;
    segmented->addSegment(QStringLiteral("None"));
    segmented->addSegment(QStringLiteral("Full"));
    auto *edit = new QLineEdit(QStringLiteral("text"));
    auto *button = new QPushButton(icons::icon(QStringLiteral("export")), QStringLiteral("Export"));
    for (QWidget *widget : std::initializer_list<QWidget *>{
             figure, field, slider, segmented, edit, button, new ToggleSwitch, new SearchableCombo,
             new FoldingSection(QStringLiteral("Cluster"), QStringLiteral("chip")),
             new TextLabel(QStringLiteral("words"), TypeRole::Title, ColourRole::Accent),
             new QCheckBox(QStringLiteral("on"))})
        card->contentLayout()->addWidget(widget);
    card->resize(360, 560);
    card->show();
    QApplication::processEvents();
    if (QWidget *focused = QApplication::focusWidget())
        focused->clearFocus();
    return card;
}

} // namespace

void ControlsTest::changingTheThemeReachesEveryControl() {
    m_window.reset();
    Theme::apply(*qApp, ThemeMode::Dark);
    const std::unique_ptr<QWidget> changed = oneOfEach();
    const QImage dark = changed->grab().toImage();
    Theme::apply(*qApp, ThemeMode::Light);
    QApplication::processEvents();
    const std::unique_ptr<QWidget> fresh = oneOfEach();
    QVERIFY(changed->grab().toImage() != dark);
    QCOMPARE(changed->grab().toImage(), fresh->grab().toImage());
}

LISTED_TEST(ControlsTest)
#include "tst_controls.moc"
