import { useId, useState } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';

/** A text to pass on, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Without permission the text is selected instead.
      const input = document.querySelector<HTMLInputElement>(`#${CSS.escape(id)}`);
      input?.select();
      return;
    }
    setCopied(true);
  };
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          value={value}
          className="border-control bg-raised min-h-9 w-full min-w-0 rounded-md border px-2.5 font-mono text-xs"
        />
        <Button onClick={() => void copy()}>{isCopied ? texts.copied : texts.copy}</Button>
      </div>
      <span role="status" className="sr-only">
        {isCopied ? texts.copied : ''}
      </span>
    </div>
  );
}
