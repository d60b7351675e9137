import { useState } from 'react';
import {
  CODE_SAMPLE_VARIANTS,
  type CodeSampleVariant,
  readSavedCodeSampleVariant,
  saveCodeSampleVariant,
} from '../lib/code-sample-variant.ts';
import { texts } from '../texts/index.ts';
import { CopyButton } from './copy-button.tsx';
import { ScrollableTextBlock } from './text-block.tsx';

interface CodeSampleBlockProps<Variant extends CodeSampleVariant> {
  /** In any order. */
  variants: readonly Variant[];
  render: (variant: Variant) => string;
  onCopied?: () => void;
}

/** A program in one of several languages or for one of several clients, to read and copy. Other pages then begin with the chosen one. */
export function CodeSampleBlock<Variant extends CodeSampleVariant>({
  variants,
  render,
  onCopied,
}: CodeSampleBlockProps<Variant>) {
  const shown = CODE_SAMPLE_VARIANTS.flatMap((name) => variants.filter((variant) => variant === name));
  const [chosen, setChosen] = useState(
    () => shown.find((name) => name === readSavedCodeSampleVariant()) ?? shown[0],
  );
  if (chosen === undefined) return null;
  const code = render(chosen);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div role="group" aria-label={texts.code.language} className="flex flex-wrap gap-1">
          {shown.map((variant) => (
            <button
              key={variant}
              type="button"
              aria-pressed={variant === chosen}
              onClick={() => {
                setChosen(variant);
                saveCodeSampleVariant(variant);
              }}
              className="hover:bg-raised aria-pressed:border-accent aria-pressed:text-ink text-muted min-h-8 rounded-md border border-transparent px-2.5 font-medium"
            >
              {texts.code.languages[variant]}
            </button>
          ))}
        </div>
        <CopyButton key={chosen} text={code} label={texts.code.copy} onCopied={onCopied} />
      </div>
      <ScrollableTextBlock label={texts.code.label(texts.code.languages[chosen])} text={code} isCode />
    </div>
  );
}
