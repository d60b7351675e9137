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
    const wasFocusRemoved = document.activeElement === document.body;
    if (count < countBefore.current && wasFocusRemoved) container.current?.focus({ preventScroll: true });
    countBefore.current = count;
  }, [count]);
  return container;
}
