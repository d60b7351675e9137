export const UPLOAD_FORMAT_CHOICES = ['auto', 'flac', 'wav'] as const;
/** `flac` and `auto` fall back to WAV; `auto` sends WAV to a server on this machine. */
export type AudioFormatSetting = (typeof UPLOAD_FORMAT_CHOICES)[number];
export type UploadFormat = 'flac' | 'wav';

/** A rejection of one chunk may be accidental. */
const REJECTIONS_BEFORE_SWITCH = 3;

/** Finds out whether the server accepts FLAC. */
export class UploadFormatNegotiator {
  private usesFlac: boolean;
  private isConfirmed = false;
  private consecutiveRejections = 0;

  /** @param onRejected called once, when FLAC is given up for all later chunks */
  constructor(
    setting: AudioFormatSetting,
    baseUrl: string,
    private readonly onRejected: () => void,
  ) {
    this.usesFlac = setting === 'flac' || (setting === 'auto' && !isLoopback(baseUrl));
  }

  get wantsFlac(): boolean {
    return this.usesFlac;
  }

  /** Whether this server has accepted FLAC. */
  get flacConfirmed(): boolean {
    return this.isConfirmed;
  }

  /** @param afterRejection whether the same chunk was rejected as FLAC before */
  recordAccepted(format: UploadFormat, afterRejection: boolean): void {
    if (format === 'flac') {
      this.isConfirmed = true;
      this.consecutiveRejections = 0;
    } else if (afterRejection) {
      this.consecutiveRejections += 1;
      if (this.consecutiveRejections >= REJECTIONS_BEFORE_SWITCH) this.giveUpFlac();
    }
  }

  private giveUpFlac(): void {
    if (!this.usesFlac) return;
    this.usesFlac = false;
    this.onRejected();
  }
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function isLoopback(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && LOOPBACK_HOST.test(new URL(baseUrl).hostname);
}
