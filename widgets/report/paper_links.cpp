// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper_links.h"

#include "formulas/derivation.h"
#include "report/paper.h"

#include <QRegularExpression>

#include <algorithm>
#include <map>
#include <set>

namespace meshwright {

namespace {

constexpr qreal pointsPerUnit = 0.75;

/// Key of a link target; it is the same for a figure's path and the name of its node.
PaperTarget keyOf(const PaperTarget &target) {
    const auto *const figure = std::get_if<FigureRef>(&target);
    if (figure == nullptr)
        return target;
    return figure->named(QString::fromStdString(identifier(figure->name().toStdString())));
}

/// PDF object numbers of a page and of its annotation array.
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

/// An incremental update: objects that are appended to a document and replace or extend its existing objects.
class Update {
public:
    explicit Update(const QByteArray &pdf)
        : m_text(pdf)
        , m_previous(numberAfter(pdf, "startxref"))
        , m_trailer(pdf.mid(pdf.lastIndexOf("trailer")))
        , m_next(numberAfter(m_trailer, "/Size")) { }

    qint64 next() const { return m_next; }
    qint64 root() const { return numberAfter(m_trailer, "/Root"); }

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
            + QByteArray::number(root()) + " 0 R\n>>\nstartxref\n" + QByteArray::number(start) + "\n%%EOF\n";
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

using Places = std::map<PaperTarget, Place>;

/// Targets and their positions. If several have the same key, the first is used.
Places placesOf(const std::vector<PageLinks> &pages, const std::vector<PageObject> &objects) {
    Places places;
    for (std::size_t i = 0; i < pages.size(); ++i)
        for (const PageLinks::Target &target : pages[i].targets)
            places.try_emplace(keyOf(target.what), Place{objects[i].page, target.y});
    return places;
}

QByteArray upwards(qreal y, qreal pageHeight) {
    return coordinate((pageHeight - y) * pointsPerUnit);
}

QByteArray destination(const Place &place, qreal pageHeight) {
    constexpr qreal above = 6; // distance of the target from the top of the window
    return "/Dest [" + QByteArray::number(place.page) + " 0 R /XYZ 0 " + upwards(place.y - above, pageHeight)
        + " null]";
}

QByteArray annotation(const QRectF &area, const Place &place, qreal pageHeight) {
    const auto across = [](qreal x) { return coordinate(x * pointsPerUnit); };
    return "<<\n/Type /Annot\n/Subtype /Link\n/Border [0 0 0]\n/Rect [" + across(area.left()) + ' '
        + upwards(area.bottom(), pageHeight) + ' ' + across(area.right()) + ' ' + upwards(area.top(), pageHeight)
        + "]\n" + destination(place, pageHeight) + "\n>>";
}

/// A text string as UTF-16BE in hexadecimal digits (section 7.9.2.2), which needs no escapes.
QByteArray pdfString(const QString &text) {
    QByteArray hexadecimal("<FEFF");
    for (const QChar character : text)
        hexadecimal += QByteArray::number(character.unicode(), 16).rightJustified(4, '0').toUpper();
    return hexadecimal + '>';
}

/// Adds the outline's items (section 12.3.3). @returns the number of its root; 0 without items
qint64 addOutline(Update &update, const std::vector<PdfOutline> &outline, const Places &places, qreal pageHeight) {
    std::vector<std::pair<QString, Place>> items;
    for (const PdfOutline &entry : outline)
        if (const auto place = places.find(entry.chapter); place != places.end())
            items.emplace_back(entry.title, place->second);
    if (items.empty())
        return 0;
    const qint64 root = update.next();
    const auto first = root + 1;
    const auto last = root + static_cast<qint64>(items.size());
    update.add("<<\n/Type /Outlines\n/First " + QByteArray::number(first) + " 0 R\n/Last " + QByteArray::number(last)
               + " 0 R\n/Count " + QByteArray::number(items.size()) + "\n>>");
    for (qint64 number = first; number <= last; ++number) {
        const auto &[title, place] = items[static_cast<std::size_t>(number - first)];
        QByteArray item = "<<\n/Title " + pdfString(title) + "\n/Parent " + QByteArray::number(root) + " 0 R\n";
        if (number > first)
            item += "/Prev " + QByteArray::number(number - 1) + " 0 R\n";
        if (number < last)
            item += "/Next " + QByteArray::number(number + 1) + " 0 R\n";
        update.add(item + destination(place, pageHeight) + "\n>>");
    }
    return root;
}

/// The catalog with outline and language. The viewer's window shows the document's title instead of the file name.
QByteArray catalog(const QByteArray &pdf, qint64 outline) {
    static const QRegularExpression pages(QStringLiteral("/Type /Catalog\\s*/Pages (\\d+) 0 R"));
    const QByteArray tree = pages.match(QString::fromLatin1(pdf)).captured(1).toLatin1();
    if (tree.isEmpty())
        return {};
    QByteArray object = "<<\n/Type /Catalog\n/Pages " + tree
        + " 0 R\n/Lang (en-US)\n/ViewerPreferences <<\n/DisplayDocTitle true\n>>\n";
    if (outline > 0)
        object += "/Outlines " + QByteArray::number(outline) + " 0 R\n";
    return object + ">>";
}

std::set<PaperTarget> targetsOn(const std::vector<PageLinks> &pages) {
    std::set<PaperTarget> targets;
    for (const PageLinks &page : pages)
        for (const PageLinks::Target &target : page.targets)
            targets.insert(keyOf(target.what));
    return targets;
}

} // namespace

std::vector<ReportFigure> figuresOf(const std::vector<PageLinks> &pages) {
    const std::set<PaperTarget> targets = targetsOn(pages);
    std::vector<ReportFigure> figures;
    for (std::size_t i = 0; i < pages.size(); ++i)
        for (const PageLinks::Link &link : pages[i].links)
            if (const auto *const figure = std::get_if<FigureRef>(&link.to))
                figures.push_back({*figure, i, targets.contains(keyOf(link.to))});
    return figures;
}

std::vector<ReportPlaces> placesOn(const std::vector<PageLinks> &pages) {
    const auto points = [](const QRectF &area) {
        return QRectF(area.topLeft() * pointsPerUnit, area.size() * pointsPerUnit);
    };
    const std::set<PaperTarget> targets = targetsOn(pages);
    std::vector<ReportPlaces> places(pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) {
        for (const PageLinks::Link &link : pages[i].links)
            if (targets.contains(keyOf(link.to)))
                places[i].links.push_back(points(link.area));
        for (const QRectF &area : pages[i].sentences)
            places[i].sentences.push_back(points(area));
        for (const QRectF &area : pages[i].stated)
            places[i].stated.push_back(points(area));
    }
    return places;
}

QByteArray withLinks(const QByteArray &pdf, const std::vector<PageLinks> &pages, qreal pageHeight,
                     const std::vector<PdfOutline> &outline) {
    const std::vector<PageObject> objects = pageObjectsOf(pdf);
    const bool isKnown = objects.size() == pages.size()
        && std::all_of(objects.begin(), objects.end(), [](const PageObject &page) { return page.annotations > 0; });
    if (!isKnown)
        return pdf;
    const Places places = placesOf(pages, objects);
    Update update(pdf);
    for (std::size_t i = 0; i < pages.size(); ++i) {
        QByteArray list;
        for (const PageLinks::Link &link : pages[i].links)
            if (const auto place = places.find(keyOf(link.to)); place != places.end())
                list += QByteArray::number(update.add(annotation(link.area, place->second, pageHeight))) + " 0 R ";
        if (!list.isEmpty())
            update.replace(objects[i].annotations, '[' + list + ']');
    }
    if (const QByteArray object = catalog(pdf, addOutline(update, outline, places, pageHeight)); !object.isEmpty())
        update.replace(update.root(), object);
    return update.finished();
}

} // namespace meshwright
