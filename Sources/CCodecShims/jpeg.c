#include "CCodecShims.h"
