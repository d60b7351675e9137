import type { UndecodableReason } from './undecodable-reason.js';

const MESSAGES: Record<UndecodableReason, string> = {
  'not-media': 'The file is no audio or video file of a known format.',
  damaged: 'The file is damaged or incomplete, and none of its audio can be decoded.',
  'no-sound-track': 'The file has no sound track.',
  unknown: 'The file holds no audio that can be decoded.',
};

/** The file cannot be turned into sound. The message is for whoever sent it; the cause is for the log. */
export class UndecodableAudioError extends Error {
  override readonly name = 'UndecodableAudioError';

  constructor(
    readonly reason: UndecodableReason = 'unknown',
    options: { cause?: unknown } = {},
  ) {
    super(MESSAGES[reason], options);
  }
}

/** The file decodes to more sound than allowed. The message is for whoever sent it. */
export class AudioTooLongError extends Error {
  override readonly name = 'AudioTooLongError';

  constructor(readonly maxSeconds: number) {
    super(`The audio is longer than ${hours(maxSeconds)} hours, the longest that is accepted.`);
  }
}

function hours(seconds: number): string {
  return (seconds / 3600).toFixed(2).replace(/\.?0+$/, '');
}
