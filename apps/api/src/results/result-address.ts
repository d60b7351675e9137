import { createHmac, timingSafeEqual } from 'node:crypto';

const RESULTS_PATH = '/transcripts/';

export interface ResultAddressOptions {
  publicUrl: string;
  key: Buffer;
  now?: () => number;
}

/**
 * The address of a transcript that may not exist yet, handed out when a job is created. It names the job, not an
 * object: which object is the transcript is decided when the job completes.
 */
export class ResultAddress {
  private readonly now: () => number;

  constructor(private readonly options: ResultAddressOptions) {
    this.now = options.now ?? (() => Date.now() / 1000);
  }

  sign(jobId: string, expiresIn: number): string {
    const expires = Math.floor(this.now()) + expiresIn;
    return `${this.options.publicUrl}${RESULTS_PATH}${jobId}?expires=${expires}&signature=${this.mac(jobId, expires)}`;
  }

  /** True when the address was signed here, for this job, and has not expired. */
  verify(jobId: string, expires: string, signature: string): boolean {
    if (!/^\d{1,12}$/.test(expires)) return false;
    const expected = Buffer.from(this.mac(jobId, Number(expires)));
    const given = Buffer.from(signature);
    return (
      given.length === expected.length && timingSafeEqual(given, expected) && Number(expires) > this.now()
    );
  }

  private mac(jobId: string, expires: number): string {
    return createHmac('sha256', this.options.key).update(`${jobId}\n${expires}`).digest('base64url');
  }
}
