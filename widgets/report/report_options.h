// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <array>
#include <bitset>
#include <cstddef>

namespace meshwright {

enum class ReportChapter {
    summary,
    problems,
    memory,
    pipeline,
    sites,
    search,
    comparison,
    run,
    assumptions,
    evidence,
    launch,
    glossary,
    derivations
};
inline constexpr std::size_t reportChapterCount = 13;

struct ReportChapterEntry {
    ReportChapter chapter;
    const char *name;
    const char *title;
    const char *content; ///< content in one sentence, for the dialog
};
const std::array<ReportChapterEntry, reportChapterCount> &reportChapters();
QString titleOf(ReportChapter chapter);
QString nameOf(ReportChapter chapter);

class ReportChapters {
public:
    static ReportChapters all();
    /// Reads names separated by commas. Unknown names are appended to `unknown`.
    static ReportChapters named(const QString &names, QStringList &unknown);

    bool has(ReportChapter chapter) const { return m_has.test(static_cast<std::size_t>(chapter)); }
    ReportChapters &set(ReportChapter chapter, bool wanted = true) {
        m_has.set(static_cast<std::size_t>(chapter), wanted);
        return *this;
    }
    bool isEmpty() const { return m_has.none(); }
    /// Names separated by commas, which named() reads.
    QString names() const;
    bool operator==(const ReportChapters &) const = default;

private:
    std::bitset<reportChapterCount> m_has;
};

enum class PaperSize { A4, Letter };

enum class ReportForm { Pdf, Html, Markdown };

struct ReportOptions {
    ReportChapters chapters = ReportChapters::all();
    PaperSize paper = PaperSize::A4;
    bool operator==(const ReportOptions &) const = default;
};

} // namespace meshwright
