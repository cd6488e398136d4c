// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "advise/complete_result.h"
#include "edit_command.h"
#include "evaluate/evaluate.h"
#include "models/latest_question.h"

#include <QObject>

#include <cstdint>

namespace meshwright {

class Library;

/// Evaluation of a document. It is delivered twice: first with only the numbers, then complete, with evaluated fixes.
struct Evaluation {
    std::uint64_t revision = 0;
    Outcome outcome;
    bool complete = false;
    double milliseconds = 0;
};

/// Evaluates documents in its own thread. The latest document wins: it replaces a waiting document and stops the search
/// for fixes of an older one, and older answers are dropped. Once started, the calculation of a document's numbers
/// always finishes, so that a long drag shows intermediate results.
class PlanEvaluator : public QObject {
    Q_OBJECT

public:
    explicit PlanEvaluator(const Library &library, QObject *parent = nullptr);

    /// Submits a document. @returns the revision number that its answer will have
    std::uint64_t submit(DocumentPointer document) { return m_documents.ask(std::move(document)); }
    std::uint64_t started() const { return m_documents.begun(); }

Q_SIGNALS:
    /// Emitted in this object's thread.
    void evaluated(const meshwright::Evaluation &evaluation);

private:
    void evaluate(std::uint64_t revision, const nlohmann::ordered_json &document, const std::stop_token &stop);
    void giveUp(Evaluation answer);
    void publish(Evaluation evaluation);

    const Library &m_library;
    std::uint64_t m_published = 0; ///< accessed only by the receiving thread
    Evaluation m_numbers; ///< numbers of the current document; accessed only by the worker thread
    LatestQuestion<DocumentPointer>
        m_documents; ///< last member, so that its thread ends before the other members are destroyed
};

} // namespace meshwright
