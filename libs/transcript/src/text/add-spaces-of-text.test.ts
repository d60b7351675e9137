import { describe, expect, it } from 'vitest';
import { addSpacesOfText } from './add-spaces-of-text.js';

const spacesOf = (text: string, ...words: string[]) =>
  addSpacesOfText(
    words.map((word) => ({ text: word })),
    text,
  ).map(({ spaceBefore = null }) => spaceBefore);

describe('addSpacesOfText', () => {
  it('tells before which words the text has a space', () => {
    expect(spacesOf('ครับ ครับผม', 'ครับ', 'ครับ', 'ผม')).toEqual([false, true, false]);
  });

  it('knows nothing of a word that the text does not have', () => {
    expect(spacesOf('ครับ ผม', 'ครับ', 'คะ', 'ผม')).toEqual([false, null, true]);
  });
});
