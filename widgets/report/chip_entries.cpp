// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/chip_entries.h"

namespace meshwright {
namespace {

constexpr int Columns = 3;
constexpr qreal Gap = 24;
constexpr qreal Pitch = 16;
constexpr qreal Chip = 10;
constexpr qreal TextLeft = 16;

void paintEntry(Paper &paper, const ChipEntry &entry, qreal x, qreal y, qreal width) {
    paper.painter().fillRect(QRectF(x, y + 2, Chip, Chip), entry.colour);
    const qreal value = entry.value.isEmpty() ? 0 : paperWidth(entry.value, TypeRole::Caption, TextWeight::SemiBold);
    paper.text(x + TextLeft, y, paperElided(entry.name, width - TextLeft - value - Columns, TypeRole::Caption),
               TypeRole::Caption, ColourRole::Text2);
    paper.text(x + width, y, entry.value, TypeRole::Caption, ColourRole::Text, TextWeight::SemiBold, Qt::AlignRight);
    paper.link(x + width, y, said(entry.value, entry.figure), TypeRole::Caption, TextWeight::SemiBold, Qt::AlignRight);
}

} // namespace

ReportBlock chipEntries(const std::vector<ChipEntry> &entries) {
    const int rows = (static_cast<int>(entries.size()) + Columns - 1) / Columns;
    return {.height = rows * Pitch, .paint = [entries, rows](Paper &paper, qreal x, qreal y) {
                const qreal width = (paper::ContentWidth - Gap * (Columns - 1)) / Columns;
                for (int i = 0; i < static_cast<int>(entries.size()); ++i) {
                    const int column = i / rows;
                    paintEntry(paper, entries[static_cast<std::size_t>(i)], x + column * (width + Gap),
                               y + (i % rows) * Pitch, width);
                }
            }};
}

} // namespace meshwright
