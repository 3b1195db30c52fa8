// As ring_heavy; the second half divides a quarter as often.
#define DIVISIONS(i) ((i) < N / 2 ? ROUNDS : ROUNDS / 4)
#include "ring_heavy.cpp"
