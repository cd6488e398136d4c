// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/files.h"

#include "input/descriptor.h"
#include "input/diagnostic.h"
#include "input/left_files.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace meshwright {

namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
protected:
    Files() {
        std::string name = (fs::temp_directory_path() / "meshwright-XXXXXX").string();
        m_folder = ::mkdtemp(name.data());
    }
    ~Files() override { fs::remove_all(m_folder); }

    fs::path path(const char *name) const { return m_folder / name; }
    std::ptrdiff_t count() const { return std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()); }
    static mode_t mode_of(const fs::path &file) {
        struct stat status { };
        return ::stat(file.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
    }

private:
    fs::path m_folder;
};

TEST_F(Files, AreWrittenThroughALinkWhichStays) {
    write_file_atomically(path("real"), "old");
    fs::create_symlink("real", path("link"));
    write_file_atomically(path("link"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(read_file(path("real")), "new");
    EXPECT_EQ(count(), 2);
}

TEST_F(Files, KeepTheirModeAndTheirHardLinks) {
    write_file_atomically(path("a"), "old");
    ASSERT_EQ(::chmod(path("a").c_str(), 0600), 0);
    write_file_atomically(path("a"), "new");
    EXPECT_EQ(mode_of(path("a")), 0600u);
    fs::create_hard_link(path("a"), path("b"));
    write_file_atomically(path("b"), "both");
    EXPECT_EQ(read_file(path("a")), "both");
    EXPECT_EQ(fs::hard_link_count(path("a")), 2u);
    EXPECT_EQ(mode_of(path("b")), 0600u);
    EXPECT_EQ(count(), 2);
}

TEST_F(Files, AreDevicesStillWhenTheyWereOnes) {
    EXPECT_THROW(write_file_atomically("/dev/full", "x"), FileError);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    EXPECT_NO_THROW(write_file_atomically("/dev/null", "x"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, AreNotWrittenThroughANameThatCanBeForeseen) {
    write_file_atomically(path("victim"), "precious");
    fs::create_symlink("victim", path(("out." + std::to_string(::getpid()) + ".part").c_str()));
    write_file_atomically(path("out"), "new");
    EXPECT_EQ(read_file(path("victim")), "precious");
    EXPECT_EQ(read_file(path("out")), "new");
    EXPECT_FALSE(fs::is_symlink(path("out")));
}

TEST_F(Files, OfKilledProgramsAreRemovedWithTheNextWrite) {
    std::ofstream(path(".meshwright-aB3xY9.part")) << "half a";
    std::ofstream(path(".meshwright-held00.part")) << "a living program's";
    std::ofstream(path("plan.part")) << "the user's";
    const Descriptor held(::open(path(".meshwright-held00.part").c_str(), O_RDONLY));
    ASSERT_EQ(::flock(held.get(), LOCK_EX | LOCK_NB), 0);
    write_file_atomically(path("plan"), "whole");
    EXPECT_FALSE(fs::exists(path(".meshwright-aB3xY9.part")));
    EXPECT_TRUE(fs::exists(path(".meshwright-held00.part")));
    EXPECT_TRUE(fs::exists(path("plan.part")));
}

TEST_F(Files, AreWrittenThroughALinkToNothingYet) {
    fs::create_directory(path("folder"));
    fs::create_symlink("folder/real", path("link"));
    write_file_atomically(path("link"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(read_file(path("folder/real")), "new");
    fs::create_symlink("around", path("around"));
    EXPECT_THROW(write_file_atomically(path("around"), "new"), FileError);
}

TEST_F(Files, MayHaveNamesAsLongAsAFolderAllows) {
    const std::string longest(255, 'x');
    write_file_atomically(path(longest.c_str()), "new");
    EXPECT_EQ(read_file(path(longest.c_str())), "new");
    EXPECT_EQ(count(), 1);
}

TEST_F(Files, KeepTheirOwner) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root can own files as another user";
    constexpr uid_t another = 12345;
    write_file_atomically(path("theirs"), "old");
    ASSERT_EQ(::chown(path("theirs").c_str(), another, another), 0);
    write_file_atomically(path("theirs"), "new");
    struct stat status { };
    ASSERT_EQ(::stat(path("theirs").c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, another);
    EXPECT_EQ(status.st_gid, another);
}

TEST_F(Files, OfAnotherUserAreNotSettled) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root can create files of another user";
    std::ofstream(path("victim")) << "";
    struct stat status { };
    ASSERT_EQ(::stat(path("victim").c_str(), &status), 0);
    const std::string trap = ".meshwright-" + std::to_string(status.st_ino) + ".whole";
    std::ofstream(path(trap.c_str())) << "of an attacker's choice";
    ASSERT_EQ(::chown(path(trap.c_str()).c_str(), 12345, 12345), 0);
    settle_folder(path(""));
    EXPECT_EQ(read_file(path("victim")), "");
}

TEST_F(Files, CutShortInPlaceAreFinishedUnlessTheyWereWrittenSince) {
    std::ofstream(path("cut")) << "the wh";
    struct stat status { };
    ASSERT_EQ(::stat(path("cut").c_str(), &status), 0);
    const std::string whole = ".meshwright-" + std::to_string(status.st_ino) + ".whole";
    std::ofstream(path(whole.c_str())) << "the whole text";
    settle_folder(path(""));
    EXPECT_EQ(read_file(path("cut")), "the whole text");
    EXPECT_FALSE(fs::exists(path(whole.c_str())));
    std::ofstream(path(whole.c_str())) << "the older text";
    settle_folder(path(""));
    EXPECT_EQ(read_file(path("cut")), "the whole text");
    EXPECT_EQ(count(), 1);
}

TEST_F(Files, ThatCannotBeWrittenSayWhy) {
    const auto said = [](const fs::path &file) -> std::string {
        try {
            write_file_atomically(file, "x");
        } catch (const FileError &error) {
            return error.what();
        }
        return {};
    };
    EXPECT_EQ(said("/dev/full"), "/dev/full: cannot write: No space left on device; expected a writable location");
    EXPECT_NE(said(path("no/folder")).find("No such file or directory"), std::string::npos);
    EXPECT_NE(said(path("")).find("Is a directory"), std::string::npos);
    const std::string far = said(path(std::string(5000, 'x').c_str()));
    EXPECT_NE(far.find("File name too long"), std::string::npos);
    EXPECT_LT(far.size(), 600u) << "the error must shorten a long name";
}

TEST_F(Files, PipesTakeMoreThanTheyHoldAtOnce) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    const std::string text(1 << 20, 'x');
    std::size_t got = 0;
    std::thread reader([&] {
        std::ifstream pipe(path("pipe"));
        for (std::string piece(4096, ' '); pipe.read(piece.data(), 4096) || pipe.gcount() > 0;)
            got += static_cast<std::size_t>(pipe.gcount());
    });
    for (bool written = false; !written;) // repeats until the reader has opened the pipe
        try {
            write_file_atomically(path("pipe"), text);
            written = true;
        } catch (const FileError &) {
            std::this_thread::yield();
        }
    reader.join();
    EXPECT_EQ(got, text.size());
}

TEST_F(Files, ThatAreNoneAreRefusedAtOnce) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THROW(read_file(path("pipe")), FileError);
    EXPECT_THROW(write_file_atomically(path("pipe"), "x"), FileError);
    EXPECT_THROW(read_file("/dev/zero"), InputError);
    EXPECT_EQ(read_file("/dev/null"), "");
    EXPECT_THROW(read_file("/"), FileError);
    EXPECT_THROW(read_file(path("nothing")), FileError);
    EXPECT_THROW(read_pipe(path("pipe")), FileError);
    // Reading must not wait for data that never comes.
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    EXPECT_TRUE(is_pipe(path("pipe")));
}

TEST_F(Files, BeyondTheLimitAreRefusedWithoutReadingThem) {
    std::ofstream(path("large")) << "x";
    fs::resize_file(path("large"), std::uintmax_t(20) << 30);
    EXPECT_THROW(read_file(path("large")), InputError);
    write_file_atomically(path("small"), "12345");
    EXPECT_EQ(read_file(path("small"), 5), "12345");
    EXPECT_THROW(read_file(path("small"), 4), InputError);
}

TEST_F(Files, ThatSayTheyAreEmptyAreReadNonetheless) {
    EXPECT_NE(read_file("/proc/self/status").find("Umask"), std::string::npos);
}

} // namespace
} // namespace meshwright
