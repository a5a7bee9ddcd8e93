# Tests that ask plumb about the sources of a target.
#
#   add_plumb_test(TARGET [NAME name] [COMMAND verb] [OPTIONS option...] [SOURCES file...])
#
# adds a test that runs `plumb VERB` (by default `check-up`) on the C files of the target, with its include folders and definitions.
# Something found fails the test; an answer that stays open (exit status 3) skips it. The variable PLUMB_EXECUTABLE names the command.
include_guard(GLOBAL)
cmake_minimum_required(VERSION 3.15)

find_program(PLUMB_EXECUTABLE plumb DOC "The command plumb")

function(add_plumb_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;COMMAND" "OPTIONS;SOURCES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_plumb_test: ${arg_UNPARSED_ARGUMENTS} is not understood")
  endif()
  if(NOT PLUMB_EXECUTABLE)
    message(FATAL_ERROR "add_plumb_test: plumb is not found; set PLUMB_EXECUTABLE")
  endif()
  if(NOT arg_COMMAND)
    set(arg_COMMAND check-up)
  endif()
  if(NOT arg_NAME)
    set(arg_NAME "plumb_${arg_COMMAND}_${target}")
  endif()
  if(NOT arg_SOURCES)
    get_target_property(arg_SOURCES ${target} SOURCES)
  endif()
  get_target_property(folder ${target} SOURCE_DIR)
  set(files)
  foreach(source IN LISTS arg_SOURCES)
    if(source MATCHES "\\.c$")
      get_filename_component(file "${source}" ABSOLUTE BASE_DIR "${folder}")
      list(APPEND files "${file}")
    endif()
  endforeach()
  if(NOT files)
    message(FATAL_ERROR "add_plumb_test: ${target} has no C files")
  endif()
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  add_test(
    NAME "${arg_NAME}"
    COMMAND
      "${PLUMB_EXECUTABLE}" "${arg_COMMAND}" ${files} ${arg_OPTIONS} "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
    COMMAND_EXPAND_LISTS)
  set_tests_properties("${arg_NAME}" PROPERTIES SKIP_RETURN_CODE 3)
endfunction()
