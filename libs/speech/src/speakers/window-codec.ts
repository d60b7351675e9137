import { FRAMES_PER_SECOND } from '../vad/frame.js';
import { COEFFICIENTS } from './cepstrum.js';
import { vectors } from './vectors.js';
import type { VoiceWindow } from './voice-window.js';

/** Changes whenever the description does: old ones must not be mixed with new ones. */
const VERSION = 'v1:';
/** Start, end, frames, voiced frames, pitch, then the coefficients; 16 bits each. */
const FIELDS = 5 + COEFFICIENTS;
const BYTES = FIELDS * 2;
const PITCH_STEP = 1 / 2048;
const MEAN_STEP = 1 / 256;

/** What was kept of a voice cannot be read. */
export class VoicesInvalid extends Error {
  override readonly name = 'VoicesInvalid';
}

/** The windows as text: 67 characters each, about 480 kB an hour of speech. Times must be below 20 minutes. */
export function encodeWindows(windows: readonly VoiceWindow[]): string {
  const bytes = Buffer.alloc(windows.length * BYTES);
  let at = 0;
  const unsigned = (value: number): void => {
    at = bytes.writeUInt16LE(Math.round(value), at);
  };
  const signed = (value: number): void => {
    at = bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(value))), at);
  };
  for (const { start, end, frames, voiced, pitch, mean } of windows) {
    unsigned(start * FRAMES_PER_SECOND);
    unsigned(end * FRAMES_PER_SECOND);
    unsigned(frames);
    unsigned(voiced);
    signed(pitch / PITCH_STEP);
    for (const value of mean) signed(value / MEAN_STEP);
  }
  return VERSION + bytes.toString('base64');
}

/** Reads what `encodeWindows` wrote. Throws `VoicesInvalid`. */
export function decodeWindows(text: string): VoiceWindow[] {
  if (!text.startsWith(VERSION)) throw new VoicesInvalid('The voices were described by another version.');
  const bytes = Buffer.from(text.slice(VERSION.length), 'base64');
  if (bytes.length % BYTES !== 0 || bytes.toString('base64') !== text.slice(VERSION.length))
    throw new VoicesInvalid('The description of the voices is damaged.');
  return vectors(bytes.length / BYTES, COEFFICIENTS).map((mean, index) =>
    checked(readWindow(bytes, index * BYTES, mean)),
  );
}

/** `mean` is filled. */
function readWindow(bytes: Buffer, at: number, mean: Float64Array): VoiceWindow {
  for (let index = 0; index < COEFFICIENTS; index += 1)
    mean[index] = bytes.readInt16LE(at + 10 + index * 2) * MEAN_STEP;
  return {
    start: bytes.readUInt16LE(at) / FRAMES_PER_SECOND,
    end: bytes.readUInt16LE(at + 2) / FRAMES_PER_SECOND,
    frames: bytes.readUInt16LE(at + 4),
    voiced: bytes.readUInt16LE(at + 6),
    pitch: bytes.readInt16LE(at + 8) * PITCH_STEP,
    mean,
  };
}

function checked(window: VoiceWindow): VoiceWindow {
  const { start, end, frames, voiced } = window;
  if (end > start && frames > 0 && voiced <= frames) return window;
  throw new VoicesInvalid('The description of the voices is damaged.');
}
