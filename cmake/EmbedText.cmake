# sonoma_embed_text(<target> <name> <file>...)
#
# Makes the header "embedded/<name>.hpp", private to <target>, with the files' bytes:
#
#   namespace sonoma::embedded {
#   inline constexpr std::array<TextFile, N> name = {{{"instructions.cuh", R"(...)"sv}, ...}};
#   }
#
# in the order of the arguments, each under its file name without folders. Regenerated when one of
# the files changes. TextFile{name, text} (two std::string_view) is in "embedded/text_file.hpp".
function(sonoma_embed_text target name)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embed)
  set(header ${folder}/embedded/${name}.hpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_text_script.cmake)
  set(files "")
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    list(APPEND files ${file})
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/embedded/text_file.hpp CONTENT [[
#pragma once
#include <string_view>
namespace sonoma::embedded {
struct TextFile {
  std::string_view name;
  std::string_view text;
};
}  // namespace sonoma::embedded
]])
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -P ${script} ${header} ${name} ${files}
    DEPENDS ${files} ${script}
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PRIVATE $<BUILD_INTERFACE:${folder}>)
endfunction()
