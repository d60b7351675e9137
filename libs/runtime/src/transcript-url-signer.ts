import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '@app/errors';

const TRANSCRIPTS_PATH = '/transcripts/';

export interface TranscriptUrlSignerOptions {
  publicUrl: string;
  /** The first one signs, all of them verify. */
  keys: readonly [Buffer, ...Buffer[]];
  now?: () => number;
}

/**
 * The address of a transcript that may not exist yet, handed out when a job is created. It names the job, not an
 * object: which object is the transcript is decided when the job completes.
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

  /** @throws ServiceError `signature_mismatch` unless it was signed here, for this job; `url_expired` */
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
