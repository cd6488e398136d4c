// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/hover_card.h"
#include "controls/card.h"
#include "every_page.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "listed_test.h"
#include "recomputation.h"

#include <QHelpEvent>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <map>
#include <set>

using namespace meshwright;

namespace {

constexpr QSize large{2560, 1440};

/// Whether a number has a unit. In a sentence or heading, such numbers must open a derivation; others are names and
/// settings: "stage 0", "up to tensor 2", "80% interval".
bool hasUnit(const PaintedNumber &number) {
    static const QRegularExpression unit(
        QStringLiteral("^ ([kMGTP]?B|[kMGT]?B/s|[kMGT]?b/s|s|ms|µs|min|h|days|\\$|[A-Z]?FLOP)(?![\\w])"));
    if (number.rest.startsWith(QLatin1Char('%')))
        return number.number.contains(QLatin1Char('.'));
    return unit.match(number.rest).hasMatch();
}

bool opens(const QWidget *widget, const FigureSource &source, const PaintedNumber &number) {
    const QPoint place = number.middle.toPoint();
    if (source.opensAt(place) || source.isScaleAt(place))
        return true;
    const bool saysWords = qobject_cast<const FigureSentence *>(widget) || qobject_cast<const CardHeading *>(widget);
    return saysWords && !hasUnit(number);
}

/// A widget and its parents: "TextLabel < Card < ProblemRow problem0".
QString whereabouts(const QWidget *widget) {
    QStringList steps;
    for (; widget != nullptr && !widget->isWindow() && steps.size() < 4; widget = widget->parentWidget())
        steps << QString(QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName())
                     .remove(QStringLiteral("meshwright::"))
                     .trimmed();
    return steps.join(QStringLiteral(" < "));
}

bool showsFirstLevel(WindowFixture &fixture, QWidget *widget, const QPoint &place) {
    QHelpEvent pointed(QEvent::ToolTip, place, widget->mapToGlobal(place));
    QCoreApplication::sendEvent(widget, &pointed);
    const QList<HoverCard *> cards = fixture.window().findChildren<HoverCard *>();
    const bool shown = std::any_of(cards.begin(), cards.end(), [](const HoverCard *card) { return card->isVisible(); });
    QEvent left(QEvent::Leave);
    QCoreApplication::sendEvent(widget, &left);
    return shown;
}

/// Findings of a walk over all pages of a plan.
struct Walk {
    QStringList closed; ///< numbers that do not open
    QStringList unmade; ///< figures without a derivation, or that do not show its first level when hovered
    QStringList otherwise; ///< nodes whose value does not follow from their inputs
    int numbers = 0;
    int figures = 0;
    int nodes = 0;
    int simulationsOfViews = 0;
    int simulationsOfPlans = 0;
    int simulationsOfOtherPlans = 0;
};

class Walker {
public:
    explicit Walker(const QString &plan)
        : m_fixture(plan, large)
        , m_recomputation(m_fixture) { }

    Walk walked() {
        showEachPage(m_fixture, [this](const QString &page) {
            readPage(m_fixture, [&](QWidget *widget, const FigureSource *source, const PaintedNumber &number) {
                read(page, widget, source, number);
            });
        });
        m_walk.closed.removeDuplicates();
        m_walk.otherwise = m_recomputation.wrong();
        m_walk.nodes = m_recomputation.nodes();
        m_walk.simulationsOfViews = m_recomputation.simulationsOfViews();
        m_walk.simulationsOfPlans = m_recomputation.simulationsOfPlans();
        m_walk.simulationsOfOtherPlans = m_recomputation.simulationsOfOtherPlans();
        return m_walk;
    }

private:
    void read(const QString &page, QWidget *widget, const FigureSource *source, const PaintedNumber &number) {
        ++m_walk.numbers;
        if (source == nullptr || !opens(widget, *source, number))
            m_walk.closed
                << QStringLiteral("%1: %2 in \"%3\" of %4").arg(page, number.number, number.text, whereabouts(widget));
        const QPoint place = number.middle.toPoint();
        const FigureRef figure = source == nullptr ? FigureRef() : source->figureAt(place);
        if (figure.isEmpty() || !m_seen.insert(figure).second)
            return;
        ++m_walk.figures;
        if (!m_fixture.explained(figure))
            m_walk.unmade << QStringLiteral("%1: %2 of \"%3\" has no derivation").arg(page, figure.name(), number.text);
        else if (!source->hasOwnHover(place) && !showsFirstLevel(m_fixture, widget, place))
            m_walk.unmade << QStringLiteral("%1: %2 of \"%3\" shows nothing").arg(page, figure.name(), number.text);
        else
            m_recomputation.expect(figure);
    }

    WindowFixture m_fixture;
    Recomputation m_recomputation;
    std::set<FigureRef> m_seen;
    Walk m_walk;
};

bool isEmpty(const QStringList &wrong) {
    for (const QString &each : wrong)
        qWarning("%s", qPrintable(each));
    return wrong.isEmpty();
}

} // namespace

/// Reads the numbers back from what is painted, so that none is missed because of how it is shown.
class EveryPageTest : public QObject {
    Q_OBJECT

private:
    /// Each plan is walked once.
    const Walk &walk() {
        QFETCH(QString, plan);
        const auto found = m_walks.find(plan);
        return found != m_walks.end() ? found->second : m_walks.emplace(plan, Walker(plan).walked()).first->second;
    }

    std::map<QString, Walk> m_walks;

private Q_SLOTS:
    void a_number_that_is_painted_opens_data() { addWalkedPlans(); }
    void a_number_that_is_painted_opens() {
        QVERIFY(isEmpty(walk().closed));
        QVERIFY2(walk().numbers > 200, qPrintable(QString::number(walk().numbers)));
    }

    void what_opens_has_a_making_and_shows_its_first_level_data() { addWalkedPlans(); }
    void what_opens_has_a_making_and_shows_its_first_level() {
        QVERIFY(isEmpty(walk().unmade));
        QVERIFY2(walk().figures > 60, qPrintable(QString::number(walk().figures)));
    }

    void every_node_is_what_its_inputs_give_data() { addWalkedPlans(); }
    void every_node_is_what_its_inputs_give() {
        QVERIFY(isEmpty(walk().otherwise));
        qInfo("%d nodes, %d simulations of views, %d of the plan, %d of others", walk().nodes,
              walk().simulationsOfViews, walk().simulationsOfPlans, walk().simulationsOfOtherPlans);
        QVERIFY(walk().nodes > 1000);
        QVERIFY(walk().simulationsOfViews > 60);
        QVERIFY(walk().simulationsOfPlans > 20);
        QVERIFY(walk().simulationsOfOtherPlans > 20);
    }
};

LISTED_TEST(EveryPageTest)
#include "tst_every_page.moc"
