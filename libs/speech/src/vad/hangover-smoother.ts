import type { Frame } from './frame.js';

export interface HangoverOptions {
  /** Loud frames that make speech; fewer are a click. */
  onsetFrames: number;
  /** Quiet frames that speech outlasts: the closure of a plosive, the fading end of a word. */
  hangoverFrames: number;
}

/** Turns loud and quiet frames into runs of speech and of silence: clicks vanish, short gaps close. */
export class HangoverSmoother {
  /** Frames whose fate is open, oldest first; empty or beginning with the first loud frame or gap. */
  private pending: { level: number }[] = [];
  private loudPending = 0;
  private quietRun = 0;
  private speaking = false;

  constructor(private readonly rules: HangoverOptions) {}

  /** The frames that are decided by this one, oldest first. */
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
    if (this.quietRun <= this.rules.hangoverFrames) return [];
    this.speaking = false;
    return this.emitPending(false);
  }

  private pushWhileSilent(loud: boolean): Frame[] {
    if (loud && this.loudPending >= this.rules.onsetFrames) {
      this.speaking = true;
      return this.emitPending(true);
    }
    const clickOver = this.quietRun > this.rules.hangoverFrames;
    return this.loudPending === 0 || clickOver ? this.emitPending(false) : [];
  }

  private emitPending(speech: boolean): Frame[] {
    const decided = this.pending.map(({ level }) => ({ level, speech }));
    this.pending = [];
    this.loudPending = 0;
    return decided;
  }
}
