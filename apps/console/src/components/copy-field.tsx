import { useId, useRef, useState } from 'react';
import { copyText } from '../lib/copy-text.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';

interface CopyFieldProps {
  label: string;
  value: string;
  /** In place of the value, which is copied: the same in groups that are easier to read. */
  shown?: string;
  /** With the button, or by hand. */
  onCopied?: () => void;
}

/** A text to pass on, which is shown whole, with a button that copies it. */
export function CopyField({ label, value, shown = value, onCopied }: CopyFieldProps) {
  const id = useId();
  const output = useRef<HTMLOutputElement>(null);
  const [state, setState] = useState<'idle' | 'copied' | 'selected'>('idle');
  const copy = async () => {
    if (await copyText(value)) {
      setState('copied');
      onCopied?.();
      return;
    }
    if (output.current) globalThis.getSelection()?.selectAllChildren(output.current);
    setState('selected');
  };
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="flex items-start gap-2">
        {/* Not announced: the page says what it is about. */}
        <output
          ref={output}
          id={id}
          aria-live="off"
          onCopy={onCopied}
          className="border-control bg-raised flex min-h-9 min-w-0 flex-1 items-center rounded-md border px-2.5 py-1.5 font-mono text-xs wrap-anywhere"
        >
          {shown}
        </output>
        <Button onClick={() => void copy()}>{state === 'copied' ? texts.copied : texts.copy}</Button>
      </div>
      <span role="status" className={state === 'selected' ? 'text-muted text-xs' : 'sr-only'}>
        {{ idle: '', copied: texts.copied, selected: texts.selectedInsteadOfCopied }[state]}
      </span>
    </div>
  );
}
