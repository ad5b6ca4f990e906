#pragma once

#include <lcms2.h>

// Pixel layouts are function-like macros in lcms2.h.
static const cmsUInt32Number clcms_gray_8 = TYPE_GRAY_8;
static const cmsUInt32Number clcms_gray_16 = TYPE_GRAY_16;
static const cmsUInt32Number clcms_gray_alpha_8 = TYPE_GRAYA_8;
static const cmsUInt32Number clcms_gray_alpha_16 = TYPE_GRAYA_16;
static const cmsUInt32Number clcms_rgb_8 = TYPE_RGB_8;
static const cmsUInt32Number clcms_rgb_16 = TYPE_RGB_16;
static const cmsUInt32Number clcms_rgb_alpha_8 = TYPE_RGBA_8;
static const cmsUInt32Number clcms_rgb_alpha_16 = TYPE_RGBA_16;
static const cmsUInt32Number clcms_cmyk_8 = TYPE_CMYK_8;
static const cmsUInt32Number clcms_cmyk_16 = TYPE_CMYK_16;
