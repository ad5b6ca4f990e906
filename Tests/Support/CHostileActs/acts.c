#define _GNU_SOURCE

#include "CHostileActs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

long hostile_call(long number, long a, long b, long c, long d, long e, long f) {
  return syscall(number, a, b, c, d, e, f);
}

long hostile_call32(long number) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(0L), "c"(0L) : "memory");
  return result;
}

void hostile_fault(void) { *(volatile int *)0 = 1; }

void hostile_fill_memory(void) {
  for (;;) {
    volatile char *block = malloc(4 << 20);
    for (size_t i = 0; i < 4 << 20; i += 4096) block[i] = 1;
  }
}

int hostile_recurse(int depth) {
  volatile char frame[4096];
  frame[depth & 4095] = (char)depth;
  return hostile_recurse(depth + 1) + frame[0];
}

void hostile_reserve_memory(void) {
  // volatile: a compiler may otherwise take for granted that memory is always given.
  char *volatile block;
  do {
    block = malloc(4 << 20);
  } while (block != NULL);
}

void hostile_sleep(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
}

void hostile_break_heap(void) {
  char *volatile block = malloc(2000);
  char *volatile next = malloc(2000);
  memset(block - 8, 0xff, 8);
  free(block);
  free(next);
}
