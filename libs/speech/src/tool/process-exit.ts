import { constants } from 'node:os';

/** How a program ended: by itself with a code, by a signal, or (both null) it was never started. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const SIGNAL_EXIT_CODE_BASE = 128;
const SIGNALS = new Map(
  (Object.keys(constants.signals) as NodeJS.Signals[]).map((name) => [constants.signals[name], name]),
);

/** What a wrapper that waits for the program passes on as a code above 128, as shells do, is a signal again. */
export function toProcessExit(code: number | null, signal: NodeJS.Signals | null): ProcessExit {
  const passedOn = code === null ? undefined : SIGNALS.get(code - SIGNAL_EXIT_CODE_BASE);
  return passedOn === undefined ? { code, signal } : { code: null, signal: passedOn };
}
