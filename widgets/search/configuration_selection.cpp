// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/configuration_selection.h"
#include "figures/figure_ref.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

/// Relative tolerance of comparisons, to ignore rounding errors.
constexpr double rounding = 1e-6;

std::optional<ColumnId> columnOf(const QString &key) {
    const std::vector<ConfigurationColumn> &columns = layoutColumns();
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].key.startsWith(key, Qt::CaseInsensitive))
            return static_cast<ColumnId>(i);
    return std::nullopt;
}

bool holds(double value, const QString &comparison, double number) {
    const double slack = rounding * std::max(1.0, std::abs(number));
    if (comparison == QStringLiteral("<"))
        return value < number - slack;
    if (comparison == QStringLiteral(">"))
        return value > number + slack;
    if (comparison == QStringLiteral("<="))
        return value <= number + slack;
    if (comparison == QStringLiteral(">="))
        return value >= number - slack;
    const bool equal = std::abs(value - number) <= slack;
    return comparison == QStringLiteral("!=") ? !equal : equal;
}

} // namespace

const std::vector<LayoutRow> &ConfigurationSelection::rows() const {
    static const std::vector<LayoutRow> none;
    if (!m_rows.empty())
        return m_rows;
    return m_answer ? m_answer->rows : none;
}

int ConfigurationSelection::offered() const {
    const LayoutRow *row = m_answer ? m_answer->offeredRow() : nullptr;
    return row != nullptr ? static_cast<int>(row - m_answer->rows.data()) : -1; // pins come after the answer's rows
}

void ConfigurationSelection::setAnswer(SearchAnswerPointer answer) {
    std::optional<Plan> chosen;
    if (m_chosen >= 0 && m_chosen < int(rows().size()))
        chosen = rows()[static_cast<std::size_t>(m_chosen)].entry.plan;
    m_answer = std::move(answer);
    gather();
    m_figures = m_answer ? ConfigurationFigures(*m_answer) : ConfigurationFigures();
    m_pointed = -1;
    m_chosen = -1;
    for (std::size_t i = 0; chosen && i < rows().size() && m_chosen < 0; ++i)
        if (rows()[i].entry.plan == *chosen)
            m_chosen = int(i);
    sift();
    Q_EMIT answerChanged();
    Q_EMIT chosenChanged(m_chosen);
}

void ConfigurationSelection::togglePin(int row) {
    if (row < 0 || row >= static_cast<int>(rows().size()))
        return;
    LayoutRow pinned = rows()[static_cast<std::size_t>(row)];
    if (!pinned.pin.isEmpty()) {
        std::erase_if(m_pins, [&](const LayoutRow &pin) { return pin.pin == pinned.pin; });
    } else {
        if (m_pins.size() == maxPins)
            m_pins.erase(m_pins.begin());
        for (char16_t letter = u'A'; pinned.pin.isEmpty(); ++letter)
            if (std::none_of(m_pins.begin(), m_pins.end(),
                             [&](const LayoutRow &pin) { return pin.pin == QChar(letter); }))
                pinned.pin = QChar(letter);
        pinned.present = false;
        pinned.rank = 0;
        pinned.onFront = false;
        m_pins.push_back(std::move(pinned));
    }
    setAnswer(m_answer);
}

/// Marks the pinned rows of the answer, and appends pins that the answer does not list.
void ConfigurationSelection::gather() {
    m_rows.clear();
    if (!m_answer || m_pins.empty())
        return;
    m_rows = m_answer->rows;
    for (LayoutRow &pin : m_pins) {
        const auto listed = std::find_if(m_answer->rows.begin(), m_answer->rows.end(),
                                         [&](const LayoutRow &row) { return row.entry.plan == pin.entry.plan; });
        pin.elsewhere = listed == m_answer->rows.end();
        if (pin.elsewhere)
            m_rows.push_back(pin);
        else
            m_rows[static_cast<std::size_t>(listed - m_answer->rows.begin())].pin = pin.pin;
    }
}

std::optional<ConfigurationSelection::Condition> ConfigurationSelection::conditionOf(const QString &token) {
    static const QRegularExpression comparison(QStringLiteral("^([\\w.]+)(<=|>=|!=|=|<|>)(.+)$"));
    const QRegularExpressionMatch match = comparison.match(token);
    if (!match.hasMatch())
        return Condition{.column = {}, .comparison = {}, .number = 0, .word = token};
    const std::optional<ColumnId> column = columnOf(match.captured(1));
    bool isNumber = false;
    const double number = match.captured(3).toDouble(&isNumber);
    const bool isText = column && layoutColumns()[static_cast<std::size_t>(*column)].isText;
    if (!column || (!isNumber && !isText))
        return std::nullopt;
    return Condition{.column = column,
                     .comparison = match.captured(2),
                     .number = number,
                     .word = isText ? match.captured(3) : QString()};
}

FigureRef ConfigurationSelection::pathOf(const LayoutRow &row, const QString &figure) const {
    if (row.elsewhere) // a pin that is no longer listed has figures of an earlier plan
        return {};
    if (row.present || figure.isEmpty() || !m_patchOf)
        return row.present ? FigureRef(figure) : FigureRef();
    return FigureRef::ofChanged(figure, m_patchOf(row.entry));
}

FigureRef ConfigurationSelection::pathOf(const LayoutRow &row, ColumnId column) const {
    if (column != ColumnId::gain)
        return pathOf(row, layoutColumns()[static_cast<std::size_t>(column)].figure);
    return gainPathOf(row, m_figures.compared());
}

FigureRef ConfigurationSelection::gainPathOf(const LayoutRow &row, const QString &figure) const {
    if (row.present || row.elsewhere || !m_patchOf)
        return {};
    return FigureRef::shareGained(figure, m_patchOf(row.entry));
}

QString ConfigurationSelection::setFilter(const QString &text) {
    QStringList unknown;
    m_conditions.clear();
    const QStringList tokens = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString &token : tokens) {
        if (std::optional<Condition> condition = conditionOf(token))
            m_conditions.push_back(std::move(*condition));
        else
            unknown << token;
    }
    sift();
    Q_EMIT leftChanged();
    return unknown.join(QLatin1Char(' '));
}

bool ConfigurationSelection::passes(const LayoutRow &row, const Condition &condition) const {
    if (condition.column && condition.word.isEmpty())
        return holds(m_figures.value(row, *condition.column), condition.comparison, condition.number);
    if (condition.column) {
        const QStringList names = m_figures.names(row, *condition.column);
        // A complete name matches only that value, so 1f1b does not match Seq1F1B. A part of a name matches all values
        // that contain it.
        const bool there = ConfigurationFigures::isName(*condition.column, condition.word)
            ? names.contains(condition.word, Qt::CaseInsensitive)
            : std::any_of(names.begin(), names.end(),
                          [&](const QString &name) { return name.contains(condition.word, Qt::CaseInsensitive); });
        return condition.comparison == QStringLiteral("!=") ? !there : there;
    }
    const std::vector<ConfigurationColumn> &columns = layoutColumns();
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].isText
            && m_figures.text(row, static_cast<ColumnId>(i)).contains(condition.word, Qt::CaseInsensitive))
            return true;
    return false;
}

void ConfigurationSelection::setBrush(ColumnId column, const std::optional<ColumnRange> &range) {
    if (brush(column) == range)
        return;
    if (range)
        m_brushes.insert(static_cast<int>(column), *range);
    else
        m_brushes.remove(static_cast<int>(column));
    sift();
    Q_EMIT leftChanged();
}

std::optional<ColumnRange> ConfigurationSelection::brush(ColumnId column) const {
    const auto found = m_brushes.constFind(static_cast<int>(column));
    return found == m_brushes.constEnd() ? std::nullopt : std::optional(*found);
}

void ConfigurationSelection::clearBrushes() {
    if (m_brushes.isEmpty())
        return;
    m_brushes.clear();
    sift();
    Q_EMIT leftChanged();
}

void ConfigurationSelection::sift() {
    const std::vector<LayoutRow> &all = rows();
    m_left.assign(all.size(), true);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].pin.isEmpty())
            continue;
        for (auto brush = m_brushes.cbegin(); brush != m_brushes.cend() && m_left[i]; ++brush) {
            const double value = m_figures.value(all[i], static_cast<ColumnId>(brush.key()));
            m_left[i] = value >= brush->low && value <= brush->high;
        }
        m_left[i] = m_left[i] && std::all_of(m_conditions.begin(), m_conditions.end(), [&](const Condition &condition) {
                        return passes(all[i], condition);
                    });
    }
    m_leftCount = static_cast<int>(std::count(m_left.begin(), m_left.end(), true));
}

void ConfigurationSelection::choose(int row) {
    if (row == m_chosen)
        return;
    m_chosen = row;
    Q_EMIT chosenChanged(row);
}

void ConfigurationSelection::point(int row) {
    if (row == m_pointed)
        return;
    m_pointed = row;
    Q_EMIT pointedChanged(row);
}

} // namespace meshwright
