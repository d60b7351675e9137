/** A run of frames without speech: `from` is the first, `to` the first after it. */
export interface Pause {
  from: number;
  to: number;
  /** Mean level, dB. */
  level: number;
}

/** Where to look for a pause, all in frames of the file. */
export interface PauseWish {
  /** The cut that would be best. */
  target: number;
  /** Distance from the target at which a pause counts half. */
  spread: number;
}

/** The longest pause, one near the target before one far off, of two equal ones the quieter; undefined for none. */
export function choosePause(pauses: readonly Pause[], wish: PauseWish): Pause | undefined {
  const ranked = pauses.map((pause) => ({ pause, worth: worth(pause, wish) }));
  ranked.sort((a, b) => b.worth - a.worth || a.pause.level - b.pause.level);
  return ranked[0]?.pause;
}

export function middle(pause: Pause): number {
  return Math.floor((pause.from + pause.to) / 2);
}

function worth(pause: Pause, { target, spread }: PauseWish): number {
  const distance = Math.min(1, Math.abs(middle(pause) - target) / spread);
  return (pause.to - pause.from) * (1 - distance / 2);
}
