// Draws a strange attractor as a PNG file: millions of points that the map
//   x' = sin(a y) + c cos(a x),  y' = sin(b x) + d cos(b y)
// visits, counted per pixel and coloured by how often they came.
// usage: attractor [-w WIDTH] [-h HEIGHT] [-n MILLIONS] [-p A,B,C,D] FILE.png
//
// The standard library's parallel algorithms share the work: std::execution::par uses all lanes of a GPU, or the cores of
// the machine when the same source is compiled for it.
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <execution>
#include <fstream>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct options {
  int width = 1200, height = 600, millions = 16;
  std::array<float, 4> map = {1.5f, -1.8f, 1.6f, 0.9f};
  std::string file;
};

template <typename number> number read_number(std::string_view text, number least, number most) {
  number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
    throw usage_error("'" + std::string(text) + "' is not a number from " + std::to_string(least) + " to " +
                      std::to_string(most));
  return value;
}

options read_options(const std::vector<std::string_view> &words) {
  options result;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() != 2 || words[i][0] != '-') {
      if (!result.file.empty() || words[i].empty() || words[i][0] == '-')
        throw usage_error("unexpected argument '" + std::string(words[i]) + "'");
      result.file = words[i];
      continue;
    }
    if (i + 1 == words.size())
      throw usage_error(std::string(words[i]) + " needs a value");
    const std::string_view value = words[i + 1];
    switch (words[i++][1]) {
    case 'w': result.width = read_number(value, 16, 8192); break;
    case 'h': result.height = read_number(value, 16, 8192); break;
    case 'n': result.millions = read_number(value, 1, 4000); break;
    case 'p': {
      std::string_view rest = value;
      for (float &parameter : result.map) {
        const size_t comma = std::min(rest.find(','), rest.size());
        parameter = read_number(rest.substr(0, comma), -10.0f, 10.0f);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
      break;
    }
    default: throw usage_error("unknown option '" + std::string(words[i - 1]) + "'");
    }
  }
  if (result.file.empty())
    throw usage_error("the name of the picture is missing");
  return result;
}

/// How often each pixel was visited, by many orbits that begin at different points.
std::vector<std::uint32_t> visits(const options &wanted) {
  constexpr int steps = 1000, unseen = 20;
  const auto [a, b, c, d] = wanted.map;
  const float across = 1 + std::fabs(c), down = 1 + std::fabs(d); // no point is further from 0
  std::vector<std::uint32_t> counts(size_t(wanted.width) * wanted.height);
  std::vector<int> orbits(size_t(wanted.millions) * 1'000'000 / steps);
  std::iota(orbits.begin(), orbits.end(), 0);
  std::for_each(std::execution::par, orbits.begin(), orbits.end(), [&](int orbit) {
    // Points of a grid that is in no step with the pixels: multiples of the golden section and of the root of two.
    float x = std::fmod(orbit * 0.6180340f, 1.0f), y = std::fmod(orbit * 0.4142136f, 1.0f);
    for (int i = 0; i < steps; ++i) {
      const float next = std::sin(a * y) + c * std::cos(a * x);
      y = std::sin(b * x) + d * std::cos(b * y);
      x = next;
      const int column = int((x / across + 1) * 0.5f * wanted.width), row = int((y / down + 1) * 0.5f * wanted.height);
      if (i >= unseen && column < wanted.width && row < wanted.height)
        std::atomic_ref(counts[size_t(row) * wanted.width + column]).fetch_add(1, std::memory_order_relaxed);
    }
  });
  return counts;
}

using pixel = std::array<std::uint8_t, 3>;

/// From dark blue by violet and orange to white; `level` is from 0 to 1.
pixel colour_of(float level) {
  static constexpr float stops[][3] = {{6, 8, 28}, {52, 24, 110}, {190, 50, 120}, {250, 150, 60}, {255, 250, 230}};
  constexpr int last = std::size(stops) - 1;
  const float place = std::clamp(level, 0.0f, 1.0f) * last;
  const int stop = std::min(int(place), last - 1);
  pixel result;
  for (int i = 0; i < 3; ++i)
    result[i] = std::uint8_t(std::lerp(stops[stop][i], stops[stop + 1][i], place - stop));
  return result;
}

std::vector<pixel> picture_of(const std::vector<std::uint32_t> &counts) {
  // The brightest hundredth of the pixels that were visited is white.
  std::vector<std::uint32_t> sorted(counts.size());
  const auto end = std::copy_if(counts.begin(), counts.end(), sorted.begin(), [](std::uint32_t count) { return count; });
  sorted.erase(end, sorted.end());
  std::sort(std::execution::par, sorted.begin(), sorted.end());
  const float white = sorted.empty() ? 1.0f : std::log1p(float(sorted[sorted.size() - 1 - sorted.size() / 100]));
  std::vector<pixel> pixels(counts.size());
  std::transform(std::execution::par_unseq, counts.begin(), counts.end(), pixels.begin(),
                 [white](std::uint32_t count) { return colour_of(std::log1p(float(count)) / white); });
  return pixels;
}

/// A PNG file whose data is not compressed.
class png {
public:
  explicit png(const std::string &name) : out(name, std::ios::binary) {
    for (std::uint32_t i = 0; i < table.size(); ++i) {
      table[i] = i;
      for (int bit = 0; bit < 8; ++bit)
        table[i] = table[i] & 1 ? 0xedb88320 ^ table[i] >> 1 : table[i] >> 1;
    }
    if (!out)
      throw std::system_error(errno, std::generic_category(), name);
    out.exceptions(std::ios::failbit | std::ios::badbit);
    out << "\x89PNG\r\n\x1a\n";
  }

  void write(int width, int height, const std::vector<pixel> &pixels) {
    chunk("IHDR", number(width) + number(height) + std::string("\x08\x02\x00\x00\x00", 5));
    std::string data = "\x78\x01";
    std::uint32_t low = 1, high = 0; // Adler's checksum
    for (int row = 0; row < height; ++row) {
      std::string line(1, '\0');
      for (int column = 0; column < width; ++column)
        for (std::uint8_t part : pixels[size_t(row) * width + column])
          line += char(part);
      for (unsigned char byte : line)
        low = (low + byte) % 65521, high = (high + low) % 65521;
      // A block is a row: its length, the length's complement, its bytes.
      data += row + 1 == height ? '\1' : '\0';
      for (std::size_t length : {line.size(), ~line.size()})
        data += {char(length), char(length >> 8)};
      data += line;
    }
    chunk("IDAT", data + number(high << 16 | low));
    chunk("IEND", "");
    out.close();
  }

private:
  static std::string number(std::uint32_t value) {
    return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
  }
  void chunk(const char *type, const std::string &data) {
    const std::string content = type + data;
    std::uint32_t sum = ~0u;
    for (unsigned char byte : content)
      sum = table[(sum ^ byte) & 255] ^ sum >> 8;
    out << number(std::uint32_t(data.size())) << content << number(~sum);
  }

  std::ofstream out;
  std::array<std::uint32_t, 256> table{};
};

} // namespace

int main(int argc, char **argv) try {
  const options wanted = read_options({argv + 1, argv + argc});
  const std::vector<std::uint32_t> counts = visits(wanted);
  const auto points = std::reduce(std::execution::par, counts.begin(), counts.end(), std::uint64_t(0));
  png(wanted.file).write(wanted.width, wanted.height, picture_of(counts));
  std::cout << wanted.file << ": " << wanted.width << " x " << wanted.height << " pixels, " << points << " points\n";
} catch (const usage_error &error) {
  std::cerr << "attractor: " << error.what() << "\n"
            << "usage: attractor [-w WIDTH] [-h HEIGHT] [-n MILLIONS] [-p A,B,C,D] FILE.png\n";
  return 2;
} catch (const std::exception &error) {
  std::cerr << "attractor: " << error.what() << '\n';
  return 1;
}
