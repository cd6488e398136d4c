// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window_fixture.h"

#include "memory/memory_run.h"
#include "search/search_answer.h"

#include <optional>

namespace meshwright {

/// Gives what simulations of the views' own figures come to by running them anew: searches, fits, the executed
/// step.
class ViewProcedures {
public:
    explicit ViewProcedures(WindowFixture &fixture)
        : m_fixture(fixture) { }

    /// Nothing if no such simulation is known. @param path  of the figure that is opened
    /// @param root  its derivation, that the node is a part of
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
