/** The engine cannot work now, whatever it is given: here, or where its server is. The message tells what to do about it. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';

  constructor(
    readonly engine: string,
    advice: string,
    options: { cause?: unknown } = {},
  ) {
    super(`The speech engine ${engine} cannot work: ${advice}`, options);
  }
}

/** The engine did not get through this chunk; trying again may help. The cause is for the log only. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';

  constructor(
    readonly engine: string,
    options: { cause?: unknown } = {},
  ) {
    super(`The speech engine ${engine} failed on a chunk.`, options);
  }
}

/** The chunk given to the engine is no readable 16 kHz mono 16-bit WAV file; trying again does not help. */
export class ChunkUnreadable extends Error {
  override readonly name = 'ChunkUnreadable';

  constructor(options: { cause?: unknown } = {}) {
    super('The chunk of audio cannot be read.', options);
  }
}
