// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/integer_box.h"
#include "controls/plain_numbers.h"
#include "controls/unit_spin_box.h"
#include "listed_test.h"
#include "theme/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <memory>

using namespace meshwright;

namespace {

void wheel(QWidget *widget, int notches) {
    QWheelEvent event(QPointF(5, 5), widget->mapToGlobal(QPointF(5, 5)), {}, QPoint(0, notches * 120), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

} // namespace

class ValueFieldsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(*qApp, ThemeMode::Dark); }
    void init();
    void cleanup() { m_window.reset(); }
    void typingChangesNothingUntilEnter();
    void leavingTheFieldCommits();
    void escapeBringsTheValueBack();
    void nonsenseIsRejectedAndTheValueStays();
    void outOfRangeIsRejectedWithTheBound();
    void theUnitMayBeTyped();
    void aParserMayUnderstandOtherUnits();
    void leavingUntouchedDoesNotRoundTheValue();
    void arrowsStepAndEmitOnce();
    void theWheelIsLeftToScrolling();
    void aValueSetFromOutsideIsNoEdit();
    void aValueSetWhileTypingDoesNotDisturbTheTyping();
    void aWarningIsShownAndSpoken();
    void wholeNumbersBeyond32Bits();
    void aStepperGoesToTheNextThatDivides();
    void plainNumbersRoundTrip();

private:
    std::unique_ptr<QWidget> m_window;
    UnitSpinBox *m_real = nullptr;
    IntegerBox *m_integer = nullptr;
};

void ValueFieldsTest::init() {
    m_window = std::make_unique<QWidget>();
    auto *layout = new QHBoxLayout(m_window.get());
    m_real = new UnitSpinBox;
    m_real->setUnit(QStringLiteral("Gb/s"));
    m_real->setRange(0, 1000);
    m_real->setValue(400);
    m_integer = new IntegerBox;
    m_integer->setRange(1, qint64(1) << 50);
    m_integer->setValue(8);
    layout->addWidget(m_real);
    layout->addWidget(m_integer);
    m_window->show();
    QApplication::setActiveWindow(m_window.get());
    m_real->setFocus();
    m_real->selectAll();
}

void ValueFieldsTest::typingChangesNothingUntilEnter() {
    QSignalSpy edited(m_real, &UnitSpinBox::edited);
    QTest::keyClicks(m_real, QStringLiteral("100"));
    QCOMPARE(m_real->value(), 400.0);
    QVERIFY(m_real->hasPendingText());
    QTest::keyClick(m_real, Qt::Key_Return);
    QCOMPARE(m_real->value(), 100.0);
    QCOMPARE(edited.count(), 1);
    QVERIFY(!m_real->hasPendingText());
}

void ValueFieldsTest::leavingTheFieldCommits() {
    QSignalSpy edited(m_real, &UnitSpinBox::edited);
    QTest::keyClicks(m_real, QStringLiteral("1e2"));
    QTest::keyClick(m_real, Qt::Key_Tab);
    QCOMPARE(m_real->value(), 100.0);
    QCOMPARE(edited.count(), 1);
    QCOMPARE(m_real->text(), QStringLiteral("100"));
}

void ValueFieldsTest::escapeBringsTheValueBack() {
    QTest::keyClicks(m_real, QStringLiteral("77"));
    QTest::keyClick(m_real, Qt::Key_Escape);
    QCOMPARE(m_real->value(), 400.0);
    QCOMPARE(m_real->text(), QStringLiteral("400"));
}

void ValueFieldsTest::nonsenseIsRejectedAndTheValueStays() {
    QSignalSpy rejected(m_real, &ValueField::rejected);
    QTest::keyClicks(m_real, QStringLiteral("fast"));
    QTest::keyClick(m_real, Qt::Key_Return);
    QCOMPARE(m_real->value(), 400.0);
    QCOMPARE(m_real->text(), QStringLiteral("fast"));
    QCOMPARE(fieldState(m_real), FieldState::Rejected);
    QCOMPARE(rejected.count(), 1);
    QVERIFY(!m_real->accessibleDescription().isEmpty());
    QTest::keyClick(m_real, Qt::Key_Escape);
    QCOMPARE(fieldState(m_real), FieldState::Normal);
    QCOMPARE(m_real->text(), QStringLiteral("400"));
}

void ValueFieldsTest::outOfRangeIsRejectedWithTheBound() {
    QTest::keyClicks(m_real, QStringLiteral("-8"));
    QTest::keyClick(m_real, Qt::Key_Return);
    QCOMPARE(m_real->value(), 400.0);
    QVERIFY(m_real->rejection().contains(QStringLiteral("at least 0")));
    m_real->selectAll();
    QTest::keyClicks(m_real, QStringLiteral("5000"));
    QTest::keyClick(m_real, Qt::Key_Return);
    QVERIFY(m_real->rejection().contains(QStringLiteral("at most 1,000")));
}

void ValueFieldsTest::theUnitMayBeTyped() {
    QTest::keyClicks(m_real, QStringLiteral("250 Gb/s"));
    QTest::keyClick(m_real, Qt::Key_Return);
    QCOMPARE(m_real->value(), 250.0);
    QCOMPARE(m_real->text(), QStringLiteral("250"));
}

void ValueFieldsTest::aParserMayUnderstandOtherUnits() {
    m_real->setParser([](const QString &text) -> std::optional<double> {
        return text == QStringLiteral("1 Tb/s") ? std::optional(1000.0) : std::nullopt;
    });
    QTest::keyClicks(m_real, QStringLiteral("1 Tb/s"));
    QTest::keyClick(m_real, Qt::Key_Return);
    QCOMPARE(m_real->value(), 1000.0);
}

void ValueFieldsTest::leavingUntouchedDoesNotRoundTheValue() {
    m_real->setValue(1.0 / 3);
    m_real->selectAll();
    QTest::keyClicks(m_real, m_real->text());
    QTest::keyClick(m_real, Qt::Key_Return);
    QCOMPARE(m_real->value(), 1.0 / 3);
}

void ValueFieldsTest::arrowsStepAndEmitOnce() {
    QSignalSpy edited(m_real, &UnitSpinBox::edited);
    m_real->setSingleStep(50);
    QTest::keyClick(m_real, Qt::Key_Up);
    QCOMPARE(m_real->value(), 450.0);
    QCOMPARE(m_real->text(), QStringLiteral("450"));
    QTest::keyClick(m_real, Qt::Key_Down);
    QTest::keyClick(m_real, Qt::Key_Down);
    QCOMPARE(m_real->value(), 350.0);
    QCOMPARE(edited.count(), 3);
}

void ValueFieldsTest::theWheelIsLeftToScrolling() {
    wheel(m_integer, 1);
    QCOMPARE(m_integer->value(), 8);
    m_integer->setFocus();
    wheel(m_integer, 1);
    QCOMPARE(m_integer->value(), 8);
}

void ValueFieldsTest::aValueSetFromOutsideIsNoEdit() {
    QSignalSpy edited(m_real, &UnitSpinBox::edited);
    QSignalSpy changed(m_real, &UnitSpinBox::valueChanged);
    m_real->setValue(12.5);
    QCOMPARE(edited.count(), 0);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(m_real->text(), QStringLiteral("12.5"));
}

void ValueFieldsTest::aValueSetWhileTypingDoesNotDisturbTheTyping() {
    QTest::keyClicks(m_real, QStringLiteral("12"));
    m_real->setValue(900);
    QCOMPARE(m_real->text(), QStringLiteral("12"));
    QTest::keyClick(m_real, Qt::Key_Escape);
    QCOMPARE(m_real->text(), QStringLiteral("900"));
}

void ValueFieldsTest::aWarningIsShownAndSpoken() {
    m_integer->setWarning(QStringLiteral("does not divide 16"));
    QCOMPARE(fieldState(m_integer), FieldState::Warning);
    QCOMPARE(m_integer->accessibleDescription(), QStringLiteral("does not divide 16"));
    m_integer->setWarning({});
    QCOMPARE(fieldState(m_integer), FieldState::Normal);
}

void ValueFieldsTest::wholeNumbersBeyond32Bits() {
    m_integer->setFocus();
    m_integer->selectAll();
    QTest::keyClicks(m_integer, QStringLiteral("12,000,000,000,000"));
    QTest::keyClick(m_integer, Qt::Key_Return);
    QCOMPARE(m_integer->value(), qint64(12'000'000'000'000));
    m_integer->selectAll();
    QTest::keyClicks(m_integer, QStringLiteral("2.5"));
    QTest::keyClick(m_integer, Qt::Key_Return);
    QCOMPARE(fieldState(m_integer), FieldState::Rejected);
    QCOMPARE(m_integer->value(), qint64(12'000'000'000'000));
}

void ValueFieldsTest::aStepperGoesToTheNextThatDivides() {
    m_integer->setStepper([](qint64 value, int steps) { return steps > 0 ? value * 2 : value / 2; });
    m_integer->setFocus();
    QTest::keyClick(m_integer, Qt::Key_Up);
    QCOMPARE(m_integer->value(), qint64(16));
}

void ValueFieldsTest::plainNumbersRoundTrip() {
    for (const double value : {0.0, 1.0, -8.0, 0.125, 16384.0, 1.5e12, 2.5e-9})
        QCOMPARE(plain_numbers::parseReal(plain_numbers::text(value), {}).value(), value);
    for (const qint64 value : {qint64(0), qint64(-8), qint64(1) << 60})
        QCOMPARE(plain_numbers::parseInteger(plain_numbers::text(value), {}).value(), value);
    QCOMPARE(plain_numbers::text(qint64(16384)), QStringLiteral("16,384"));
    QVERIFY(!plain_numbers::parseReal(QStringLiteral("nan"), {}));
    QVERIFY(!plain_numbers::parseReal(QStringLiteral("inf"), {}));
    QVERIFY(!plain_numbers::parseReal(QStringLiteral("3 GB"), QStringLiteral("Gb/s")));
}

LISTED_TEST(ValueFieldsTest)
#include "tst_value_fields.moc"
