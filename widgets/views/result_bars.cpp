// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/result_bars.h"

#include <array>

namespace meshwright {
namespace {

struct TermLook {
    const char16_t *name;
    Kind kind;
    SegmentFill fill;
    char16_t letter;
};

constexpr std::array<TermLook, step_term_count> Looks{{
    {u"Compute", Kind::Blue, SegmentFill::Solid, u'C'},
    {u"Recompute", Kind::Cyan, SegmentFill::Solid, u'R'},
    {u"Bubble", Kind::Grey, SegmentFill::Hatched, u'B'},
    {u"Tensor, exposed", Kind::Red, SegmentFill::Solid, u'T'},
    {u"Context, exposed", Kind::Purple2, SegmentFill::Solid, u'X'},
    {u"Expert, exposed", Kind::Green, SegmentFill::Solid, u'E'},
    {u"Pipeline, exposed", Kind::Yellow, SegmentFill::Solid, u'P'},
    {u"Data, exposed", Kind::Grey, SegmentFill::Solid, u'D'},
    {u"Optimizer", Kind::Purple, SegmentFill::Solid, u'O'},
}};

} // namespace

QVector<StackedSegment> stepSegments(const Step &step) {
    QVector<StackedSegment> segments;
    for (std::size_t term = 0; term < step_term_count; ++term) {
        const TermLook &look = Looks[term];
        segments.append({.name = QString::fromUtf16(look.name),
                         .value = step.terms[term],
                         .kind = look.kind,
                         .fill = look.fill,
                         .letter = QString(QChar(look.letter))});
    }
    return segments;
}

} // namespace meshwright
