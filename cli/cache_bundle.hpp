// sonoma cache pack, unpack, extract and stat.
#pragma once

namespace CLI {
class App;
}

namespace sonoma::cli {

/// `cache`: the command that they are subcommands of.
void add_cache_bundle_commands(CLI::App& cache, int& exit_code);

}  // namespace sonoma::cli
