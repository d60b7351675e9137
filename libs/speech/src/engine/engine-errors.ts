/** The engine cannot work now, whatever it is given: here, or where its server is. The message tells what to do about it. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';

  constructor(
    readonly engine: string,
    advice: string,
    options: { cause?: unknown } = {},
  ) {
    super(`The speech engine ${engine} cannot work: ${advice}`, options);
  }
}

/** The engine did not get through this chunk; trying again may help. The cause is for the log only. */
export class EngineFailedError extends Error {
  override readonly name = 'EngineFailedError';

  constructor(
    readonly engine: string,
    options: { cause?: unknown } = {},
  ) {
    super(`The speech engine ${engine} failed on a chunk.`, options);
  }
}

/** The chunk given to the engine is no readable 16 kHz mono 16-bit WAV file; trying again does not help. */
export class UnreadableChunkError extends Error {
  override readonly name = 'UnreadableChunkError';

  constructor(options: { cause?: unknown } = {}) {
    super('The chunk of audio cannot be read.', options);
  }
}
