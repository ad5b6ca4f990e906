#pragma once

#include <libimagequant.h>

/// libgomp's, which libimagequant is built with: how many threads a parallel region starts. Declared
/// here, since omp.h belongs to a compiler.
void omp_set_num_threads(int threads);
