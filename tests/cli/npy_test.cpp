#include "npy.hpp"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "arguments.hpp"
#include "command.hpp"

namespace sonoma::cli {
namespace {

NpyArray ramp(std::vector<std::int64_t> shape, std::size_t count) {
  NpyArray array{std::move(shape), {}};
  for (std::size_t i = 0; i < count; ++i) {
    array.data.emplace_back(static_cast<float>(i) + 0.5f, -static_cast<float>(i));
  }
  return array;
}

std::string written(const NpyArray& array) {
  std::ostringstream stream;
  write_npy(stream, array);
  return stream.str();
}

NpyArray parsed(const std::string& bytes) {
  std::istringstream stream(bytes);
  return read_npy(stream);
}

std::string message_of(const std::string& bytes) {
  try {
    (void)parsed(bytes);
  } catch (const NpyError& error) {
    return error.what();
  }
  return "(accepted)";
}

// A file as another program might write it: any header text, any version.
std::string file_of(int major, const std::string& header, const std::string& data) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(major);
  bytes += '\0';
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  }
  return bytes + header + data;
}

std::string header_of(const std::string& descr, const std::string& order,
                      const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

TEST(Npy, RoundTrips) {
  for (const auto& array : {ramp({4}, 4), ramp({3, 5}, 15), ramp({1, 1}, 1), ramp({2, 3, 2}, 12),
                            ramp({}, 1), ramp({0, 7}, 0)}) {
    EXPECT_EQ(parsed(written(array)), array);
  }
}

NpyArray integers(std::vector<std::int64_t> shape, std::vector<std::complex<float>> data) {
  return {std::move(shape), std::move(data), Storage::i16};
}

TEST(Npy, IntegersRoundTripWithTheirLastAxis) {
  const NpyArray array = integers({3, 1}, {{1, -2}, {32767, -32768}, {0, 77}});
  const std::string bytes = written(array);
  EXPECT_NE(bytes.find("'descr': '<i2'"), std::string::npos) << bytes;
  EXPECT_NE(bytes.find("'shape': (3, 1, 2), "), std::string::npos) << bytes;
  EXPECT_EQ(bytes.substr(128), std::string("\1\0\xfe\xff\xff\x7f\0\x80\0\0\x4d\0", 12));
  EXPECT_EQ(parsed(bytes), array);
  EXPECT_EQ(parsed(written(integers({2}, {{2.5f, 1e6f}, {-1e6f, 0.4f}}))),
            integers({2}, {{2, 32767}, {-32768, 0}}));
}

TEST(Npy, RealNumbersRoundTrip) {
  const NpyArray floats{{2, 2}, {1.5f, -2, 0, 3e38f}, Storage::f32, Values::real};
  const std::string bytes = written(floats);
  EXPECT_NE(bytes.find("'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), "),
            std::string::npos)
      << bytes;
  EXPECT_EQ(bytes.size(), 128u + 16u);
  EXPECT_EQ(parsed(bytes), floats);
  const NpyArray shorts{{3}, {1, -32768, 77}, Storage::i16, Values::real};
  const std::string of_shorts = written(shorts);
  EXPECT_NE(of_shorts.find("'shape': (3,), "), std::string::npos) << of_shorts;
  EXPECT_EQ(of_shorts.substr(128), std::string("\1\0\0\x80\x4d\0", 6));
  std::istringstream stream(of_shorts);
  EXPECT_EQ(read_npy(stream, Values::real), shorts);
}

TEST(Npy, WritesWhatNumpyWrites) {
  const std::string bytes = written(ramp({3}, 3));
  // numpy.save of a complex64 array of shape (3,), byte for byte.
  const std::string dictionary = "{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }";
  const std::string expected = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + dictionary +
                               std::string(128 - 10 - dictionary.size() - 1, ' ') + "\n";
  ASSERT_EQ(bytes.size(), 128u + 24u);
  EXPECT_EQ(bytes.substr(0, 128), expected);
}

TEST(Npy, ReadsEveryVersionAndSpelling) {
  const std::string data = written(ramp({2, 2}, 4)).substr(128);
  const std::string header = header_of("<c8", "False", "(2, 2)");
  for (const int version : {1, 2, 3})
    EXPECT_EQ(parsed(file_of(version, header, data)), ramp({2, 2}, 4));
  const std::string other_order = "{ \"shape\":(2,2,),'fortran_order' : False,\n'descr':\"<c8\"}";
  EXPECT_EQ(parsed(file_of(1, other_order, data)), ramp({2, 2}, 4));
}

TEST(Npy, NamesWhatItDoesNotRead) {
  const std::string data(16, '\0');
  const auto with = [&](const std::string& header) { return message_of(file_of(1, header, data)); };
  EXPECT_NE(with(header_of("<c16", "False", "(1,)")).find("'<c16'"), std::string::npos);
  EXPECT_NE(with(header_of(">c8", "False", "(2,)")).find("'>c8'"), std::string::npos);
  EXPECT_NE(with(header_of("<f8", "False", "(2,)")).find("float32"), std::string::npos);
  EXPECT_NE(with(header_of("<i2", "False", "(2, 4)")).find("last axis of 2"), std::string::npos);
  EXPECT_NE(with(header_of("<i2", "False", "()")).find("last axis of 2"), std::string::npos);
  EXPECT_NE(with(header_of("<u2", "False", "(4, 2)")).find("'<u2'"), std::string::npos);
  EXPECT_NE(with(header_of("<c8", "True", "(2,)")).find("Fortran"), std::string::npos);
  EXPECT_NE(
      with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}").find("structured"),
      std::string::npos);
  EXPECT_NE(message_of(file_of(4, header_of("<c8", "False", "(2,)"), data)).find("version 4.0"),
            std::string::npos);
  EXPECT_NE(message_of("PK\x03\x04 this is a zip file").find("not a .npy"), std::string::npos);
}

TEST(Npy, RejectsMalformedHeaders) {
  const std::string data(16, '\0');
  for (const std::string header :
       {"", "{", "{}", "[]", "{'descr': '<c8'}", "{'descr': '<c8', 'fortran_order': False}",
        "{'descr': '<c8', 'fortran_order': 0, 'shape': (2,)}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (2.0,)}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (2}",
        "{'descr': '<c8, 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<c8', 'descr': '<c8', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), 'more': 1}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (2,)} x"}) {
    EXPECT_THROW((void)parsed(file_of(1, header, data)), NpyError) << header;
  }
}

TEST(Npy, AShapeThatLiesCostsNoMemory) {
  const std::string data(16, '\0');
  for (const char* shape : {"(1152921504606846975,)", "(4294967296, 4294967296, 4294967296)",
                            "(1000000000, 1000)", "(3,)", "(1,)", "(0,)"}) {
    EXPECT_THROW((void)parsed(file_of(1, header_of("<c8", "False", shape), data)), NpyError)
        << shape;
  }
  EXPECT_NE(message_of(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)).find("header of"),
            std::string::npos);
}

TEST(Npy, RejectsEveryTruncation) {
  for (const NpyArray& array : {ramp({3, 2}, 6), integers({2}, {{1, 2}, {3, 4}}),
                                NpyArray{{3}, {1, 2, 3}, Storage::f32, Values::real}}) {
    const std::string whole = written(array);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      EXPECT_THROW((void)parsed(whole.substr(0, length)), NpyError) << length << " bytes";
    }
  }
}

// Whatever the bytes, the answer is an array that writes back, or an NpyError.
TEST(Npy, SurvivesDamagedFiles) {
  const std::string whole = written(ramp({3, 2}, 6));
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = whole;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    try {
      const NpyArray array = parsed(damaged);
      std::size_t count = 1;
      for (const auto extent : array.shape) count *= static_cast<std::size_t>(extent);
      EXPECT_EQ(array.data.size(), count);
    } catch (const NpyError&) {
    }
  }
}

TEST(Npy, FileErrorsNameThePath) {
  const tests::TemporaryFolder folder;
  EXPECT_THROW((void)load_npy(folder.file("missing.npy")), FileError);
  EXPECT_THROW(save_npy(folder.file("no/such/folder.npy"), ramp({1}, 1)), FileError);
  try {
    (void)load_npy(folder.file("missing.npy"));
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("missing.npy"), std::string::npos);
  }
  save_npy(folder.file("a.npy"), ramp({2, 2}, 4));
  EXPECT_EQ(load_npy(folder.file("a.npy")), ramp({2, 2}, 4));
}

}  // namespace
}  // namespace sonoma::cli
