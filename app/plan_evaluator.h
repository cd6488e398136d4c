// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edit_command.h"
#include "evaluate/evaluate.h"
#include "models/latest_question.h"

#include <QObject>

#include <cstdint>

namespace meshwright {

class Library;

/// One document's answer. It comes twice: the numbers at once, then everything with the evaluated fixes.
struct Evaluation {
    std::uint64_t revision = 0;
    Outcome outcome;
    bool complete = false;
    double milliseconds = 0;
};

/// Evaluates documents on a thread of its own. The latest wins: a newer document takes the place of one that waits and
/// stops one that is looking for fixes, and answers of older revisions are dropped. The numbers of a document that has
/// begun are always finished, so that a long drag shows every stage that there is time for and never starves.
class PlanEvaluator : public QObject {
    Q_OBJECT

public:
    explicit PlanEvaluator(const Library &library, QObject *parent = nullptr);

    /// Returns the revision under which the answer will come.
    std::uint64_t submit(DocumentPointer document) { return m_documents.ask(std::move(document)); }
    /// Evaluations begun so far, for tests.
    std::uint64_t started() const { return m_documents.begun(); }

Q_SIGNALS:
    /// In the thread that this object lives in.
    void evaluated(const meshwright::Evaluation &evaluation);

private:
    void evaluate(std::uint64_t revision, const nlohmann::ordered_json &document, const std::stop_token &stop);
    void giveUp(Evaluation answer);
    void publish(Evaluation evaluation);

    const Library &m_library;
    std::uint64_t m_published = 0; ///< only the receiving thread reads and writes it
    Evaluation m_numbers; ///< of the document at work; only its thread reads and writes it
    LatestQuestion<DocumentPointer> m_documents; ///< last: its thread ends before anything above goes
};

} // namespace meshwright
