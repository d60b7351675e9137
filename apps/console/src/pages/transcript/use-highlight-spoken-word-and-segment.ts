import { type RefObject, useEffect } from 'react';
import {
  findSegmentIndexAtOrBeforeTime,
  findWordIndexAtTime,
  type WordTimeIndex,
} from '../../transcript/word-time-index.ts';

interface SoundingWordOptions {
  audio: HTMLAudioElement | null;
  list: RefObject<HTMLElement | null>;
  index: WordTimeIndex;
  /** The segment that sounds has changed. */
  onSegment: (segment: number) => void;
}

/**
 * Marks the word and the segment that sound with `data-sounding`, once per frame while the audio plays. It changes the
 * elements itself: rendering the list for each word would be too slow.
 */
export function useHighlightSpokenWordAndSegment({
  audio,
  list,
  index,
  onSegment,
}: SoundingWordOptions): void {
  useEffect(() => {
    if (!audio) return undefined;
    let frame = 0;
    const word = createMarker(list, 'word');
    const segment = createMarker(list, 'segment');
    const show = () => {
      const seconds = audio.currentTime;
      word.mark(findWordIndexAtTime(index, seconds));
      const found = findSegmentIndexAtOrBeforeTime(index, seconds);
      const isNew = segment.mark(found);
      if (isNew && found !== null) onSegment(found);
    };
    const run = () => {
      show();
      frame = requestAnimationFrame(run);
    };
    const start = () => {
      cancelAnimationFrame(frame);
      run();
    };
    const stop = () => {
      cancelAnimationFrame(frame);
      show();
    };
    const listeners = { playing: start, pause: stop, ended: stop, seeking: show, seeked: show } as const;
    for (const [name, listener] of Object.entries(listeners)) audio.addEventListener(name, listener);
    if (!audio.paused) start();
    return () => {
      cancelAnimationFrame(frame);
      for (const [name, listener] of Object.entries(listeners)) audio.removeEventListener(name, listener);
      word.mark(null);
      segment.mark(null);
    };
  }, [audio, list, index, onSegment]);
}

/** Marks at most one element of a list, also after scrolling has removed it and created it again. */
function createMarker(list: RefObject<HTMLElement | null>, kind: 'word' | 'segment') {
  let shown: HTMLElement | null = null;
  let current: number | null = null;
  return {
    /** @returns whether it is another one than before */
    mark(wanted: number | null): boolean {
      const isNew = wanted !== current;
      if (!isNew && (wanted === null || shown?.isConnected)) return false;
      current = wanted;
      shown?.removeAttribute('data-sounding');
      shown = wanted === null ? null : (list.current?.querySelector(`[data-${kind}="${wanted}"]`) ?? null);
      shown?.setAttribute('data-sounding', '');
      return isNew;
    },
  };
}
