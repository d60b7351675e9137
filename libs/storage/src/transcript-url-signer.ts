import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '@app/errors';

const TRANSCRIPTS_PATH = '/transcripts/';

export interface TranscriptUrlSignerOptions {
  publicUrl: string;
  /** The first key signs, all verify. */
  keys: readonly [Buffer, ...Buffer[]];
  now?: () => number;
}

/**
 * Signs the URL of a transcript that may not exist yet. The URL names the job, because the object key is only
 * known when the job completes.
 */
export class TranscriptUrlSigner {
  private readonly now: () => number;

  constructor(private readonly options: TranscriptUrlSignerOptions) {
    this.now = options.now ?? (() => Date.now() / 1000);
  }

  sign(jobId: string, expiresIn: number): string {
    const expires = Math.floor(this.now()) + expiresIn;
    const signature = computeSignature(this.options.keys[0], jobId, expires);
    return `${this.options.publicUrl}${TRANSCRIPTS_PATH}${jobId}?expires=${expires}&signature=${signature}`;
  }

  /**
   * @throws ServiceError `signature_mismatch` unless it is signed for this job with one of the keys;
   * `url_expired`
   */
  verify(jobId: string, expires: unknown, signature: unknown): void {
    if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires))
      throw new ServiceError('signature_mismatch');
    const given = Buffer.from(signature);
    const matching = this.options.keys.filter((key) => {
      const expected = Buffer.from(computeSignature(key, jobId, Number(expires)));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (matching.length === 0) throw new ServiceError('signature_mismatch');
    if (!(Number(expires) > this.now())) throw new ServiceError('url_expired');
  }
}

function computeSignature(key: Buffer, jobId: string, expires: number): string {
  return createHmac('sha256', key).update(`${jobId}\n${expires}`).digest('base64url');
}
