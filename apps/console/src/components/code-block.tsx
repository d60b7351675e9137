import { useState } from 'react';
import {
  CODE_SAMPLE_VARIANTS,
  type CodeSampleVariant,
  readSavedCodeSampleLanguage,
  saveCodeSampleLanguage,
} from '../lib/code-sample-variant.ts';
import { texts } from '../texts/index.ts';
import { CopyButton } from './copy-button.tsx';
import { ScrollableTextBlock } from './text-block.tsx';

interface CodeBlockProps<Language extends CodeSampleVariant> {
  /** In any order. */
  languages: readonly Language[];
  render: (language: Language) => string;
  onCopied?: () => void;
}

/** A program in one of several languages, to read and copy. Other pages then begin with the language that was chosen. */
export function MultiLanguageCodeBlock<Language extends CodeSampleVariant>({
  languages,
  render,
  onCopied,
}: CodeBlockProps<Language>) {
  const shown = CODE_SAMPLE_VARIANTS.flatMap((name) => languages.filter((language) => language === name));
  const [chosen, setChosen] = useState(
    () => shown.find((name) => name === readSavedCodeSampleLanguage()) ?? shown[0],
  );
  if (chosen === undefined) return null;
  const code = render(chosen);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div role="group" aria-label={texts.code.language} className="flex flex-wrap gap-1">
          {shown.map((language) => (
            <button
              key={language}
              type="button"
              aria-pressed={language === chosen}
              onClick={() => {
                setChosen(language);
                saveCodeSampleLanguage(language);
              }}
              className="hover:bg-raised aria-pressed:border-accent aria-pressed:text-ink text-muted min-h-8 rounded-md border border-transparent px-2.5 font-medium"
            >
              {texts.code.languages[language]}
            </button>
          ))}
        </div>
        <CopyButton key={chosen} text={code} label={texts.code.copy} onCopied={onCopied} />
      </div>
      <ScrollableTextBlock label={texts.code.label(texts.code.languages[chosen])} text={code} isCode />
    </div>
  );
}
