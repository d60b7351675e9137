import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { SegmentRow, type SegmentRowProps } from './segment-row.tsx';

const ORIGINAL = 'صباح الخير';
const CORRECTED = 'مساء الخير';
const NAME = 'ليلى';

function render(props: Partial<SegmentRowProps>): string {
  const row = createElement(SegmentRow, {
    segment: { id: 0, start: 0, end: 1, text: ORIGINAL, language: 'ar', speaker: 'SPEAKER_1', words: null },
    position: 0,
    firstWord: 0,
    speaker: { name: NAME, color: 0 },
    correction: null,
    matches: null,
    marksUncertain: false,
    canEdit: true,
    isEditing: false,
    onEdit: vi.fn(),
    userId: 'user',
    jobId: 'job',
    draft: null,
    onSave: vi.fn(),
    onSeek: vi.fn(),
    ...props,
  });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, row));
}

/** The attributes of the element that begins with the text. */
function findAttributes(markup: string, text: string): string {
  const end = markup.indexOf(`>${text}`);
  return markup.slice(markup.lastIndexOf('<', end), end);
}

it('a text has the direction of its letters and its language, as recognised, corrected and in the field', () => {
  const recognised = findAttributes(render({}), ORIGINAL);
  expect(recognised).toContain('lang="ar"');
  expect(recognised).toContain('dir="auto"');
  const corrected = render({ correction: CORRECTED });
  expect(findAttributes(corrected, CORRECTED)).toContain('lang="ar"');
  expect(findAttributes(corrected, CORRECTED)).toContain('dir="auto"');
  // Isolated from what is before it, with a direction of its own.
  expect(findAttributes(corrected, ORIGINAL)).toBe('<bdi lang="ar"');
  const field = findAttributes(render({ isEditing: true }), ORIGINAL);
  expect(field).toContain('<textarea');
  expect(field).toContain('lang="ar"');
  expect(field).toContain('dir="auto"');
});

it('the name of a speaker has the direction of its letters', () => {
  expect(findAttributes(render({}), NAME)).toContain('dir="auto"');
});
