#include <sme/model.h>

int main() { return 0; }
