// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/figure_path.h"
#include "core/procedures_again.h"
#include "core/recomputed.h"
#include "evaluate/explain.h"
#include "every_page.h"
#include "explain/figure_trees.h"
#include "view_procedures.h"

#include <QSet>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

using namespace meshwright;

namespace {

constexpr QSize large{2560, 1440};

bool isSame(double again, const Derivation &node) {
    double largest = std::abs(node.value); // differences of like terms leave rounding of theirs
    for (const Derivation &input : node.inputs)
        largest = std::max(largest, std::abs(input.value) * 1e-6);
    return std::abs(again - node.value) <= 1e-9 * std::max(largest, 1e-9);
}

/// Works every node of a making out again from its inputs.
class Recomputation {
public:
    explicit Recomputation(WindowFixture &fixture)
        : m_fixture(fixture)
        , m_procedures(fixture) { }

    void expect(const QString &asked) {
        const QString path = m_fixture.window().book().resolved(asked);
        const FigureBook::Found found = m_fixture.explained(path);
        if (!found) {
            note(path, QStringLiteral("has no making"));
            return;
        }
        const QString scope = figurepath::scopeOf(path);
        m_listed = nullptr; // another tree may come to lie where the last one did
        m_path = path;
        while (figurepath::isGrowth(figurepath::scopeOf(m_path)))
            m_path = figurepath::variedOf(figurepath::scopeOf(m_path));
        m_refersByPath = figurepath::refersByPath(scope);
        m_isOfView = figurepath::isOfView(figurepath::scopeOf(m_path));
        // Of changes, schedules and variations core's own tests run the procedures.
        const QString own = figurepath::scopeOf(m_path);
        m_result = own.isEmpty() || figurepath::isOfPlan(own) ? found.result : nullptr;
        const FigureBook::Found kept = found; // while others are looked up
        if (m_refersByPath)
            expectNode(*kept.figure, *kept.figure);
        else if (figurepath::isVariation(scope)) // whose other figures are those of the same plans
            expectNode(*kept.figure, *kept.tree);
        else if (!m_trees.contains(figureTreeOf(path))) {
            m_trees.insert(figureTreeOf(path));
            expectNode(*kept.tree, *kept.tree);
        }
    }

    const QStringList &wrong() const { return m_wrong; }
    int nodes() const { return m_nodes; }
    int procedures() const { return m_run; }
    int proceduresOfPlans() const { return m_runOfPlans; }

private:
    void note(const QString &node, const QString &what) {
        m_wrong << QStringLiteral("%1 of %2: %3").arg(node, m_path.left(90), what);
    }

    void expectNode(const Derivation &node, const Derivation &root) {
        ++m_nodes;
        if (!isKnown(node)) {
            const QString name = QString::fromStdString(node.name + " = " + node.formula).left(120);
            const std::optional<double> again = valueAgain(node, root);
            if (!again)
                note(name, QStringLiteral("nothing gives it again"));
            else if (!isSame(*again, node))
                note(name, QStringLiteral("%1 is not %2").arg(*again, 0, 'g', 12).arg(node.value, 0, 'g', 12));
        }
        for (const Derivation &input : node.inputs)
            expectNode(input, root);
    }

    /// Whether a node of the same formula, inputs and value has been worked out before: trees of changes share most.
    bool isKnown(const Derivation &node) {
        if (m_isOfView || node.inputs.empty())
            return false;
        std::string said = node.formula + '|' + node.calculator + '|' + node.result;
        const auto say = [&said](const std::string &name, double value) {
            said += '|' + name + '=';
            said.append(reinterpret_cast<const char *>(&value), sizeof value);
        };
        say(node.name, node.value);
        for (const Derivation &input : node.inputs)
            say(input.name, input.value);
        if (node.origin == Origin::procedure && m_result != nullptr)
            said += m_result->plan.name; // what it runs on
        return !m_known.insert(std::hash<std::string>()(said)).second;
    }

    std::optional<double> valueAgain(const Derivation &node, const Derivation &root) {
        if (node.inputs.empty() && !node.figure.empty())
            return referred(node, root);
        if (node.origin == Origin::procedure && m_isOfView) {
            ++m_run;
            return m_procedures.runAgain(m_path, root, node);
        }
        if (node.origin == Origin::procedure) {
            if (m_result == nullptr || node.inputs.empty())
                return node.value;
            ++m_runOfPlans;
            return testing::run_again(*m_result, node);
        }
        return node.inputs.empty() ? node.value : testing::recomputed(node);
    }

    /// find_figure(), with the figures of a tree listed once: a large one refers to them thousands of times.
    const Derivation *figureOf(const Derivation &root, const std::string &name) {
        if (m_listed != &root) {
            m_listed = &root;
            m_figures.clear();
            for (const Derivation &figure : root.inputs)
                m_figures.try_emplace(figure.name, &figure);
        }
        const auto found = m_figures.find(name);
        return found != m_figures.end() ? found->second : find_figure(root, name);
    }

    /// What a figure that is explained elsewhere comes to there.
    std::optional<double> referred(const Derivation &node, const Derivation &root) {
        if (!m_refersByPath) {
            const Derivation *const figure = figureOf(root, node.figure);
            return figure != nullptr ? std::optional(figure->value) : std::nullopt;
        }
        const QString path = QString::fromStdString(node.figure);
        const FigureBook::Found found = m_fixture.explained(path);
        if (found && figurepath::isOfPlan(figurepath::scopeOf(path)))
            ++m_run;
        return found ? std::optional(found.figure->value) : std::nullopt;
    }

    WindowFixture &m_fixture;
    ViewProcedures m_procedures;
    QString m_path;
    bool m_refersByPath = false;
    bool m_isOfView = false; ///< or of what a view's figure comes to where a part of it grows
    QSet<QString> m_trees;
    QStringList m_wrong;
    int m_nodes = 0;
    int m_run = 0;
    int m_runOfPlans = 0;
    std::shared_ptr<const Result> m_result; ///< whose procedures are run; null where they are not
    std::unordered_set<std::size_t> m_known;
    const Derivation *m_listed = nullptr;
    std::unordered_map<std::string, const Derivation *> m_figures; ///< of the tree that is listed
};

} // namespace

class EveryRecomputationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_node_is_what_its_inputs_give_data() { addWalkedPlans(WalkedPlans::but_the_largest); }
    void every_node_is_what_its_inputs_give() {
        QFETCH(QString, plan);
        WindowFixture fixture(plan, large);
        Recomputation recomputation(fixture);
        QSet<QString> seen;
        showEachPage(fixture, [&](const QString &) {
            readPage(fixture, [&](QWidget *, const FigureSource *source, const PaintedNumber &number) {
                const QString path = source == nullptr ? QString() : source->figureAt(number.middle.toPoint());
                if (path.isEmpty() || path.startsWith(QLatin1Char('/')) || seen.contains(path))
                    return;
                seen.insert(path);
                recomputation.expect(path);
            });
        });
        for (const QString &each : recomputation.wrong())
            qWarning("%s", qPrintable(each));
        QVERIFY2(recomputation.wrong().isEmpty(), qPrintable(QString::number(recomputation.wrong().size())));
        QVERIFY2(recomputation.nodes() > 1000, qPrintable(QString::number(recomputation.nodes())));
        QVERIFY2(recomputation.procedures() > 60, qPrintable(QString::number(recomputation.procedures())));
        QVERIFY2(recomputation.proceduresOfPlans() > 20,
                 qPrintable(QString::number(recomputation.proceduresOfPlans())));
        qInfo("%d nodes, %d procedures of views, %d of plans", recomputation.nodes(), recomputation.procedures(),
              recomputation.proceduresOfPlans());
    }
};

QTEST_MAIN(EveryRecomputationTest)
#include "tst_every_recomputation.moc"
