/** The file cannot be turned into sound. The message is for whoever sent it; the cause is for the log. */
export class AudioUndecodable extends Error {
  override readonly name = 'AudioUndecodable';

  constructor(options: { cause?: unknown } = {}) {
    super('The file holds no audio that can be decoded.', options);
  }
}

/** The file decodes to more sound than allowed. The message is for whoever sent it. */
export class AudioTooLong extends Error {
  override readonly name = 'AudioTooLong';

  constructor(readonly maxSeconds: number) {
    super(`The audio is longer than ${hours(maxSeconds)} hours, the longest that is accepted.`);
  }
}

function hours(seconds: number): string {
  return (seconds / 3600).toFixed(2).replace(/\.?0+$/, '');
}
