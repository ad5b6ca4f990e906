#pragma once

#include "CodecStatus.h"
#include "Encoding.h"
#include "JPEGDecoding.h"
#include "PNGDecoding.h"
