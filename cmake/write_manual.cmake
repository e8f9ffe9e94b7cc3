# cmake -DCOMMAND=<sonoma> -DHELP2MAN=<help2man> -DVERSION=<text> -DFOLDER=<folder> -P: the manual
# pages of the command and of its subcommands, each made of its help.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

function(write_page page command description)
  execute_process(
    COMMAND ${HELP2MAN} --no-info --name=${description} --version-string=${VERSION}
            --output=${FOLDER}/${page}.1 ${command}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

write_page(sonoma ${COMMAND} "generated FFT kernels on tensor cores")
execute_process(COMMAND ${COMMAND} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" "," help "${help}")
string(REGEX MATCH "\nSubcommands:\n(  [^\n]*\n)+" commands "${help}")
string(REGEX MATCHALL "\n  [a-z][a-z0-9-]* +[^\n]+" lines "${commands}")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^\n  ([a-z][a-z0-9-]*) +(.+)$" matched "${line}")
  write_page(sonoma-${CMAKE_MATCH_1} "${COMMAND} ${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
endforeach()
if(NOT lines)
  message(FATAL_ERROR "no subcommands in the help of ${COMMAND}: ${help}")
endif()
