import { type RefObject, useEffect, useRef } from 'react';

/**
 * Gives the focus to the element around a list, or around a button that hides itself, if what was removed had it: otherwise the
 * keyboard would begin at the top of the page again.
 * @returns for that element, which needs `tabIndex={-1}` and stays when the list is empty
 */
export function useFocusAfterRemoval<T extends HTMLElement>(count: number): RefObject<T | null> {
  const container = useRef<T>(null);
  const countBefore = useRef(count);
  useEffect(() => {
    const isLess = count < countBefore.current;
    countBefore.current = count;
    if (!isLess) return undefined;
    const focusIfLost = () => {
      if (document.activeElement === document.body) container.current?.focus({ preventScroll: true });
    };
    focusIfLost();
    // The dialog that asked closes later; the button that opened it cannot get the focus back any more.
    const dialog = document.querySelector('dialog[open]');
    dialog?.addEventListener('close', focusIfLost, { once: true });
    return () => dialog?.removeEventListener('close', focusIfLost);
  }, [count]);
  return container;
}
