// SPDX-License-Identifier: GPL-3.0-or-later
#include "freed_memory.h"
#include "kept_memory.h"
#include "listed_test.h"

#include <QTest>

#include <memory>
#include <thread>
#include <vector>

using namespace meshwright;

namespace {

constexpr double mebibyte = 1 << 20;

/// Allocates many blocks the size of a derivation and frees all but the last, which prevents the allocator from
/// returning the memory by itself.
std::unique_ptr<char[]> lastOfManyBlocks() {
    constexpr std::size_t block = 4096;
    std::vector<std::unique_ptr<char[]>> blocks(50'000);
    for (auto &each : blocks) {
        each = std::make_unique<char[]>(block);
        each[0] = 1;
    }
    return std::move(blocks.back());
}

} // namespace

class FreedMemoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void what_was_freed_in_any_thread_goes_back_to_the_system() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("the sanitizer's allocator keeps what is freed, to find its use");
#endif
        keep_freed_memory(); // as main() does
        const FreedMemory memory;
        std::unique_ptr<char[]> ofThread;
        std::thread([&] { ofThread = lastOfManyBlocks(); }).join();
        const std::unique_ptr<char[]> own = lastOfManyBlocks();
        const double kept = FreedMemory::resident();
        QVERIFY(kept > 350 * mebibyte); // otherwise the test proves nothing
        QTRY_VERIFY_WITH_TIMEOUT(FreedMemory::resident() < kept - 300 * mebibyte, 20'000);
    }
};

LISTED_TEST(FreedMemoryTest)
#include "tst_freed_memory.moc"
