import { useEffect } from 'react';
import { seekToTime, stepPlaybackSpeed, togglePlaying } from '../../transcript/audio-actions.ts';

interface Actions {
  audio: HTMLAudioElement | null;
  focusSearch: () => void;
  showHelp: () => void;
}

/** Single keys, unless the focus is in a field or on a control that uses the key itself. */
export function useKeyboardShortcuts(isOn: boolean, { audio, focusSearch, showHelp }: Actions): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const move = (seconds: number) => () => audio && seekToTime(audio, audio.currentTime + seconds);
    const toggle = () => audio && togglePlaying(audio);
    const changeSpeed = (step: 1 | -1) => () => audio && stepPlaybackSpeed(audio, step);
    const actions: Record<string, () => void> = {
      ' ': toggle,
      k: toggle,
      j: move(-10),
      l: move(10),
      ArrowLeft: move(-5),
      ArrowRight: move(5),
      '<': changeSpeed(-1),
      '>': changeSpeed(1),
      '/': focusSearch,
      '?': showHelp,
    };
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (usesKey(event.target as Element, event.key)) return;
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn, audio, focusSearch, showHelp]);
}

function usesKey(target: Element, key: string): boolean {
  if (target.closest('input:not([type=checkbox]), textarea, select, dialog, [role=menu]')) return true;
  return key === ' ' && target.closest('button, a, input, summary') !== null;
}
