# cmake -DINPUT=file -DOUTPUT=file.cpp -DNAME=name -P EmbedText.cmake: a text as a C++ constant. Compilers bound the length of
# one literal, so that it is put together from pieces.
file(READ ${INPUT} text)
set(literals "")
string(LENGTH "${text}" length)
set(at 0)
while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND literals "    R\"SMEC(${piece})SMEC\"\n")
    math(EXPR at "${at} + 8000")
endwhile()
file(WRITE ${OUTPUT} "#include <string_view>

namespace smec {
extern const std::string_view ${NAME};
const std::string_view ${NAME} =
${literals}    ;
}  // namespace smec
")
