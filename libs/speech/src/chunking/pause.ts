/** A run of frames without speech: `from` is the first, `to` the first after it. */
export interface Pause {
  start: number;
  end: number;
  /** Mean level, dB. */
  level: number;
}

/** Where to look for a pause, all in frames of the file. */
export interface PausePreference {
  /** The cut that would be best. */
  target: number;
  /** Distance from the target at which a pause counts half. */
  spread: number;
}

/** The longest pause, one near the target before one far off, of two equal ones the quieter; undefined for none. */
export function choosePause(pauses: readonly Pause[], wish: PausePreference): Pause | undefined {
  const ranked = pauses.map((pause) => ({ pause, worth: scorePause(pause, wish) }));
  ranked.sort((a, b) => b.worth - a.worth || a.pause.level - b.pause.level);
  return ranked[0]?.pause;
}

export function pauseMidpoint(pause: Pause): number {
  return Math.floor((pause.start + pause.end) / 2);
}

function scorePause(pause: Pause, { target, spread }: PausePreference): number {
  const distance = Math.min(1, Math.abs(pauseMidpoint(pause) - target) / spread);
  return (pause.end - pause.start) * (1 - distance / 2);
}
