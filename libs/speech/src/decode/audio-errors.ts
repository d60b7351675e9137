const MESSAGES: Record<UndecodableReason, string> = {
  'not-media': 'The file is no audio or video file of a known format.',
  damaged: 'The file is damaged or incomplete, and none of its audio can be decoded.',
  'no-sound-track': 'The file has no sound track.',
  unknown: 'The file holds no audio that can be decoded.',
};

/** The message is for the caller of the API; the cause is for the log only. */
export class UndecodableAudioError extends Error {
  override readonly name = 'UndecodableAudioError';

  constructor(
    readonly reason: UndecodableReason = 'unknown',
    options: { cause?: unknown } = {},
  ) {
    super(MESSAGES[reason], options);
  }
}

/** The decoder did not run, or could not open the file: this says nothing about the audio. The cause is for the log only. */
export class DecoderUnavailableError extends Error {
  override readonly name = 'DecoderUnavailableError';
}

/** The message is for the caller of the API. */
export class AudioTooLongError extends Error {
  override readonly name = 'AudioTooLongError';

  constructor(readonly maxSeconds: number) {
    super(`The audio is longer than ${hours(maxSeconds)} hours, the longest that is accepted.`);
  }
}

function hours(seconds: number): string {
  return (seconds / 3600).toFixed(2).replace(/\.?0+$/, '');
}

export type UndecodableReason = 'not-media' | 'damaged' | 'no-sound-track' | 'unknown';

const NO_TRACK = /matches no streams/;
const FORMAT_NOT_ALLOWED = /Format not on whitelist/;
/** Messages of the demuxer of a detected container: `[wav @ 0x5581f3] no 'data' tag found`. */
const DEMUXER_MESSAGE = /^\[[\w,]+ @ 0x[0-9a-f]+\]/m;
const UNEXPECTED_END = /: (?:End of file|Input\/output error)\s*$/m;

/** @param output the tail of ffmpeg's error output */
export function classifyDecodeFailure(output: string): UndecodableReason {
  if (NO_TRACK.test(output)) return 'no-sound-track';
  if (FORMAT_NOT_ALLOWED.test(output)) return 'not-media';
  if (DEMUXER_MESSAGE.test(output) || UNEXPECTED_END.test(output)) return 'damaged';
  return /Invalid data found/.test(output) ? 'not-media' : 'unknown';
}
