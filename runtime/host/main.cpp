// The program that `smec run` starts: DESIGN.so MODEL.bin [option...]

#include <sme/code.h>

int main(int argc, char** argv) { return sme::runFiles(argc, argv); }
