import { type RefObject, useLayoutEffect } from 'react';

/** While the bar at the bottom is shown, whatever gets the focus or is scrolled into view stays above it. */
export function useScrollPadding(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = bar.current;
    if (!element) return undefined;
    const { style } = document.documentElement;
    const update = () => {
      style.scrollPaddingBottom = `${Math.ceil(element.getBoundingClientRect().height)}px`;
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.scrollPaddingBottom = '';
    };
  }, [bar]);
}
