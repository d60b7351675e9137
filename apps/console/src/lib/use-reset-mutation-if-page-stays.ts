import { useEffect } from 'react';

/** The page of another site may take as long to appear. */
const LEAVE_MS = 5_000;

/**
 * For a mutation whose success leaves for another site: its button works again if the page is still there, because somebody
 * chose to stay, stopped the load or came back.
 */
export function useResetMutationIfPageStays({
  isSuccess,
  reset,
}: {
  isSuccess: boolean;
  reset: () => void;
}): void {
  useEffect(() => {
    if (!isSuccess) return undefined;
    const onStay = () => reset();
    const timer = setTimeout(onStay, LEAVE_MS);
    // From the browser's memory of left pages.
    globalThis.addEventListener('pageshow', onStay);
    return () => {
      clearTimeout(timer);
      globalThis.removeEventListener('pageshow', onStay);
    };
  }, [isSuccess, reset]);
}
