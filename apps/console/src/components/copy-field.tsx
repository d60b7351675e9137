import { useId, useRef, useState } from 'react';
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
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Without permission the text is selected instead.
      if (output.current) globalThis.getSelection()?.selectAllChildren(output.current);
      return;
    }
    setCopied(true);
    onCopied?.();
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
        <Button onClick={() => void copy()}>{isCopied ? texts.copied : texts.copy}</Button>
      </div>
      <span role="status" className="sr-only">
        {isCopied ? texts.copied : ''}
      </span>
    </div>
  );
}
