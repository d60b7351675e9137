/** Stopped during startup: the program must exit without an error. */
export class StartInterruptedError extends Error {
  override readonly name = 'StartInterruptedError';
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface StartInterruptionWatch {
  /**
   * Rejects with StartInterruptedError at the first signal, or when the parent process ends. Never resolves.
   */
  signalled: Promise<never>;
  dispose(): void;
}

export function watchForInterruption(): StartInterruptionWatch {
  let interrupt: () => void = () => undefined;
  const signalled = new Promise<never>((_, reject) => {
    interrupt = () => reject(new StartInterruptedError('stopped before it had started'));
  });
  signalled.catch(() => undefined);
  for (const signal of SIGNALS) process.on(signal, interrupt);
  process.on('disconnect', interrupt);
  if (isParentProcessGone(process)) interrupt();
  const dispose = () => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    process.off('disconnect', interrupt);
  };
  return { signalled, dispose };
}

/** True if the program was started with an IPC channel that is closed now. */
export function isParentProcessGone({
  send,
  connected,
}: Pick<NodeJS.Process, 'send' | 'connected'>): boolean {
  return send !== undefined && !connected;
}
