import { FRAMES_PER_SECOND } from '../vad/frame.js';

/** How a stream of frames is cut into chunks; every value in frames of 20 ms. */
export interface ChunkingParams {
  /** Length a chunk should have. */
  targetFrames: number;
  /** Length that no chunk exceeds. */
  maxFrames: number;
  /** Cuts are looked for from here on. */
  minFrames: number;
  /** With this length reached, the best pause so far is taken. */
  splitAtFrames: number;
  /** Silence left at the ends of a chunk, at most. */
  paddingFrames: number;
  /** Silence that ends a chunk of any length. */
  longSilenceFrames: number;
}

const PADDING_SECONDS = 0.3;
const LONG_SILENCE_SECONDS = 2;

/** The rules for chunks near `targetSeconds` and never above `maxSeconds`. Throws `RangeError` when they make no sense. */
export function buildChunkingParams(targetSeconds: number, maxSeconds: number): ChunkingParams {
  if (!(targetSeconds >= 1 && maxSeconds >= targetSeconds && Number.isFinite(maxSeconds))) {
    throw new RangeError('A chunk has a target of at least one second and a maximum not below it.');
  }
  const target = Math.round(targetSeconds * FRAMES_PER_SECOND);
  const max = Math.floor(maxSeconds * FRAMES_PER_SECOND);
  return {
    targetFrames: target,
    maxFrames: max,
    minFrames: Math.round((target * 2) / 3),
    splitAtFrames: Math.min(max, Math.round((target * 4) / 3)),
    paddingFrames: Math.round(PADDING_SECONDS * FRAMES_PER_SECOND),
    longSilenceFrames: Math.min(max, Math.round(LONG_SILENCE_SECONDS * FRAMES_PER_SECOND)),
  };
}
