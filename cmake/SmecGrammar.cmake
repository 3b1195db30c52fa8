# grammar/*.g4 -> smec_grammar: the lexer, parser and visitor that ANTLR writes, in namespace smec::grammar, included as
# "SmeParser.h". Generated code is compiled without warnings, at -O1 at most, and its headers count as system headers.

file(GLOB smecGrammars CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/grammar/SmeLexer.g4 ${PROJECT_SOURCE_DIR}/grammar/SmeParser.g4)
list(LENGTH smecGrammars smecGrammarCount)
if(NOT smecGrammarCount EQUAL 2)
    message(STATUS "grammar/SmeLexer.g4 or grammar/SmeParser.g4 is missing: no generated parser")
    add_library(smec_grammar INTERFACE)
    target_include_directories(smec_grammar SYSTEM INTERFACE ${ANTLR4_INCLUDE_DIR})
    target_link_libraries(smec_grammar INTERFACE antlr4_runtime)
    return()
endif()

if(SMEC_LIBRARIES)  # what ANTLR wrote is in the archive
    file(READ ${PROJECT_SOURCE_DIR}/libraries/grammar/made-of wanted)
    foreach(name SmeLexer SmeParser)
        file(SHA256 ${PROJECT_SOURCE_DIR}/grammar/${name}.g4 hash)
        string(APPEND found "${hash}\n")
    endforeach()
    if(NOT found STREQUAL wanted)
        message(FATAL_ERROR "libraries/grammar is not of these files in grammar/; without the folder libraries/, smec is built with ANTLR and the libraries of the system")
    endif()
    set(grammarDir ${PROJECT_SOURCE_DIR}/libraries/grammar)
else()
    set(grammarDir ${PROJECT_BINARY_DIR}/generated/grammar)
    set(antlr ${ANTLR4_TOOL} -Dlanguage=Cpp -visitor -no-listener -package smec::grammar -Werror
        -o ${grammarDir} -lib ${grammarDir})
    file(MAKE_DIRECTORY ${grammarDir})

    add_custom_command(
        OUTPUT ${grammarDir}/SmeLexer.cpp ${grammarDir}/SmeLexer.h ${grammarDir}/SmeLexer.tokens
        COMMAND ${antlr} ${PROJECT_SOURCE_DIR}/grammar/SmeLexer.g4
        DEPENDS ${PROJECT_SOURCE_DIR}/grammar/SmeLexer.g4
        COMMENT "Generating the lexer" VERBATIM)
    add_custom_command(
        OUTPUT ${grammarDir}/SmeParser.cpp ${grammarDir}/SmeParser.h
               ${grammarDir}/SmeParserVisitor.cpp ${grammarDir}/SmeParserVisitor.h
               ${grammarDir}/SmeParserBaseVisitor.cpp ${grammarDir}/SmeParserBaseVisitor.h
        COMMAND ${antlr} ${PROJECT_SOURCE_DIR}/grammar/SmeParser.g4
        DEPENDS ${PROJECT_SOURCE_DIR}/grammar/SmeParser.g4 ${grammarDir}/SmeLexer.tokens
        COMMENT "Generating the parser" VERBATIM)
endif()

add_library(smec_grammar STATIC
    ${grammarDir}/SmeLexer.cpp ${grammarDir}/SmeParser.cpp
    ${grammarDir}/SmeParserVisitor.cpp ${grammarDir}/SmeParserBaseVisitor.cpp)
target_include_directories(smec_grammar SYSTEM PUBLIC ${grammarDir})
target_link_libraries(smec_grammar PUBLIC antlr4_runtime)
# ANTLR 4.7 writes u8"..." where it means std::string, which C++20 takes apart.
target_compile_options(smec_grammar PRIVATE -w -O1 -fno-char8_t ${SMEC_FUZZ_FLAGS})
