// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/page_flow.h"
#include "theme/roles.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <string>
#include <vector>

namespace meshwright {

/// Removes Markdown marks from a text: on paper, links and emphasis are not shown.
QString withoutMarks(const QString &markdown);

class LessonBlocks {
public:
    void title(const QString &title, const QString &summary, const QString &aside);
    void heading(const QString &title);
    void markdown(const std::string &text);
    void line(const QString &words, ColourRole colour = ColourRole::Text);
    /// Adds a text after a marker such as "A" or "2."; further lines are aligned with the text.
    void item(const QString &marker, const QString &words, ColourRole colour = ColourRole::Text);
    void gap();
    void code(const QStringList &lines);
    /// Adds blank lines for a written answer.
    void room(int lines);

    std::size_t size() const { return m_blocks.size(); }
    /// Keeps all blocks from index `since` on one page.
    /// @returns whether they fit into `room`
    bool keepTogether(std::size_t since, qreal room);
    std::vector<ReportBlock> take() { return std::move(m_blocks); }

private:
    void add(std::vector<ReportBlock> blocks);
    void table(const QStringList &lines);

    std::vector<ReportBlock> m_blocks;
};

} // namespace meshwright
