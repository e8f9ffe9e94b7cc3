# cmake -DSOURCE=<folder> -DHEADER=<file> -P: writes the commit of SOURCE, only if it changed.
if(DEFINED ENV{SONOMA_COMMIT})  # a copy of the tree without its own history
  set(commit $ENV{SONOMA_COMMIT})
elseif(EXISTS ${SOURCE}/.git)  # not that of a project which holds a copy
  execute_process(
    COMMAND git describe --always --dirty --exclude=*
    WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE commit
    ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT [[
#pragma once
namespace sonoma {
inline constexpr const char* source_commit = "@commit@";
}
]] @ONLY)
