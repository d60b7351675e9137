/** Types of `library.mjs` for programs in TypeScript. */
export interface DialogueRequest {
  /** 3 to 14400. */
  seconds: number;
  voices: 1 | 2 | 3 | 4;
  /** An integer; the same one makes the same dialogue. */
  seed: number;
}
export interface Turn {
  speaker: string;
  /** The voice that flite used. */
  voice: string;
  text: string;
  /** Seconds on the file's clock, exact to the sample. */
  start: number;
  end: number;
}
export interface Dialogue {
  /** A 16 kHz mono WAV file; not to be changed. */
  path: string;
  turns: Turn[];
  /** Seconds, as asked for. */
  duration: number;
}
export type Format = 'mp3' | 'opus' | 'flac' | 'm4a' | 'telephone' | 'studio' | 'surround' | 'video';
export const FORMAT_NAMES: readonly Format[];
export function dialogue(request: DialogueRequest): Promise<Dialogue>;
export function silence(seconds: number): Promise<string>;
export function tone(seconds: number, options?: { hertz?: number; level?: number }): Promise<string>;
export function noise(seconds: number, options?: { level?: number }): Promise<string>;
export function inFormat(path: string, format: Format): Promise<string>;
export function truncated(path: string, share?: number): Promise<string>;
export const MADE_UP_NAMES: readonly string[];
