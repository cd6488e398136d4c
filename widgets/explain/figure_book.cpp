// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_book.h"

#include "controls/figure_path.h"
#include "evaluate/explain.h"
#include "gantt/schedule_runner.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr int idleAfter = 150; ///< milliseconds

} // namespace

FigureBook::FigureBook(const Library &library, QObject *parent)
    : QObject(parent)
    , m_idle(new QTimer(this))
    , m_worker(
          this,
          [&library](const FigureSources &sources, const std::stop_token &) { return explainTrees(sources, library); },
          [this](const FigureTrees &trees) { receive(trees); }) {
    m_idle->setSingleShot(true);
    m_idle->setInterval(idleAfter);
    connect(m_idle, &QTimer::timeout, this, [this] { treeOf({}); });
}

void FigureBook::showPlan(const PlanView &view) {
    if (view.valid)
        m_sources.document = view.document;
    m_sources.opened = view.asOpened;
    if (view.result == m_sources.result)
        return;
    m_sources.result = view.result;
    m_worker.cancel();
    m_trees.clear();
    m_wanted.clear();
    if (m_sources.result)
        m_idle->start();
}

void FigureBook::keepRuns(const std::vector<DrawnSchedule> &schedules) {
    m_sources.runs.clear();
    for (const DrawnSchedule &schedule : schedules)
        m_sources.runs.push_back(schedule.run);
}

void FigureBook::addMaker(QLatin1String view, Maker maker) {
    m_makers[figurepath::scopeOf(figurepath::ofView({}, view))] = std::move(maker);
}

FigureBook::Found FigureBook::findOfView(const QString &path) const {
    const auto maker = m_makers.find(figurepath::scopeOf(path));
    if (maker == m_makers.end())
        return {};
    std::optional<Derivation> made = maker->second(figurepath::figureOf(path));
    if (!made)
        return {};
    const auto tree = std::make_shared<const Derivation>(std::move(*made));
    return {tree, tree.get()};
}

FigureBook::Found FigureBook::find(const QString &path) {
    if (path.isEmpty())
        return {};
    if (figurepath::isOfView(figurepath::scopeOf(path)))
        return findOfView(path);
    const std::shared_ptr<const Derivation> tree = treeOf(path);
    if (!tree)
        return {};
    const std::string name = identifier(figurepath::figureOf(path).toStdString());
    const Derivation *gain =
        figurepath::isChange(figurepath::scopeOf(path)) ? find_figure(*tree, "gain_" + name) : nullptr;
    return {tree, gain != nullptr ? gain : find_figure(*tree, name)};
}

bool FigureBook::isPending(const QString &path) const {
    return m_wanted.contains(figureTreeOf(path));
}

std::shared_ptr<const Derivation> FigureBook::treeOf(const QString &path) {
    if (!m_sources.result)
        return nullptr;
    const auto known = m_trees.find(figureTreeOf(path));
    if (known != m_trees.end())
        return known->second;
    want(path);
    return nullptr;
}

void FigureBook::want(const QString &path) {
    const QString key = figureTreeOf(path);
    if (m_wanted.contains(key))
        return;
    m_wanted.insert(key);
    m_sources.wanted.append(path);
    // What is being explained is wanted too: the rest is asked for after it.
    if (!m_worker.isBusy())
        ask();
}

void FigureBook::ask() {
    m_sources.wanted.removeIf([this](const QString &path) { return !m_wanted.contains(figureTreeOf(path)); });
    if (!m_sources.wanted.isEmpty())
        m_worker.ask(m_sources);
}

void FigureBook::receive(const FigureTrees &trees) {
    for (const auto &[key, tree] : trees) {
        m_trees[key] = tree;
        m_wanted.remove(key);
    }
    ask();
    Q_EMIT explained();
}

} // namespace meshwright
