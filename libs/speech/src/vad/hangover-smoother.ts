import type { Frame } from './frame.js';

export interface HangoverOptions {
  /** Minimum number of loud frames for speech; fewer are a click. */
  onsetFrames: number;
  /** Quiet frames that speech bridges: plosives, fading word ends. */
  hangoverFrames: number;
}

/** Smooths frame decisions: removes clicks and closes short gaps. */
export class HangoverSmoother {
  /** Undecided frames, oldest first; empty, or beginning with the first loud frame or gap. */
  private pending: { level: number }[] = [];
  private loudPending = 0;
  private quietRun = 0;
  private speaking = false;

  constructor(private readonly options: HangoverOptions) {}

  /** Returns the frames that this one decides, oldest first. */
  push(level: number, loud: boolean): Frame[] {
    this.quietRun = loud ? 0 : this.quietRun + 1;
    this.pending.push({ level });
    if (loud) this.loudPending += 1;
    if (this.speaking) return this.pushWhileSpeaking(loud);
    return this.pushWhileSilent(loud);
  }

  flush(): Frame[] {
    return this.emitPending(false);
  }

  private pushWhileSpeaking(loud: boolean): Frame[] {
    if (loud) return this.emitPending(true);
    if (this.quietRun <= this.options.hangoverFrames) return [];
    this.speaking = false;
    return this.emitPending(false);
  }

  private pushWhileSilent(loud: boolean): Frame[] {
    if (loud && this.loudPending >= this.options.onsetFrames) {
      this.speaking = true;
      return this.emitPending(true);
    }
    const clickOver = this.quietRun > this.options.hangoverFrames;
    return this.loudPending === 0 || clickOver ? this.emitPending(false) : [];
  }

  private emitPending(speech: boolean): Frame[] {
    const decided = this.pending.map(({ level }) => ({ level, speech }));
    this.pending = [];
    this.loudPending = 0;
    return decided;
  }
}
