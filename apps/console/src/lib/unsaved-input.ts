import { useEffect } from 'react';

/** `secret` is what is being made, or is shown, only once: a key, a link or codes. */
export type UnsavedDataKind = 'input' | 'secret';

const counts: Record<UnsavedDataKind, number> = { input: 0, secret: 0 };

/** For what is lost with the page: until it is saved or copied, `LeaveGuard` asks before the page is left. */
export function useUnsavedInputGuard(isUnsaved: boolean, kind: UnsavedDataKind = 'input'): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    counts[kind] += 1;
    return () => {
      counts[kind] -= 1;
    };
  }, [isUnsaved, kind]);
}

/** @returns null if nothing is lost */
export function getUnsavedDataKind(): UnsavedDataKind | null {
  if (counts.secret > 0) return 'secret';
  return counts.input > 0 ? 'input' : null;
}
