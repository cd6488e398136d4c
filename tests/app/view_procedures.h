// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window_fixture.h"

#include "evidence/evidence_set.h"
#include "memory/memory_run.h"
#include "search/search_answer.h"

#include <QElapsedTimer>

#include <map>
#include <optional>

namespace meshwright {

/// Gives what procedures of the views' own figures come to by running them anew: searches, counts over measured runs,
/// fits, the executed step.
class ViewProcedures {
public:
    explicit ViewProcedures(WindowFixture &fixture);

    /// Nothing where no such procedure is known. @param path  of the figure that is opened
    /// @param root  its making, that the node is a part of
    std::optional<double> runAgain(const QString &figure, const Derivation &root, const Derivation &node);

private:
    const EvidenceSet &set(bool withoutOwn);
    const SearchAnswer &searched();
    std::optional<double> counted(const QString &figure, const Derivation &root, const Derivation &node);
    std::optional<double> countedOfEvidence(const QString &figure, const Derivation &root, const Derivation &node);
    std::optional<double> timed(const Derivation &node) const;
    std::optional<double> countedOfMap(const Derivation &node) const;
    std::optional<double> foundAgain(const QString &figure, const Derivation &node);
    std::optional<double> fittedAgain(const QString &figure, const Derivation &node) const;
    std::optional<double> executedAgain(const QString &figure, const Derivation &root, const Derivation &node);
    std::optional<double> intervalEnd(const QString &figure, const Derivation &node);

    WindowFixture &m_fixture;
    QElapsedTimer m_sinceBegin; ///< of the procedures' own clock
    std::map<bool, EvidenceSetPointer> m_sets; ///< by whether the plan's own constants are left out
    SearchAnswerPointer m_searched;
    MemoryRun m_executed;
};

} // namespace meshwright
