#pragma once

#include "Encoding.h"
