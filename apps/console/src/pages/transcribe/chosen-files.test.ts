import { expect, it } from 'vitest';
import { addFiles, splitDroppedFiles } from './chosen-files.ts';

const file = (name: string, content = 'sound') => new File([content], name, { lastModified: 1 });

it('files are added once each, and those without content are left out', () => {
  const files = addFiles([file('a.wav')], [file('b.wav'), file('a.wav'), file('empty.wav', '')]);
  expect(files.map(({ name }) => name)).toEqual(['a.wav', 'b.wav']);
});

it('folders among what is dropped are told from files, and text is left out', () => {
  const item = (dropped: File | null, isDirectory = false) =>
    ({ getAsFile: () => dropped, webkitGetAsEntry: () => ({ isDirectory }) }) as DataTransferItem;
  const items = [item(file('talk.wav')), item(file('recorder'), true), item(null)];
  const { files, folderNames } = splitDroppedFiles(items);
  expect(files.map(({ name }) => name)).toEqual(['talk.wav']);
  expect(folderNames).toEqual(['recorder']);
});
