// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/sentence_text.h"

#include <algorithm>

namespace meshwright {

SentenceText filledWith(const QString &pattern, std::initializer_list<SentenceText> parts) {
    SentenceText whole;
    qsizetype from = 0;
    for (qsizetype at = pattern.indexOf(u'%'); at >= 0 && at + 1 < pattern.size(); at = pattern.indexOf(u'%', at + 1)) {
        const int place = pattern[at + 1].unicode() - u'1';
        if (place < 0 || place >= static_cast<int>(parts.size()))
            continue;
        whole += pattern.mid(from, at - from);
        whole += parts.begin()[place];
        from = at + 2;
    }
    return whole += pattern.mid(from);
}

SentenceText joined(const std::vector<SentenceText> &parts, const QString &between) {
    SentenceText all;
    for (const SentenceText &part : parts) {
        if (!all.empty() && !part.empty())
            all += between;
        all += part;
    }
    return all;
}

SentenceText partOf(const SentenceText &whole, qsizetype begin, qsizetype length) {
    SentenceText part = whole.text.mid(begin, length);
    for (const SentenceText::Figure &figure : whole.figures) {
        const qsizetype from = std::max<qsizetype>(figure.begin - begin, 0);
        const qsizetype to = std::min(figure.begin + figure.length - begin, part.text.size());
        if (from < to)
            part.figures.push_back({from, to - from, figure.target});
    }
    return part;
}

SentenceText capitalised(SentenceText text) {
    if (!text.empty())
        text.text[0] = text.text[0].toUpper();
    return text;
}

SentenceText shownText(const Sentence &sentence) {
    return shownText(sentence, [](const QString &name) { return FigureRef(name); });
}

SentenceText shownText(const Sentence &sentence, const std::function<FigureRef(const QString &name)> &figureOf) {
    const auto piece = [&sentence](std::size_t from, std::size_t to) {
        return QString::fromUtf8(sentence.text.data() + from, static_cast<qsizetype>(to - from));
    };
    SentenceText shown;
    std::size_t from = 0;
    for (const Sentence::Figure &figure : sentence.figures) {
        const auto *const field = std::get_if<FieldPointer>(&figure.target);
        const std::size_t end = figure.begin + figure.length;
        shown += piece(from, figure.begin);
        shown += SentenceText(
            piece(figure.begin, end),
            field != nullptr ? FigureTarget(PlanField(QString::fromStdString(field->pointer)))
                             : FigureTarget(figureOf(QString::fromStdString(std::get<std::string>(figure.target)))));
        from = end;
    }
    return shown += piece(from, sentence.text.size());
}

} // namespace meshwright
