import { useState } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';

interface CopyButtonProps {
  text: string | (() => string);
  label: string;
  onCopied?: (() => void) | undefined;
}

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label, onCopied }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setState('copied');
      onCopied?.();
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
