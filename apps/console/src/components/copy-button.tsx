import { useState } from 'react';
import { copyText } from '../lib/copy-text.ts';
import { saveFileAsDownload } from '../lib/save-file.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';

interface CopyButtonProps {
  text: string | (() => string);
  label: string;
  /** Of a file that has the text if the browser does not copy it. */
  fileName?: string;
  onCopied?: (() => void) | undefined;
}

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label, fileName, onCopied }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'saved' | 'failed'>('idle');
  const copy = async () => {
    const copied = typeof text === 'string' ? text : text();
    if (await copyText(copied)) {
      setState('copied');
      onCopied?.();
    } else if (fileName === undefined) {
      setState('failed');
    } else {
      saveFileAsDownload(new Blob([copied], { type: 'text/plain' }), fileName);
      setState('saved');
    }
  };
  const shown = {
    idle: label,
    copied: texts.copied,
    saved: texts.savedInsteadOfCopied,
    failed: texts.copyFailed,
  }[state];
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
