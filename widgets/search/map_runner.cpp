// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/map_runner.h"

#include "input/diagnostic.h"

namespace meshwright {

MapRunner::MapRunner(const Library &library, QObject *parent)
    : QObject(parent)
    , m_library(library)
    , m_worker(
          this, [this](const Numbered &numbered, const std::stop_token &stop) { return answer(numbered, stop); },
          [this](const MapAnswer &found) { Q_EMIT answered(found); }) { }

void MapRunner::ask(const MapQuestion &question) {
    if (m_question == question)
        return;
    m_question = question;
    m_worker.ask({.number = ++m_number, .question = question});
}

void MapRunner::cancel() {
    ++m_number; // drops cells that are already queued
    m_question.reset();
    m_worker.cancel();
}

MapAnswer MapRunner::answer(const Numbered &numbered, const std::stop_token &stop) {
    const std::uint64_t number = numbered.number;
    const auto publish = [this, number](const ConfigurationMap &map) {
        QMetaObject::invokeMethod(
            this,
            [this, number, found = MapAnswer{std::make_shared<const ConfigurationMap>(map), {}}] {
                if (number == m_number)
                    Q_EMIT answered(found);
            },
            Qt::QueuedConnection);
    };
    try {
        return {std::make_shared<const ConfigurationMap>(
                    configuration_map(numbered.question, m_library, *EvidenceTable::standard(), stop, publish)),
                {}};
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        return {{}, QString::fromStdString(first.message.text + "; " + first.expected.text)};
    }
}

} // namespace meshwright
