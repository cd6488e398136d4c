// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window_fixture.h"

#include "memory/memory_run.h"
#include "search/search_answer.h"

#include <optional>

namespace meshwright {

/// Repeats the simulations behind the views' own figures: searches, fits, the executed step.
class ViewProcedures {
public:
    explicit ViewProcedures(WindowFixture &fixture)
        : m_fixture(fixture) { }

    /// Returns nothing for an unknown simulation. @param path path of the opened figure @param root derivation of that
    /// figure, which contains the node
    std::optional<double> runAgain(const QString &figure, const Derivation &root, const Derivation &node);

private:
    const SearchAnswer &searched();
    std::optional<double> foundAgain(const QString &figure, const Derivation &node);
    std::optional<double> fittedAgain(const QString &figure, const Derivation &node) const;
    std::optional<double> executedAgain(const QString &figure, const Derivation &root, const Derivation &node);

    WindowFixture &m_fixture;
    SearchAnswerPointer m_searched;
    MemoryRun m_executed;
};

} // namespace meshwright
