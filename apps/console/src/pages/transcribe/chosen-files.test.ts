import { expect, it } from 'vitest';
import { addFiles } from './chosen-files.ts';

const file = (name: string, content = 'sound') => new File([content], name, { lastModified: 1 });

it('files are added once each, and those without content are left out', () => {
  const files = addFiles([file('a.wav')], [file('b.wav'), file('a.wav'), file('empty.wav', '')]);
  expect(files.map(({ name }) => name)).toEqual(['a.wav', 'b.wav']);
});
