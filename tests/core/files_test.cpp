// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/files.h"

#include "input/diagnostic.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>

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
    std::ofstream(path("plan.aB3xY9.part")) << "half a";
    std::ofstream(path("other.aB3xY9.part")) << "another's";
    std::ofstream(path("plan.part")) << "the user's";
    write_file_atomically(path("plan"), "whole");
    EXPECT_FALSE(fs::exists(path("plan.aB3xY9.part")));
    EXPECT_TRUE(fs::exists(path("other.aB3xY9.part")));
    EXPECT_TRUE(fs::exists(path("plan.part")));
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
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)); // for ever, if they are waited for
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
