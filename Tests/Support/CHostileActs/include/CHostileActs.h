#pragma once

#include <stdint.h>
#include <sys/syscall.h>

// What a taken-over child would do, below every library.

/// syscall(2) with all six arguments: variadic, and nothing the product itself needs.
long hostile_call(long number, long a, long b, long c, long d, long e, long f);

/// A system call by the 32-bit entry (int 0x80), where other numbers hold.
long hostile_call32(long number);

/// Writes to address 0.
void hostile_fault(void);

/// Allocates and touches memory until an allocation fails, then uses what it did not get.
void hostile_fill_memory(void);

/// Calls itself until the stack ends.
int hostile_recurse(int depth);

/// Allocates until an allocation fails, and touches nothing.
void hostile_reserve_memory(void);

/// Waits for a lock that nobody gives back: the one way to wait that the filter leaves.
void hostile_sleep(void);

/// Breaks a heap block's header, so that glibc's own check ends the process.
void hostile_break_heap(void);
