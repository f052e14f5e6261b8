// Pages as a browser shows them. Needs chromium; without it these tests are skipped.

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>
#include <png.h>

#include "damier/base/files/files.h"

namespace damier::app {
namespace {

struct Picture {
  using Pixel = std::array<std::uint8_t, 4>;  // red, green, blue, opacity

  int width = 0;
  int height = 0;
  std::vector<Pixel> pixels;  // row by row

  std::set<Pixel> colours() const { return {pixels.begin(), pixels.end()}; }
};

Picture read_png(const std::string& bytes) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) {
    ADD_FAILURE() << image.message;
    return {};
  }
  image.format = PNG_FORMAT_RGBA;
  Picture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  picture.pixels.resize(PNG_IMAGE_SIZE(image) / sizeof(Picture::Pixel));
  if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0) {
    ADD_FAILURE() << image.message;
    return {};
  }
  return picture;
}

class ReportRendering : public testing::Test {
 protected:
  static constexpr int kWidth = 900, kHeight = 1800;

  void SetUp() override {
    if (run_command({"chromium", "--version"}).code != 0) GTEST_SKIP() << "chromium is missing";
  }

  std::string path(const std::string& name) const { return folder_.path() / name; }
  Environment environment() const {
    return {{"DAMIER_STORE", path("runs.db")},
            {"XDG_STATE_HOME", path("state")},
            {"XDG_CONFIG_HOME", path("config")},
            {"XDG_CACHE_HOME", path("cache")},
            {"HOME", folder_.path()}};
  }

  Picture shown(const std::string& page, bool dark) const {
    const std::string shot = path(dark ? "dark.png" : "light.png");
    const Ran ran =
        run_command({"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     "--user-data-dir=" + path("profile"),
                     dark ? "--blink-settings=preferredColorScheme=0"
                          : "--blink-settings=preferredColorScheme=1",
                     "--screenshot=" + shot,
                     "--window-size=" + std::to_string(kWidth) + "," + std::to_string(kHeight),
                     "file://" + page},
                    "", environment());
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto bytes = read_file(shot, std::size_t{1} << 26);
    EXPECT_TRUE(bytes) << "no screenshot: " << ran.err;
    return bytes ? read_png(*bytes) : Picture();
  }

  // Something is drawn all over the page, in the colours of text and of curves.
  static void expect_drawn(const Picture& picture) {
    ASSERT_EQ(picture.width, kWidth);
    ASSERT_EQ(picture.height, kHeight);
    EXPECT_GT(picture.colours().size(), 50u);
    const auto& background = picture.pixels.front();
    int rows = 0;
    for (int y = 0; y < kHeight; ++y) {
      const auto begin = picture.pixels.begin() + static_cast<std::ptrdiff_t>(y) * kWidth;
      rows += !std::all_of(begin, begin + kWidth, [&](const auto& p) { return p == background; });
    }
    EXPECT_GT(rows, kHeight / 4);
    const auto is_colour = [](const auto& p) {
      const auto [least, most] = std::minmax({p[0], p[1], p[2]});
      return most - least > 100;
    };
    EXPECT_GT(std::count_if(picture.pixels.begin(), picture.pixels.end(), is_colour), 500);
  }

  TemporaryFolder folder_;
};

TEST_F(ReportRendering, ATrainingIsDrawnInLightAndInDark) {
  const Ran trained =
      damier({"train", "fanorona-quick", "--set", "data.generate.count=2000"}, "", environment());
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto at = trained.out.rfind("run ");
  ASSERT_NE(at, std::string::npos) << trained.out;
  const std::string run = trained.out.substr(at + 4, 8), page = path("run.html");
  const Ran made = damier({"report", run, "-o", page}, "", environment());
  ASSERT_EQ(made.code, 0) << made.err;
  const Picture light = shown(page, false);
  expect_drawn(light);
  EXPECT_GT(light.pixels.front()[0], 230);
  const Picture dark = shown(page, true);
  expect_drawn(dark);
  EXPECT_LT(dark.pixels.front()[0], 60);
}

TEST_F(ReportRendering, ADataSetIsDrawn) {
  const std::string data = path("a.data"), page = path("data.html");
  ASSERT_EQ(damier({"generate", "fanorona", "--count", "3000", "--seed", "1", "-o", data}, "",
                   environment())
                .code,
            0);
  ASSERT_EQ(damier({"report", data, "-o", page}, "", environment()).code, 0);
  expect_drawn(shown(page, false));
}

}  // namespace
}  // namespace damier::app
