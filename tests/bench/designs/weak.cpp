// As ring_heavy, with as many processes as THREADS times EACH.
#define N (THREADS * EACH)
#include "ring_heavy.cpp"
