#include "page.hpp"

#include <spdlog/fmt/fmt.h>

#include "embedded/page_files.hpp"
#include "listing.hpp"
#include "markup.hpp"
#include "sections.hpp"
#include "sonoma/error_limit.hpp"

namespace sonoma::cli::page {
namespace {

std::string_view file(std::string_view name) {
  for (const auto& one : embedded::page_files) {
    if (one.name == name) return one.text;
  }
  return {};
}

// Of each stop the stage of the text of its kind that comes next; `used` stages are gone.
std::vector<int> stages_of(const std::vector<Stop>& stops, const KernelLines& kernel,
                           std::size_t& used) {
  std::vector<int> stages;
  for (const Stop& stop : stops) {
    int found = no_stage;
    for (std::size_t g = used; g < kernel.stages.size() && found == no_stage; ++g) {
      const Stage& stage = kernel.stages[g];
      if (stage.part == Part::step && stop.part != Part::step) break;
      const bool same =
          stage.part == stop.part && (stop.part != Part::step || stage.step == stop.step);
      if (same && stop.part != Part::other && stop.part != Part::memory)
        found = static_cast<int>(g);
    }
    if (found != no_stage) used = static_cast<std::size_t>(found) + 1;
    stages.push_back(found);
  }
  return stages;
}

std::string launch_section(const Subject& subject, std::size_t i) {
  const LaunchKernel& kernel = subject.kernels[i];
  const bool several = subject.kernels.size() > 1;
  const KernelLines lines = lines_of(kernel.source.text);
  const auto& measured = subject.planned.choice.measured;
  const bool alone = !several && kernel.passes.size() == 1 && measured;
  std::string text;
  if (several) {
    text += fmt::format("<h2 id=\"launch-{0}\">Launch {0}: <code>{1}</code></h2>\n", i + 1,
                        escaped(kernel.source.name));
  } else {
    text += fmt::format("<h2 id=\"kernel\">The kernel <code>{}</code></h2>\n",
                        escaped(kernel.source.name));
  }
  std::size_t used = 0;
  for (std::size_t p = 0; p < kernel.passes.size(); ++p) {
    const Generated& pass = kernel.passes[p];
    if (kernel.passes.size() > 1) text += fmt::format("<h2>Pass {} of this launch</h2>\n", p + 1);
    text += "<div class=\"pass\">\n" +
            pass_text(pass, kernel.source.launch, stages_of(walk(pass.ir), lines, used),
                      subject.compiled[i], alone ? std::optional(measured->eff) : std::nullopt,
                      i == 0 && p == 0) +
            "</div>\n";
  }
  return text +
         "<h3>Text and machine code</h3>\n<p>Choose a stage, a line or an instruction: what "
         "belongs to it is marked on both sides.</p>\n" +
         listing(lines, subject.compiled[i].code, subject.compiled[i].why_no_code,
                 fmt::format("k{}", i + 1));
}

std::string contents(const Subject& subject) {
  if (subject.kernels.size() == 1) return "";
  std::string text = "<nav><a href=\"#launches\">Launches</a>";
  for (std::size_t i = 0; i < subject.kernels.size(); ++i) {
    text += fmt::format(" <a href=\"#launch-{0}\">Launch {0}</a>", i + 1);
  }
  return text + "</nav>\n";
}

std::string summary(const Subject& subject) {
  const Program& program = subject.planned.program;
  const Generated& first = subject.kernels.front().passes.front();
  const ErrorEstimate error = error_of(subject.kernels);
  Rows rows = {
      {"request", subject.asked},
      {"target", to_string(first.target)},
      {"launches", number(static_cast<double>(subject.kernels.size()))},
      {"engine", to_string(first.schedule.engine())},
      {"chosen", subject.reason},
      {"accepted error", fmt::format("{:.2g} relative L2", error_limit(program))},
      {"proven bound", fmt::format("{:.2f} u relative L2, u = 2^-24", error.bound * 0x1p24)},
      {"of random input", fmt::format("{:.2f} u", error.expected() * 0x1p24)},
      {"made by", subject.command}};
  return table(rows);
}

std::string few_text(const Program& few) {
  return "<h2 id=\"few\">Few transforms</h2>\n<p>This batch leaves multiprocessors idle: a plan "
         "does "
         "the same steps in other blocks, for the same bits. What follows is where the batch fills "
         "the GPU.</p>\n<pre class=\"said\">" +
         escaped(to_string(few)) + "</pre>\n";
}

}  // namespace

std::string page_of(const Subject& subject) {
  std::string body =
      "<h1>" + escaped(subject.asked) + "</h1>\n" + contents(subject) + summary(subject);
  if (subject.planned.few) body += few_text(*subject.planned.few);
  const bool fused = subject.kernels.front().fusion.has_value();
  if (subject.kernels.size() > 1 || fused) body += launches_text(subject);
  for (std::size_t i = 0; i < subject.kernels.size(); ++i) body += launch_section(subject, i);
  return fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta "
      "charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\"/>"
      "\n<title>Sonoma: "
      "{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}</main>\n<script>\n"
      "//<![CDATA[\n{}//]]>\n</script>\n</body>\n</html>\n",
      escaped(subject.asked), file("page.css"), body, file("page.js"));
}

}  // namespace sonoma::cli::page
