import { useEffect } from 'react';

let count = 0;

/** For fields whose content is lost with the page: until the service has accepted it, `LeaveGuard` asks before the page is left. */
export function useUnsavedInputGuard(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    count += 1;
    return () => {
      count -= 1;
    };
  }, [isUnsaved]);
}

export function hasUnsavedInput(): boolean {
  return count > 0;
}
