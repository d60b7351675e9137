import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CLEAR_LINE, ProgressView } from './progress-view.js';

const upload = (uploadedBytes: number) => ({ phase: 'upload', uploadedBytes, totalBytes: 100 }) as const;

describe('ProgressView at a terminal', () => {
  let shown = '';
  const terminal = {
    isTTY: true,
    columns: 40,
    write: (text: string | Uint8Array) => (shown += String(text)),
  };

  beforeEach(() => {
    vi.useFakeTimers();
    shown = '';
  });
  afterEach(() => void vi.useRealTimers());

  it('draws the newest progress soon, also if no further progress follows', () => {
    const view = new ProgressView(terminal);
    view.update('a', upload(0));
    view.update('a', upload(40));
    view.update('a', upload(50));
    expect(shown).not.toContain('50 %');
    vi.advanceTimersByTime(100);
    expect(shown).toContain('a uploading [########--------] 50 %');
    expect(shown).not.toContain('40 %');
  });

  it.each([
    [upload(150), '[################] 100 %'],
    [{ ...upload(0), totalBytes: 0 }, 'a uploading'],
    [{ phase: 'transcription', completed: 0, total: 0, step: 'preprocess' } as const, 'a transcribing'],
  ])('shows at most the whole of %j, and no share of nothing', (progress, expected) => {
    new ProgressView(terminal).update('a', progress);
    expect(shown.endsWith(expected)).toBe(true);
  });

  it('draws a line that does not wrap, whatever the names', () => {
    new ProgressView(terminal).update('會議錄音'.repeat(10), upload(50));
    expect(shown).toBe(`${CLEAR_LINE}${'會議錄音'.repeat(10).slice(0, 19)}`);
  });

  it('says above the bars why an upload starts again', () => {
    const view = new ProgressView(terminal);
    view.update('a', { ...upload(0), restartReason: 'The URLs of the earlier upload have expired.' });
    expect(shown).toContain(
      'a: The URLs of the earlier upload have expired. It starts again from the beginning.\n',
    );
  });

  it('draws nothing after it was cleared', () => {
    const view = new ProgressView(terminal);
    view.update('a', upload(0));
    view.update('a', upload(50));
    view.clear();
    vi.advanceTimersByTime(1000);
    expect(shown).not.toContain('50 %');
  });
});
