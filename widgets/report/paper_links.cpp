// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper_links.h"

#include "formulas/derivation.h"
#include "report/paper.h"
#include "report/report.h"

#include <QRegularExpression>

#include <algorithm>
#include <map>
#include <set>

namespace meshwright {

namespace {

constexpr qreal pointsPerUnit = 0.75;

/// Normalizes a path or a node name, which refer to the same figure.
FigureRef keyOf(const FigureRef &figure) {
    return figure.named(QString::fromStdString(identifier(figure.name().toStdString())));
}

/// A page of the document: the numbers of its object and of its list of annotations.
struct PageObject {
    qint64 page = 0;
    qint64 annotations = 0;
};

/// The page objects in file order, which is the order of the pages.
std::vector<PageObject> pageObjectsOf(const QByteArray &pdf) {
    static const QRegularExpression page(QStringLiteral("(\\d+) 0 obj\\s*<<\\s*/Type /Page\\s(.*?)endobj"),
                                         QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression list(QStringLiteral("/Annots (\\d+) 0 R"));
    std::vector<PageObject> pages;
    QRegularExpressionMatchIterator found = page.globalMatch(QString::fromLatin1(pdf));
    while (found.hasNext()) {
        const QRegularExpressionMatch match = found.next();
        pages.push_back({match.captured(1).toLongLong(), list.match(match.captured(2)).captured(1).toLongLong()});
    }
    return pages;
}

qint64 numberAfter(const QByteArray &text, const char *key) {
    const qsizetype at = text.lastIndexOf(key);
    return at < 0
        ? 0
        : text.mid(at + qsizetype(qstrlen(key)), 24).trimmed().split(' ').first().split('\n').first().toLongLong();
}

QByteArray coordinate(qreal value) {
    return QByteArray::number(value, 'f', 2);
}

/// An incremental update: objects appended to a document that replace or extend its own.
class Update {
public:
    explicit Update(const QByteArray &pdf)
        : m_text(pdf)
        , m_previous(numberAfter(pdf, "startxref"))
        , m_trailer(pdf.mid(pdf.lastIndexOf("trailer")))
        , m_next(numberAfter(m_trailer, "/Size")) { }

    qint64 add(const QByteArray &body) {
        replace(m_next, body);
        return m_next++;
    }
    void replace(qint64 number, const QByteArray &body) {
        m_entries.emplace_back(number, m_text.size());
        m_text += QByteArray::number(number) + " 0 obj\n" + body + "\nendobj\n";
    }
    QByteArray finished() {
        const qsizetype start = m_text.size();
        m_text += "xref\n";
        std::sort(m_entries.begin(), m_entries.end());
        for (const auto &[number, offset] : m_entries)
            m_text += QByteArray::number(number) + " 1\n" + QByteArray::number(offset).rightJustified(10, '0')
                + " 00000 n \n";
        m_text += "trailer\n<<\n/Size " + QByteArray::number(m_next) + "\n/Prev " + QByteArray::number(m_previous)
            + "\n/Info " + QByteArray::number(numberAfter(m_trailer, "/Info")) + " 0 R\n/Root "
            + QByteArray::number(numberAfter(m_trailer, "/Root")) + " 0 R\n>>\nstartxref\n" + QByteArray::number(start)
            + "\n%%EOF\n";
        return m_text;
    }

private:
    QByteArray m_text;
    qint64 m_previous;
    QByteArray m_trailer;
    qint64 m_next;
    std::vector<std::pair<qint64, qsizetype>> m_entries; ///< object numbers and offsets
};

struct Place {
    qint64 page = 0;
    qreal y = 0;
};

std::map<FigureRef, Place> placesOf(const std::vector<PageLinks> &pages, const std::vector<PageObject> &objects) {
    std::map<FigureRef, Place> places;
    for (std::size_t i = 0; i < pages.size(); ++i)
        for (const PageLinks::Target &target : pages[i].targets)
            places.insert_or_assign(keyOf(target.figure), Place{objects[i].page, target.y});
    return places;
}

QByteArray annotation(const QRectF &area, const Place &place) {
    const auto up = [](qreal y) { return coordinate((paper::PageHeight - y) * pointsPerUnit); };
    const auto across = [](qreal x) { return coordinate(x * pointsPerUnit); };
    constexpr qreal above = 6; // margin between the entry and the edge of the window
    return "<<\n/Type /Annot\n/Subtype /Link\n/Border [0 0 0]\n/Rect [" + across(area.left()) + ' ' + up(area.bottom())
        + ' ' + across(area.right()) + ' ' + up(area.top()) + "]\n/Dest [" + QByteArray::number(place.page)
        + " 0 R /XYZ 0 " + up(place.y - above) + " null]\n>>";
}

} // namespace

std::vector<ReportFigure> figuresOf(const std::vector<PageLinks> &pages) {
    std::set<FigureRef> targets;
    for (const PageLinks &page : pages)
        for (const PageLinks::Target &target : page.targets)
            targets.insert(keyOf(target.figure));
    std::vector<ReportFigure> figures;
    for (std::size_t i = 0; i < pages.size(); ++i)
        for (const PageLinks::Link &link : pages[i].links)
            figures.push_back({link.figure, i, targets.contains(keyOf(link.figure))});
    return figures;
}

std::vector<ReportPlaces> placesOn(const std::vector<PageLinks> &pages) {
    const auto points = [](const QRectF &area) {
        return QRectF(area.topLeft() * pointsPerUnit, area.size() * pointsPerUnit);
    };
    std::set<FigureRef> targets;
    for (const PageLinks &page : pages)
        for (const PageLinks::Target &target : page.targets)
            targets.insert(keyOf(target.figure));
    std::vector<ReportPlaces> places(pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) {
        for (const PageLinks::Link &link : pages[i].links)
            if (targets.contains(keyOf(link.figure)))
                places[i].links.push_back(points(link.area));
        for (const QRectF &area : pages[i].sentences)
            places[i].sentences.push_back(points(area));
        for (const QRectF &area : pages[i].stated)
            places[i].stated.push_back(points(area));
    }
    return places;
}

QByteArray withLinks(const QByteArray &pdf, const std::vector<PageLinks> &pages) {
    const std::vector<PageObject> objects = pageObjectsOf(pdf);
    const bool isKnown = objects.size() == pages.size()
        && std::all_of(objects.begin(), objects.end(), [](const PageObject &page) { return page.annotations > 0; });
    if (!isKnown)
        return pdf;
    const std::map<FigureRef, Place> places = placesOf(pages, objects);
    Update update(pdf);
    for (std::size_t i = 0; i < pages.size(); ++i) {
        QByteArray list;
        for (const PageLinks::Link &link : pages[i].links)
            if (const auto place = places.find(keyOf(link.figure)); place != places.end())
                list += QByteArray::number(update.add(annotation(link.area, place->second))) + " 0 R ";
        if (!list.isEmpty())
            update.replace(objects[i].annotations, '[' + list + ']');
    }
    return update.finished();
}

} // namespace meshwright
