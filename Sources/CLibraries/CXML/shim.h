#pragma once

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/uri.h>

/// xmlFree is a variable that holds a function, which Swift takes for shared state.
static inline void cxml_free(void *memory) { xmlFree(memory); }
