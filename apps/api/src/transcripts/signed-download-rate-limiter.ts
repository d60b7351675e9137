import { ServiceError } from '@app/errors';

const WINDOW_MS = 60_000;
const MAX_DOWNLOADS = 120;
const MAX_JOBS = 100_000;

/**
 * Limits the downloads of one transcript by its signed URL, which needs no key and so has no other limit. Counts
 * within a minute that begins with the first download; each API process counts for itself.
 */
export class SignedDownloadRateLimiter {
  private readonly windows = new Map<string, { startedAt: number; downloads: number }>();

  /** @throws ServiceError `rate_limit_exceeded` */
  count(jobId: string, now = performance.now()): void {
    const window = this.findWindow(jobId, now);
    window.downloads += 1;
    if (window.downloads <= MAX_DOWNLOADS) return;
    throw new ServiceError('rate_limit_exceeded', {
      detail: `This transcript can be downloaded ${MAX_DOWNLOADS} times a minute by its URL.`,
      retryAfter: Math.ceil((window.startedAt + WINDOW_MS - now) / 1000),
    });
  }

  private findWindow(jobId: string, now: number): { startedAt: number; downloads: number } {
    const known = this.windows.get(jobId);
    if (known !== undefined && now - known.startedAt < WINDOW_MS) return known;
    if (this.windows.size >= MAX_JOBS) this.windows.clear();
    const window = { startedAt: now, downloads: 0 };
    this.windows.set(jobId, window);
    return window;
  }
}
