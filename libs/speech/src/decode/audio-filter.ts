import { SAMPLE_RATE } from '../wav/sample-rate.js';

/** Hertz. Below it there is no speech, but a few bytes can claim to be hours of sound. */
const MIN_SAMPLE_RATE = 4000;

/** Seconds. A longer jump of the time stamps is damage, not a pause that somebody recorded. */
const MAX_GAP_SECONDS = 1800;

const ONE_OR_TWO = 'channel_layouts=mono|stereo';

/**
 * Time stamps that never go back: a stream whose clock starts anew (recordings put one behind the other) goes on
 * where it was, while a late start or a gap stays. Register 0 holds the end of the sound so far.
 */
const MONOTONIC_TIMESTAMPS = [
  `st(1,if(lt(PTS-ld(0),${MAX_GAP_SECONDS}/TB),max(PTS,ld(0)),ld(0)))`,
  'st(0,ld(1)+NB_SAMPLES/SR/TB)',
  'ld(1)',
].join(';');

/**
 * The ffmpeg filters that make any sound 16 kHz, with silence for what the stream leaves out. Two channels stay two, for
 * `StereoDownmixer` to look at; any other number becomes one.
 */
export const AUDIO_FILTER = [
  `aselect='gte(sample_rate,${MIN_SAMPLE_RATE})'`,
  // Small samples before gaps are filled: a long gap is held in memory.
  `aresample=${SAMPLE_RATE}`,
  `aformat=sample_fmts=s16:${ONE_OR_TWO}`,
  `asetpts='${MONOTONIC_TIMESTAMPS}'`,
  'aresample=async=1:first_pts=0',
  // Once more: a choice that is left open behind the last filter makes ffmpeg give up on surround sound.
  `aformat=${ONE_OR_TWO}`,
].join(',');
