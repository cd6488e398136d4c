// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide/guide_page_view.h"

#include "guide/guide.h"
#include "input/files.h"
#include "theme/text_tables.h"
#include "theme/theme.h"

#include <QFontDatabase>
#include <QMap>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextFrame>
#include <QTextList>
#include <QTimer>
#include <QVBoxLayout>

#include <array>
#include <stdexcept>
#include <utility>

namespace meshwright {

namespace {

constexpr int widestText = 860; ///< maximum text width in pixels; longer lines are hard to read
constexpr int pageMargin = 24;
constexpr int lineHeight = 145; ///< line height in percent of the font's own
constexpr int codePadding = 8;
constexpr int maxMarks = 1000;

bool isCode(const QTextBlock &block) {
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)
        || block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

/// Heading sizes in logical pixels, by level from 1.
int headingSize(int level) {
    constexpr std::array sizes{24, 18, 15};
    return sizes[static_cast<std::size_t>(std::min<int>(level, sizes.size()) - 1)];
}

} // namespace

class GuidePageView::Browser : public QTextBrowser {
public:
    explicit Browser(GuidePageView *view)
        : QTextBrowser(view)
        , m_view(view) {
        setOpenLinks(false);
        setOpenExternalLinks(false);
        setFrameShape(QFrame::NoFrame);
        setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
        connect(this, &QTextBrowser::anchorClicked, view,
                [view](const QUrl &target) { Q_EMIT view->linkActivated(target.toString()); });
        connect(this, &QTextBrowser::highlighted, view, [this](const QUrl &target) {
            Q_EMIT m_view->linkHovered(target.toString(), m_view->mapFromGlobal(QCursor::pos()));
        });
        m_settling.setSingleShot(true);
        connect(&m_settling, &QTimer::timeout, this, [this] { layOut(); });
    }

    void show(const QString &markdown) {
        m_markdown = markdown;
        m_pictures.clear();
        // Built outside the browser, which would otherwise lay out the page once per table row.
        auto *page = new QTextDocument(this);
        page->setUndoRedoEnabled(false);
        page->setDefaultFont(Theme::current().font(TypeRole::Emphasis));
        page->setIndentWidth(20);
        page->setMarkdown(markdown);
        format(*page);
        setMargins(*page);
        setDocument(page); // lays out the page and loads its pictures through loadResource()
        delete std::exchange(m_page, page);
        verticalScrollBar()->setValue(0);
    }

    void showAgain() {
        if (m_markdown.isEmpty())
            return;
        const int position = verticalScrollBar()->value();
        show(m_markdown);
        verticalScrollBar()->setValue(position);
    }

    QString folder;

    template <typename Use>
    static void forEachFragment(const QTextDocument &page, const Use &use) {
        for (QTextBlock block = page.begin(); block.isValid(); block = block.next())
            for (QTextBlock::iterator at = block.begin(); !at.atEnd(); ++at)
                use(block, at.fragment());
    }

    QStringList pictures() const {
        QStringList names;
        forEachFragment(*document(), [&](const QTextBlock &, const QTextFragment &fragment) {
            if (fragment.charFormat().isImageFormat())
                names.append(fragment.charFormat().toImageFormat().name());
        });
        return names;
    }

    /// The picture in its original size; null if it cannot be loaded.
    QImage picture(const QString &name) const {
        auto found = m_pictures.constFind(name);
        if (found == m_pictures.constEnd())
            found = m_pictures.insert(name, loaded(name));
        return found.value();
    }

    int textWidth() const { return std::max(200, std::min(viewport()->width() - 2 * pageMargin, widestText)); }

    void takeTheme() {
        const Theme &theme = Theme::of(this);
        QPalette colours = theme.palette();
        colours.setColor(QPalette::Base, theme.colour(ColourRole::Window));
        colours.setColor(QPalette::Text, theme.colour(ColourRole::Text));
        setPalette(colours);
    }

protected:
    /// Loads only the guide's own pictures, whatever file a name refers to.
    QVariant loadResource(int type, const QUrl &name) override {
        return type == QTextDocument::ImageResource ? QVariant(scaled(name.toString())) : QVariant();
    }

    void resizeEvent(QResizeEvent *event) override {
        QTextBrowser::resizeEvent(event);
        // Milliseconds without a resize after which pictures are scaled, because scaling during a drag is slow.
        constexpr int pause = 60;
        if (m_laidOutWidth != viewport()->width())
            m_settling.start(pause);
    }

    void leaveEvent(QEvent *event) override {
        QTextBrowser::leaveEvent(event);
        Q_EMIT m_view->linkHovered({}, {});
    }

private:
    QImage loaded(const QString &name) const {
        const bool isInFolder = !name.contains(QLatin1String("..")) && !name.startsWith(QLatin1Char('/'))
            && !name.contains(QLatin1Char(':'));
        if (!isInFolder)
            return {};
        try {
            const std::string bytes = read_file(QString(folder + QLatin1Char('/') + name).toStdString());
            const auto encoded = QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
            // Scaling would dither an image with a palette.
            return QImage::fromData(encoded).convertToFormat(QImage::Format_RGB32);
        } catch (const std::runtime_error &) { // FileError, or InputError if the file is too large
            return {};
        }
    }

    QImage scaled(const QString &name) const {
        const QImage original = picture(name);
        if (original.isNull())
            return {};
        const qreal ratio = devicePixelRatioF();
        const int width = std::min(original.width(), qRound(textWidth() * ratio));
        QImage picture = original.scaledToWidth(width, Qt::SmoothTransformation);
        picture.setDevicePixelRatio(ratio);
        return picture;
    }

    /// Text is left-aligned; excess width stays empty at the right.
    void setMargins(QTextDocument &page) {
        m_laidOutWidth = viewport()->width();
        QTextFrameFormat frame = page.rootFrame()->frameFormat();
        frame.setMargin(pageMargin);
        frame.setRightMargin(std::max(pageMargin, m_laidOutWidth - pageMargin - textWidth()));
        page.rootFrame()->setFrameFormat(frame);
    }

    void layOut() {
        setMargins(*document());
        for (const QString &name : pictures())
            document()->addResource(QTextDocument::ImageResource, QUrl(name), scaled(name));
        document()->markContentsDirty(0, document()->characterCount());
    }

    void format(QTextDocument &page) const {
        const Theme &theme = Theme::of(this);
        QTextCursor cursor(&page);
        cursor.beginEditBlock();
        for (QTextBlock block = page.begin(); block.isValid(); block = block.next()) {
            cursor.setPosition(block.position());
            formatBlock(block, cursor, theme);
        }
        formatFragments(cursor, theme);
        formatTables(*page.rootFrame(), theme);
        cursor.endEditBlock();
    }

    static void formatBlock(const QTextBlock &block, QTextCursor &cursor, const Theme &theme) {
        QTextBlockFormat format = block.blockFormat();
        const int level = format.headingLevel();
        const bool inTable = cursor.currentTable() != nullptr;
        format.setLineHeight(isCode(block) ? 100 : inTable ? 125 : lineHeight, QTextBlockFormat::ProportionalHeight);
        if (isCode(block)) {
            format.setBackground(theme.colour(ColourRole::Card));
            format.setTextIndent(codePadding);
            format.setTopMargin(isCode(block.previous()) ? 0 : 8);
            format.setBottomMargin(isCode(block.next()) ? 0 : 12);
        } else if (level > 0) {
            format.setTopMargin(level == 1 ? 0 : 24);
            format.setBottomMargin(8);
        } else {
            format.setTopMargin(0);
            format.setBottomMargin(inTable ? 0 : block.textList() != nullptr ? 4 : 12);
        }
        cursor.setBlockFormat(format);
        if (QTextList *list = block.textList();
            list != nullptr && list->format().style() == QTextListFormat::ListCircle) {
            QTextListFormat bullets = list->format();
            bullets.setStyle(QTextListFormat::ListDisc);
            list->setFormat(bullets);
        }
        if (level > 0) {
            QFont font = theme.font(TypeRole::Title, TextWeight::SemiBold);
            font.setPixelSize(headingSize(level));
            // Replaces the format set by Qt's Markdown importer, because the importer's size adjustment would take
            // precedence.
            QTextCharFormat heading;
            heading.setFont(font);
            cursor.select(QTextCursor::BlockUnderCursor);
            cursor.setCharFormat(heading);
        }
    }

    struct Piece {
        int begin = 0;
        int length = 0;
        QTextCharFormat format;
    };

    static void formatFragments(QTextCursor &cursor, const Theme &theme) {
        QVector<Piece> pieces;
        const QString monospaced = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
        forEachFragment(*cursor.document(), [&](const QTextBlock &block, const QTextFragment &fragment) {
            const QTextCharFormat old = fragment.charFormat();
            QTextCharFormat format;
            if (old.fontWeight() > QFont::DemiBold)
                format.setFontWeight(QFont::DemiBold);
            if (old.isAnchor()) {
                const bool isTerm = old.anchorHref().startsWith(QLatin1String("term:"));
                format.setForeground(theme.colour(isTerm ? ColourRole::Text : ColourRole::Accent));
                format.setUnderlineStyle(isTerm ? QTextCharFormat::DotLine : QTextCharFormat::SingleUnderline);
                format.setUnderlineColor(theme.colour(isTerm ? ColourRole::Text3 : ColourRole::Accent));
            } else if (old.fontFixedPitch() || isCode(block)) {
                format.setFontFamilies({monospaced});
                format.setProperty(QTextFormat::FontPixelSize, 12);
                format.setBackground(theme.colour(ColourRole::Card));
            }
            if (format.propertyCount() > 0)
                pieces.append({fragment.position(), fragment.length(), format});
        });
        // Second pass, because changing formats ends the iteration over fragments.
        for (const Piece &piece : pieces) {
            cursor.setPosition(piece.begin);
            cursor.setPosition(piece.begin + piece.length, QTextCursor::KeepAnchor);
            cursor.mergeCharFormat(piece.format);
        }
    }

    GuidePageView *m_view;
    QTextDocument *m_page = nullptr; ///< owned by the browser
    QString m_markdown;
    mutable QMap<QString, QImage> m_pictures;
    QTimer m_settling;
    int m_laidOutWidth = 0;
};

GuidePageView::GuidePageView(QWidget *parent)
    : QWidget(parent)
    , m_browser(new Browser(this)) {
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_browser);
    m_browser->setObjectName(QStringLiteral("guidePage"));
    m_browser->takeTheme();
    setFocusProxy(m_browser);
    connect(Theme::notifier(), &ThemeNotifier::changed, this, [this] {
        m_browser->takeTheme();
        m_browser->showAgain();
    });
}

void GuidePageView::setFolder(const QString &folder) {
    m_browser->folder = folder;
}

void GuidePageView::showPage(const QString &title, const QString &markdown) {
    m_browser->setAccessibleName(title);
    m_browser->setExtraSelections({});
    m_browser->show(markdown);
}

void GuidePageView::scrollTo(const QString &anchor) {
    for (QTextBlock block = m_browser->document()->begin(); block.isValid() && !anchor.isEmpty();
         block = block.next()) {
        if (block.blockFormat().headingLevel() == 0
            || QString::fromStdString(heading_anchor(block.text().toStdString())) != anchor)
            continue;
        QTextCursor cursor(block);
        m_browser->setTextCursor(cursor);
        QScrollBar *bar = m_browser->verticalScrollBar();
        bar->setValue(bar->value() + m_browser->cursorRect(cursor).top() - 12);
        return;
    }
    m_browser->setTextCursor(QTextCursor(m_browser->document()));
    m_browser->verticalScrollBar()->setValue(0);
}

void GuidePageView::mark(const QString &text) {
    QList<QTextEdit::ExtraSelection> marks;
    const QTextDocument *document = m_browser->document();
    QTextCharFormat format;
    format.setBackground(Theme::of(this).colour(ColourRole::WarnSoft));
    QTextCursor found = text.isEmpty() ? QTextCursor() : document->find(text);
    while (!found.isNull() && marks.size() < maxMarks) {
        marks.append({found, format});
        found = document->find(text, found);
    }
    m_browser->setExtraSelections(marks);
    if (!marks.isEmpty()) {
        QTextCursor first = marks.first().cursor;
        m_browser->setTextCursor(first);
        m_browser->ensureCursorVisible();
    }
}

void GuidePageView::goToNextMark(Direction direction) {
    const QList<QTextEdit::ExtraSelection> marks = m_browser->extraSelections();
    if (marks.isEmpty())
        return;
    const bool forward = direction == Direction::Forward;
    const int now = m_browser->textCursor().selectionStart();
    QTextCursor next = (forward ? marks.first() : marks.last()).cursor;
    for (const QTextEdit::ExtraSelection &mark : marks) {
        const int start = mark.cursor.selectionStart();
        if (forward ? start > now : start < now)
            next = mark.cursor;
        if (forward && start > now)
            break;
    }
    m_browser->setTextCursor(next);
    m_browser->ensureCursorVisible();
}

int GuidePageView::scrollPosition() const {
    return m_browser->verticalScrollBar()->value();
}

void GuidePageView::setScrollPosition(int position) {
    m_browser->verticalScrollBar()->setValue(position);
}

} // namespace meshwright
