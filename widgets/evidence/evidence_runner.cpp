// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_runner.h"

#include "catalog/library.h"
#include "input/diagnostic.h"

#include <algorithm>
#include <array>
#include <exception>
#include <set>
#include <utility>

namespace meshwright {

namespace {

/// Formats the message after reloading a file: "mine.csv reloaded: 3 runs replaced, 1 added, 2 removed."
QString rereadNote(const QString &name, const std::vector<MeasuredRun> &before, const std::vector<MeasuredRun> &now) {
    std::set<std::string> had;
    for (const MeasuredRun &run : before)
        had.insert(run.id);
    std::set<std::string> has;
    for (const MeasuredRun &run : now)
        has.insert(run.id);
    const auto replaced = static_cast<qlonglong>(
        std::count_if(has.begin(), has.end(), [&](const std::string &id) { return had.contains(id); }));
    const auto added = static_cast<qlonglong>(has.size()) - replaced;
    const auto gone = static_cast<qlonglong>(had.size()) - replaced;
    QString parts = EvidenceRunner::tr("%1 runs replaced").arg(replaced);
    if (added > 0)
        parts += EvidenceRunner::tr(", %1 added").arg(added);
    if (gone > 0)
        parts += EvidenceRunner::tr(", %1 removed").arg(gone);
    return EvidenceRunner::tr("%1 reloaded: %2.").arg(name, parts);
}

/// Removes runs from other files if `now` has runs with the same ids. @returns the number of removed runs
template <typename Files>
std::size_t replaceRows(const std::vector<MeasuredRun> &now, Files &files) {
    std::set<std::string> ids;
    for (const MeasuredRun &run : now)
        ids.insert(run.id);
    std::size_t replaced = 0;
    for (auto &file : files)
        replaced += std::erase_if(file.runs, [&](const MeasuredRun &run) { return ids.contains(run.id); });
    return replaced;
}

} // namespace

EvidenceRunner::EvidenceRunner(QObject *parent)
    : QObject(parent)
    , m_worker(
          this,
          [this](const EvidenceQuestion &question, const std::stop_token &stop) { return answer(question, stop); },
          [this](const EvidenceAnswer &found) { Q_EMIT answered(found); }) { }

QString EvidenceRunner::readFile(const RunFile &file) {
    std::vector<MeasuredRun> runs = runsOf(file);
    for (MeasuredRun &run : runs)
        if (run.source.empty())
            run.source = file.name().toStdString();
    const auto before =
        std::find_if(m_read.begin(), m_read.end(), [&](const Read &read) { return read.file.path == file.path; });
    if (before == m_read.end()) {
        const std::size_t same = replaceRows(runs, m_read);
        m_read.push_back({file, std::move(runs)});
        return same == 0 ? QString()
                         : tr("%1: %2 runs replaced earlier runs with the same id.").arg(file.name()).arg(same);
    }
    const QString note = rereadNote(file.name(), before->runs, runs);
    *before = {file, std::move(runs)};
    return note;
}

void EvidenceRunner::readFiles(const QVector<RunFile> &files, EvidenceAnswer &answer) {
    m_read.erase(std::remove_if(m_read.begin(), m_read.end(),
                                [&](const Read &read) {
                                    return std::none_of(files.cbegin(), files.cend(), [&](const RunFile &file) {
                                        return file.path == read.file.path;
                                    });
                                }),
                 m_read.end());
    for (const RunFile &file : files) {
        if (std::any_of(m_read.begin(), m_read.end(), [&](const Read &read) { return read.file == file; }))
            continue;
        // If a file cannot be read again, its earlier rows stay.
        try {
            if (const QString note = readFile(file); !note.isEmpty())
                answer.note += (answer.note.isEmpty() ? QString() : QStringLiteral(" ")) + note;
        } catch (const InputError &error) {
            answer.problem = QString::fromStdString(one_line(file.name().toStdString(), error.diagnostics()));
        } catch (const std::exception &error) {
            answer.problem = QString::fromUtf8(error.what());
        }
    }
    std::vector<MeasuredRun> all = EvidenceTable::standard()->runs;
    for (const Read &read : m_read) {
        all.insert(all.end(), read.runs.begin(), read.runs.end());
        answer.files.append(read.file);
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
