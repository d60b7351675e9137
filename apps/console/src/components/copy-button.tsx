import { useState } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  const shown = { idle: label, copied: texts.copied, failed: texts.copyFailed }[state];
  return (
    <>
      <Button onClick={() => void copy()} onBlur={() => setState('idle')}>
        {shown}
      </Button>
      <span role="status" className="sr-only">
        {state === 'idle' ? '' : shown}
      </span>
    </>
  );
}
