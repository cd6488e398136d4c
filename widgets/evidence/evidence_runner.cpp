// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_runner.h"

#include "catalog/library.h"
#include "catalog/preset_file.h"
#include "evidence/column_mapping.h"
#include "input/diagnostic.h"

#include <QFileInfo>

#include <array>
#include <filesystem>
#include <utility>

namespace meshwright {

EvidenceRunner::EvidenceRunner(QObject *parent)
    : QObject(parent)
    , m_thread([this](const std::stop_token &ending) { work(ending); }) { }

EvidenceRunner::~EvidenceRunner() {
    const std::lock_guard lock(m_mutex);
    m_running.request_stop();
    m_thread.request_stop();
}

void EvidenceRunner::ask(const EvidenceQuestion &question) {
    const std::lock_guard lock(m_mutex);
    m_waiting = Job{++m_asked, question};
    m_running.request_stop();
    m_wake.notify_one();
}

bool EvidenceRunner::isLatest(std::uint64_t number) const {
    const std::lock_guard lock(m_mutex);
    return number == m_asked;
}

void EvidenceRunner::work(const std::stop_token &ending) {
    while (!ending.stop_requested()) {
        Job job;
        std::stop_token stop;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, ending, [this] { return m_waiting.has_value(); }))
                return;
            job = std::move(*std::exchange(m_waiting, std::nullopt));
            m_running = std::stop_source();
            stop = m_running.get_token();
        }
        EvidenceAnswer found = answer(job.question, stop);
        if (ending.stop_requested() || stop.stop_requested())
            continue;
        QMetaObject::invokeMethod(
            this,
            [this, number = job.number, found = std::move(found)] {
                if (!isLatest(number))
                    return;
                m_answered = number;
                Q_EMIT answered(found);
            },
            Qt::QueuedConnection);
    }
}

void EvidenceRunner::readFiles(const QStringList &files, EvidenceAnswer &answer) {
    std::vector<MeasuredRun> all = EvidenceTable::standard()->runs;
    for (const QString &file : files) {
        try {
            std::vector<MeasuredRun> own =
                measured_runs(as_run_table(read_csv(read_preset_text(std::filesystem::path(file.toStdString())))));
            for (MeasuredRun &run : own) {
                if (run.source.empty())
                    run.source = QFileInfo(file).fileName().toStdString();
                all.push_back(std::move(run));
            }
            answer.files.append(file);
        } catch (const InputError &error) {
            answer.problem =
                QString::fromStdString(one_line(QFileInfo(file).fileName().toStdString(), error.diagnostics()));
        } catch (const FileError &error) {
            answer.problem = QString::fromUtf8(error.what());
        }
    }
    m_table = answer.files.isEmpty() ? EvidenceTable::standard()
                                     : std::make_shared<const EvidenceTable>(
                                         evidence_table(std::move(all), RunRules::standard(), Library::standard()));
}

EvidenceAnswer EvidenceRunner::answer(const EvidenceQuestion &question, const std::stop_token &stop) {
    EvidenceAnswer found;
    if (m_table == nullptr || question.files != m_last.files) {
        readFiles(question.files, found);
        m_last.files = found.files;
        m_last.set = m_last.unchanged = nullptr;
    }
    found.files = m_last.files;
    if (m_last.unchanged == nullptr)
        m_last.unchanged = evidenceSetOf(m_table, {});
    if (question.overrides.empty())
        m_last.set = m_last.unchanged;
    else if (m_last.set == nullptr || m_last.set->overrides != question.overrides)
        m_last.set = evidenceSetOf(m_table, question.overrides);
    found.set = m_last.set;
    found.unchanged = m_last.unchanged;
    if (question.result && !stop.stop_requested()) {
        const std::array<std::string_view, 2> figures{"step.seconds", "memory.peak_bytes"};
        auto influences = sensitivities(*question.result, figures, stop);
        found.step = std::move(influences[0]);
        found.memory = std::move(influences[1]);
    }
    return found;
}

} // namespace meshwright
