// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_text.h"
#include "listed_test.h"
#include "window_fixture.h"

#include "catalog/library.h"
#include "controls/choice_box.h"
#include "controls/disclosure.h"
#include "controls/folding_section.h"
#include "controls/integer_box.h"
#include "controls/quantity_box.h"
#include "controls/searchable_combo.h"
#include "controls/segmented.h"
#include "controls/stepped_slider.h"
#include "controls/text_field.h"
#include "controls/toggle_switch.h"
#include "evaluate/evaluate.h"
#include "file_controller.h"
#include "panels/panel_column.h"
#include "panels/plan_panel.h"
#include "plan/plan_json.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QWheelEvent>
#include <QWindow>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

constexpr int longestMilliseconds = 9'000; ///< time limit of one script on a slow machine
constexpr int stepsAtMost = 150;

/// The texts shown by the fields of the panels, by JSON pointer.
using Shown = QMap<QString, QString>;

QString shownBy(const QWidget *control) {
    if (const auto *field = qobject_cast<const ValueField *>(control))
        return QString(field->text() + QLatin1Char(' ') + field->unit());
    if (const auto *text = qobject_cast<const TextField *>(control))
        return text->text();
    if (const auto *box = qobject_cast<const QComboBox *>(control))
        return box->currentText();
    if (const auto *toggle = qobject_cast<const ToggleSwitch *>(control))
        return toggle->isChecked() ? QStringLiteral("on") : QStringLiteral("off");
    if (const auto *segments = qobject_cast<const Segmented *>(control))
        return QString::number(segments->currentIndex());
    if (const auto *combo = qobject_cast<const SearchableCombo *>(control))
        return combo->text();
    return {};
}

/// Whether a field is marked as not showing the plan's value, or is being typed in.
bool isApart(const QWidget *control) {
    if (const auto *field = qobject_cast<const ValueField *>(control))
        return !field->rejection().isEmpty() || field->hasPendingText();
    if (const auto *text = qobject_cast<const TextField *>(control))
        return !text->rejection().isEmpty() || text->hasPendingText();
    return false;
}

void openAll(PanelColumn &panels) {
    for (FoldingSection *section : panels.findChildren<FoldingSection *>())
        section->setFolded(false);
    for (Disclosure *disclosure : panels.findChildren<Disclosure *>())
        disclosure->setOpen(true);
}

/// Typing that was undone can be redone until something is committed.
bool mayRedoText(const QWidget &focus) {
    const auto *line = qobject_cast<const QLineEdit *>(&focus);
    if (line == nullptr)
        line = focus.findChild<QLineEdit *>();
    return line != nullptr && line->isRedoAvailable();
}

QMap<QString, QWidget *> controlsOf(PanelColumn &panels) {
    QMap<QString, QWidget *> controls;
    for (PlanPanel *panel : panels.findChildren<PlanPanel *>())
        for (const QString &pointer : panel->pointers())
            if (QWidget *control = panel->fieldAt(pointer); control->isVisibleTo(panel))
                controls.insert(panel->objectName() + pointer, control);
    return controls;
}

/// Drives the window at random with keys and the mouse, next to a column of panels that only displays the plan. The
/// window's fields must always show the same texts as these panels.
class Script {
public:
    explicit Script(quint32 seed)
        : m_random(seed)
        , m_fixture(QStringLiteral("preset:ten-to-25"))
        , m_panels(m_fixture.window().findChild<PanelColumn *>()) {
        openAll(*m_panels);
        QCoreApplication::processEvents();
        for (QWidget *control : controlsOf(*m_panels))
            m_fields.append(control);
        m_fixture.prompts.path = m_fixture.file(QStringLiteral("script.plan"));
        m_fixture.prompts.answer = SaveAnswer::Save;
    }

    /// Runs the script. Returns what did not hold after the last step; empty if everything held.
    QString run() {
        QElapsedTimer clock;
        clock.start();
        for (int step = 0; step < stepsAtMost && clock.elapsed() < longestMilliseconds; ++step) {
            take(step);
            if (const QString wrong = check(); !wrong.isEmpty())
                return wrong;
        }
        return {};
    }
    const QStringList &steps() const { return m_steps; }

private:
    int below(int bound) { return int(m_random.bounded(bound)); }
    template <typename Value>
    Value oneOf(const QVector<Value> &values) {
        return values.at(below(int(values.size())));
    }
    void said(const QString &step) { m_steps.append(step); }

    void take(int step) {
        // Every run saves once early, so that opening and saving again have a file.
        const int kind = step == 3 ? 92 : below(100);
        if (kind < 40)
            type();
        else if (kind < 52)
            drag();
        else if (kind < 60)
            pressArrows();
        else if (kind < 66)
            pick();
        else if (kind < 70)
            turnWheel();
        else if (kind < 82)
            undo(Qt::ControlModifier, QStringLiteral("undo"));
        else if (kind < 90)
            undo(Qt::ControlModifier | Qt::ShiftModifier, QStringLiteral("redo"));
        else if (kind < 96)
            save();
        else
            open();
    }

    QWidget *focusOn(QWidget *control) {
        control->setFocus(Qt::TabFocusReason);
        return control->focusProxy() != nullptr ? control->focusProxy() : control;
    }

    template <typename Control>
    Control *any() {
        QVector<Control *> found;
        for (QWidget *field : m_fields)
            if (auto *control = qobject_cast<Control *>(field); control != nullptr && control->isVisible())
                found.append(control);
        return found.isEmpty() ? nullptr : oneOf(found);
    }

    void type() {
        static const QVector<QString> texts{
            QStringLiteral("1"),     QStringLiteral("2"),    QStringLiteral("4"),      QStringLiteral("7"),
            QStringLiteral("8"),     QStringLiteral("16"),   QStringLiteral("64"),     QStringLiteral("4096"),
            QStringLiteral("1e3"),   QStringLiteral("0.5"),  QStringLiteral("abc"),    QStringLiteral("-1"),
            QStringLiteral("1e99"),  QStringLiteral("1,"),   QStringLiteral("2 GB/s"), QStringLiteral("50 ms"),
            QStringLiteral("10 %"),  QStringLiteral("fast"), QStringLiteral("12e"),    QStringLiteral("1 h 100 %"),
            QStringLiteral("  16 "), QStringLiteral("0")};
        QWidget *field = below(5) == 0 ? static_cast<QWidget *>(any<TextField>()) : any<ValueField>();
        if (field == nullptr)
            return;
        focusOn(field);
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        const QString text = oneOf(texts);
        QTest::keyClicks(field, text);
        const int end = below(6);
        said(QStringLiteral("%1: \"%2\" %3").arg(field->objectName(), text).arg(end));
        if (end < 3)
            QTest::keyClick(field, Qt::Key_Return);
        else if (end == 3)
            QTest::keyClick(field, Qt::Key_Tab);
        else if (end == 4)
            QTest::keyClick(field, Qt::Key_Escape);
        // otherwise the text stays half-typed for the next step
    }

    void drag() {
        QVector<SteppedSlider *> sliders;
        for (SteppedSlider *slider : m_panels->findChildren<SteppedSlider *>())
            if (slider->isVisible() && slider->stops().size() > 1)
                sliders.append(slider);
        if (sliders.isEmpty())
            return;
        SteppedSlider *slider = oneOf(sliders);
        const auto at = [&] {
            return QPoint(qRound(slider->positionOf(below(int(slider->stops().size())))), slider->height() / 2);
        };
        QStringList stops;
        QTest::mousePress(slider, Qt::LeftButton, {}, at());
        for (int moves = below(4); moves > 0; --moves) {
            QTest::mouseMove(slider, at());
            stops << QString::number(slider->stop());
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, at());
        said(QStringLiteral("drag %1: %2").arg(slider->objectName(), stops.join(QLatin1Char(' '))));
    }

    void pressArrows() {
        QWidget *field = below(2) == 0 ? static_cast<QWidget *>(any<ValueField>()) : any<QComboBox>();
        if (field == nullptr)
            return;
        focusOn(field);
        const Qt::Key key = below(2) == 0 ? Qt::Key_Up : Qt::Key_Down;
        const int times = 1 + below(3);
        for (int i = 0; i < times; ++i)
            QTest::keyClick(field, key);
        said(QStringLiteral("%1: arrow %2 %3 times")
                 .arg(field->objectName())
                 .arg(key == Qt::Key_Up ? 1 : -1)
                 .arg(times));
    }

    void pick() {
        if (below(2) == 0) {
            if (auto *toggle = any<ToggleSwitch>(); toggle != nullptr) {
                QTest::mouseClick(toggle, Qt::LeftButton);
                said(QStringLiteral("%1: clicked").arg(toggle->objectName()));
            }
        } else if (auto *segments = any<Segmented>(); segments != nullptr) {
            focusOn(segments);
            QTest::keyClick(segments, below(2) == 0 ? Qt::Key_Left : Qt::Key_Right);
            said(QStringLiteral("%1: %2").arg(segments->objectName()).arg(segments->currentIndex()));
        }
    }

    void turnWheel() {
        auto *field = any<QWidget>();
        if (field == nullptr)
            return;
        const QString before = textOf(m_fixture.json());
        const QPointF at(5, 5);
        QWheelEvent wheel(at, field->mapToGlobal(at), {}, QPoint(0, below(2) == 0 ? 120 : -120), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(field, &wheel);
        said(QStringLiteral("wheel over %1").arg(field->objectName()));
        if (textOf(m_fixture.json()) != before)
            m_wrong = QStringLiteral("the wheel has edited the plan");
    }

    void undo(Qt::KeyboardModifiers modifiers, const QString &name) {
        QWidget *focus = m_fixture.window().focusWidget();
        if (focus == nullptr)
            focus = &m_fixture.window();
        const QUndoStack &steps = *m_fixture.document().undoStack();
        const bool redoes = modifiers.testFlag(Qt::ShiftModifier);
        const bool typing = isApart(focus) || (redoes && mayRedoText(*focus));
        const int from = steps.index();
        const int to = redoes ? std::min(from + 1, steps.count()) : std::max(from - 1, 0);
        QTest::keyClick(focus, Qt::Key_Z, modifiers);
        said(name);
        if (steps.index() != (typing ? from : to))
            m_wrong = QStringLiteral("step %1 of the plan after step %2, typing: %3")
                          .arg(steps.index())
                          .arg(from)
                          .arg(typing);
    }

    void save() {
        QTest::keyClick(&m_fixture.window(), Qt::Key_S, Qt::ControlModifier);
        said(QStringLiteral("save"));
        if (m_fixture.document().isModified())
            m_wrong = QStringLiteral("saved, and yet changed");
        m_saved = m_fixture.json();
    }

    void open() {
        if (m_saved.is_null())
            return;
        const QWidget *focus = m_fixture.window().focusWidget();
        const bool typing = focus != nullptr && isApart(focus);
        m_fixture.prompts.answer = SaveAnswer::Discard;
        m_fixture.window().files()->openFile(m_fixture.prompts.path);
        m_fixture.prompts.answer = SaveAnswer::Save;
        said(typing ? QStringLiteral("open, while typing") : QStringLiteral("open"));
        if (textOf(m_fixture.json()) != textOf(m_saved))
            m_wrong = QStringLiteral("what was saved is not what was opened");
    }

    QString check() {
        if (!m_wrong.isEmpty())
            return m_wrong;
        // Waits for all threads only now and then; in between, edits overtake evaluations as a user's edits do.
        if (below(4) != 0) {
            QCoreApplication::processEvents();
            return checkFields();
        }
        if (!m_fixture.settle())
            return QStringLiteral("not evaluated in time");
        const QString wrong = checkFields();
        return wrong.isEmpty() ? checkFigures() : wrong;
    }

    /// Compares with panels that were never typed in.
    QString checkFields() {
        const PlanView &view = m_fixture.session().view();
        if (textOf(*view.document) != textOf(m_fixture.json()))
            return QStringLiteral("the panels are shown another document");
        PanelColumn fresh(Library::standard());
        fresh.showPlan(view);
        openAll(fresh);
        const QMap<QString, QWidget *> expected = controlsOf(fresh);
        const QMap<QString, QWidget *> shown = controlsOf(*m_panels);
        for (auto field = expected.cbegin(); field != expected.cend(); ++field) {
            const QWidget *control = shown.value(field.key());
            if (control == nullptr)
                return QStringLiteral("%1 is not shown").arg(field.key());
            if (!isApart(control) && shownBy(control) != shownBy(field.value()))
                return QStringLiteral("%1 shows \"%2\", the plan has \"%3\"")
                    .arg(field.key(), shownBy(control), shownBy(field.value()));
        }
        for (SteppedSlider *slider : fresh.findChildren<SteppedSlider *>())
            if (const auto *own = m_panels->findChild<SteppedSlider *>(slider->objectName());
                !slider->objectName().isEmpty() && own->stop() != slider->stop())
                return QStringLiteral("%1 stands on %2, the plan has %3")
                    .arg(slider->objectName())
                    .arg(own->stop())
                    .arg(slider->stop());
        return {};
    }

    /// The figures shown for a valid plan must belong to it, not to an earlier plan.
    QString checkFigures() {
        const PlanView &view = m_fixture.session().view();
        const PlanReading reading = read_plan(m_fixture.json(), Library::standard());
        if (view.valid != (reading.valid() && view.freshness == Freshness::Fresh))
            return QStringLiteral("valid and invalid are mixed up");
        if (!view.valid)
            return {};
        const Result own = evaluate(reading.plan, Depth::numbers);
        const Result &shown = *view.result;
        if (!(shown.plan == own.plan) || shown.step.seconds != own.step.seconds
            || shown.memory.peak_bytes != own.memory.peak_bytes || shown.run.seconds != own.run.seconds)
            return QStringLiteral("the figures are another plan's");
        return {};
    }

    QRandomGenerator m_random;
    WindowFixture m_fixture;
    PanelColumn *m_panels;
    QVector<QWidget *> m_fields;
    QStringList m_steps;
    ordered_json m_saved;
    QString m_wrong;
};

} // namespace

class EditPropertyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fields_show_the_plan_and_figures_are_its_own_after_every_step_data() {
        QTest::addColumn<quint32>("seed");
        QTest::newRow("first") << 21u;
        QTest::newRow("second") << 1001u;
    }

    void fields_show_the_plan_and_figures_are_its_own_after_every_step() {
        QFETCH(quint32, seed);
        Script script(seed);
        const QString wrong = script.run();
        if (!wrong.isEmpty())
            qWarning("script of seed %u:\n  %s", seed, qPrintable(script.steps().join(QStringLiteral("\n  "))));
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        QVERIFY2(script.steps().size() > 20, "too slow to say anything");
        qInfo("%d steps", int(script.steps().size()));
    }
};

LISTED_TEST(EditPropertyTest)
#include "tst_edit_property.moc"
