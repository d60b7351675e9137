import { useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { texts } from '../../texts/index.ts';
import { useScrollPadding } from './use-scroll-padding.ts';

/** In place of the player, when the browser has no copy of the audio. */
export function AudioChooser({ onChoose }: { onChoose: (file: File) => Promise<boolean> }) {
  const t = texts.transcript;
  const bar = useRef<HTMLElement>(null);
  useScrollPadding(bar);
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  const [isComparing, setComparing] = useState(false);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setError(null);
    setComparing(true);
    try {
      setError((await onChoose(file)) ? null : t.otherAudio);
    } catch {
      setError(texts.transcribe.fileNotRead);
    }
    setComparing(false);
  };
  return (
    <section
      ref={bar}
      aria-label={t.player}
      className="border-line bg-surface sticky bottom-0 -mx-4 flex flex-col items-start gap-2 border-t px-4 py-3"
    >
      <p className="text-muted">{t.noAudio}</p>
      <input
        ref={input}
        type="file"
        accept="audio/*,video/*"
        aria-label={t.chooseAudio}
        hidden
        onChange={({ target }) => {
          void choose(target.files?.[0]);
          target.value = '';
        }}
      />
      {/* Large files take long to compare. */}
      <Button busy={isComparing} onClick={() => input.current?.click()}>
        {t.chooseAudio}
      </Button>
      {error !== null && <Notice kind="error">{error}</Notice>}
    </section>
  );
}
