#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

// Cast macros and function-like macros, which Swift does not import.
static const int cav_end_of_file = AVERROR_EOF;
static const int cav_invalid_data = AVERROR_INVALIDDATA;
static const int cav_no_decoder = AVERROR_DECODER_NOT_FOUND;
static const int cav_no_demuxer = AVERROR_DEMUXER_NOT_FOUND;
static const int cav_not_implemented = AVERROR_PATCHWELCOME;
static const int cav_try_again = AVERROR(EAGAIN);
static const int cav_out_of_memory = AVERROR(ENOMEM);
static const int cav_io_error = AVERROR(EIO);
static const int cav_not_permitted = AVERROR(EPERM);
static const int cav_invalid_argument = AVERROR(EINVAL);
static const int64_t cav_no_time = AV_NOPTS_VALUE;
static const uint32_t cav_tag_hvc1 = MKTAG('h', 'v', 'c', '1');
static const enum AVPixelFormat cav_rgb48 = AV_PIX_FMT_RGB48;
