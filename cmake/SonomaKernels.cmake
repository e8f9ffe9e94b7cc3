# sonoma_add_kernels(<target>
#   LENGTHS <n>... | SHAPES <n0xn1...>... | SPEC <file>
#   ARCHS <sm_80>...
#   [PRECISION <f32|f16|bf16>...] [DOMAINS <c2c|r2c|c2r|dct1...dst4>...])
#
# Makes kernels ahead of time while <target> is built, and makes them a part of it: its make_plan()
# finds them before all others, and needs neither NVRTC nor a cache for them. LENGTHS and SHAPES may
# both be there. They stand for transforms of every batch, unscaled, points one after the other, out
# of place; of c2c, the default of DOMAINS, both directions. PRECISION: default f32. All else is
# said by a SPEC, whose own architectures count where there are no ARCHS. See docs/ahead-of-time.md.
#
# Needs NVRTC where it is built, but no GPU. Is called in the folder of <target>: an executable, a
# shared library or module, or a static one, whose kernels become a part of what is linked with it.
function(sonoma_add_kernels target)
  cmake_parse_arguments(arg "" "SPEC" "LENGTHS;SHAPES;ARCHS;PRECISION;DOMAINS" ${ARGN})
  _sonoma_check_kernels(${target})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels)
  if(arg_SPEC)
    cmake_path(ABSOLUTE_PATH arg_SPEC BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE
               OUTPUT_VARIABLE spec)
  else()
    set(spec ${folder}/spec.json)
    _sonoma_write_spec(${spec})
  endif()
  set(archs "")
  if(arg_ARCHS)
    list(JOIN arg_ARCHS "," archs)
    set(archs --arch ${archs})
  endif()
  _sonoma_command(command)
  add_custom_command(
    OUTPUT ${folder}/kernels.sonoma ${folder}/kernels.cpp ${folder}/manifest.json
    COMMAND ${command} aot --spec ${spec} ${archs} --out ${folder}
    DEPENDS ${spec} ${command}
    COMMENT "Making kernels ahead of time for ${target}"
    VERBATIM)

  set(kernels ${target}_kernels)
  add_library(${kernels} OBJECT ${folder}/kernels.cpp)
  set_target_properties(${kernels} PROPERTIES POSITION_INDEPENDENT_CODE ON
                                              INTERPROCEDURAL_OPTIMIZATION OFF)
  target_compile_features(${kernels} PRIVATE cxx_std_20)
  target_compile_options(${kernels} PRIVATE -fno-lto)
  target_compile_definitions(${kernels} PRIVATE SONOMA_KERNELS_FILE="${folder}/kernels.sonoma"
                                                SONOMA_KERNELS_NAME="${target}")
  target_link_libraries(${kernels} PRIVATE sonoma::sonoma)
  set_source_files_properties(${folder}/kernels.cpp PROPERTIES OBJECT_DEPENDS
                                                               ${folder}/kernels.sonoma)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL STATIC_LIBRARY)  # whose members a linker takes only where they are named
    target_link_libraries(${target} INTERFACE $<TARGET_OBJECTS:${kernels}>)
    add_dependencies(${target} ${kernels})
  else()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${kernels}>)
  endif()
endfunction()

# Of its caller's arguments, arg_*.
macro(_sonoma_check_kernels target)
  set(wrong "")
  if(NOT TARGET ${target})
    set(wrong "there is no target of that name")
  elseif(arg_UNPARSED_ARGUMENTS)
    set(wrong "these arguments were not understood: ${arg_UNPARSED_ARGUMENTS}")
  elseif(arg_KEYWORDS_MISSING_VALUES)
    set(wrong "these have no values: ${arg_KEYWORDS_MISSING_VALUES}")
  elseif(arg_SPEC AND (arg_LENGTHS OR arg_SHAPES OR arg_PRECISION OR arg_DOMAINS))
    set(wrong "SPEC says all of LENGTHS, SHAPES, PRECISION and DOMAINS: leave these out")
  elseif(NOT arg_SPEC AND NOT arg_LENGTHS AND NOT arg_SHAPES)
    set(wrong "give LENGTHS or SHAPES, e.g. LENGTHS 4096, or a SPEC")
  elseif(NOT arg_SPEC AND NOT arg_ARCHS)
    set(wrong "give ARCHS, e.g. ARCHS sm_80 sm_90")
  endif()
  if(wrong)
    message(FATAL_ERROR "sonoma_add_kernels(${target}): ${wrong}")
  endif()
endmacro()

# "a", "b"
function(_sonoma_quoted out)
  list(TRANSFORM ARGN PREPEND "\"")
  list(TRANSFORM ARGN APPEND "\"")
  list(JOIN ARGN ", " text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# The spec that stands for the arguments of its caller. Written only where it changes.
function(_sonoma_write_spec file)
  if(NOT arg_PRECISION)
    set(arg_PRECISION f32)
  endif()
  if(NOT arg_DOMAINS)
    set(arg_DOMAINS c2c)
  endif()
  _sonoma_quoted(precision ${arg_PRECISION})
  set(requests "")
  foreach(field n shape)
    if(field STREQUAL n)
      set(values ${arg_LENGTHS})
    else()
      set(values ${arg_SHAPES})
    endif()
    if(NOT values)
      continue()
    endif()
    _sonoma_quoted(values ${values})
    foreach(domain IN LISTS arg_DOMAINS)
      set(more "")
      if(domain STREQUAL c2c)
        set(more ", \"inverse\": [false, true]")
      endif()
      list(APPEND requests "    {\"${field}\": [${values}], \"domain\": \"${domain}\", \"precision\": [${precision}]${more}}")
    endforeach()
  endforeach()
  list(JOIN requests ",\n" requests)
  file(CONFIGURE OUTPUT ${file} CONTENT "{\n  \"requests\": [\n${requests}\n  ]\n}\n" @ONLY)
endfunction()

# The program: of this very build, or of the package.
function(_sonoma_command out)
  if(TARGET sonoma)
    get_target_property(type sonoma TYPE)
    if(type STREQUAL EXECUTABLE)
      set(${out} sonoma PARENT_SCOPE)
      return()
    endif()
  endif()
  if(NOT SONOMA_COMMAND)
    message(FATAL_ERROR "sonoma_add_kernels: the program sonoma was not found beside the package; "
                        "set SONOMA_COMMAND to its path")
  endif()
  set(${out} ${SONOMA_COMMAND} PARENT_SCOPE)
endfunction()
