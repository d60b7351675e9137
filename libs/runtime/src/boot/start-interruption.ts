import { isParentGone } from '../parent-process.js';

/** The program was told to stop before it had started. That is no failure. */
export class StartInterruptedError extends Error {
  override readonly name = 'StartInterruptedError';
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface InterruptionWatch {
  /** Never resolves; rejects with StartInterruptedError at the first signal, and when the program that started this one is gone. */
  signalled: Promise<never>;
  /** Leaves signals to whoever else listens. */
  dispose(): void;
}

export function watchForInterruption(): InterruptionWatch {
  let interrupt: () => void = () => undefined;
  const signalled = new Promise<never>((_, reject) => {
    interrupt = () => reject(new StartInterruptedError('stopped before it had started'));
  });
  signalled.catch(() => undefined);
  for (const signal of SIGNALS) process.on(signal, interrupt);
  process.on('disconnect', interrupt);
  if (isParentGone(process)) interrupt();
  const dispose = () => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    process.off('disconnect', interrupt);
  };
  return { signalled, dispose };
}
