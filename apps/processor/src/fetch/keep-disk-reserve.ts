import { pipeline, type Readable, Transform } from 'node:stream';

const BYTES_BETWEEN_CHECKS = 64 * 2 ** 20;

/**
 * @param assertRoom rejects when only the reserve is left on the disk to which the body is written
 * @returns the body, which then fails with the same error
 */
export function keepDiskReserve(body: Readable, assertRoom: () => Promise<void>): Readable {
  let sinceCheck = 0;
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sinceCheck += chunk.length;
      if (sinceCheck < BYTES_BETWEEN_CHECKS) return done(null, chunk);
      sinceCheck = 0;
      assertRoom().then(() => done(null, chunk), done);
    },
  });
  return pipeline(body, checked, () => undefined);
}
