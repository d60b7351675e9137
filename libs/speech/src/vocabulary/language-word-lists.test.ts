import { describe, expect, it } from 'vitest';
import { findWordListLanguage, loadFrequentWords } from './language-word-lists.js';

async function loadRanks(tag: string) {
  const language = findWordListLanguage(tag);
  if (!language) throw new Error(`No words of ${tag}`);
  return loadFrequentWords(language);
}

describe('loadFrequentWords', () => {
  it.each([
    ['en', ['The', 'us', 'water'], 'Kowalczyk'],
    ['de-DE', ['nicht', 'Haus', 'für'], 'Kowalczyk'],
    ['fr', ['être', 'maison', 'où'], 'Kowalczyk'],
    ['es-419', ['está', 'casa', 'qué'], 'Kowalczyk'],
    ['pl', ['nie', 'dom'], 'Kubernetes'],
    ['ru', ['я'], 'Ковальчук'],
  ])('knows common words of %s, and no name', async (tag, common, name) => {
    const ranks = await loadRanks(tag);
    for (const word of common) expect(ranks.isCommon(word), word).toBe(true);
    expect(ranks.isKnown(name)).toBe(false);
  });

  it('a word of the ten thousand is known, but not all of them are common', async () => {
    const ranks = await loadRanks('de');
    expect([ranks.isKnown('startklar'), ranks.isCommon('startklar')]).toEqual([true, false]);
  });

  it('every language has a list', async () => {
    const tags =
      'af ar bg bn ca cs da de el en eo es et fa fi fr he hi hu id it kk ko lt lv mk nb nl nn no pl pt ro ru sk sl sq sr sv tr uk vi';
    for (const tag of tags.split(' ')) expect((await loadRanks(tag)).isKnown(''), tag).toBe(false);
  });

  it('there are none of a language that espeak-ng cannot read or that has no list', () => {
    for (const tag of ['ja', 'th', 'zh', 'zh-TW', 'is', '', 'xx'])
      expect(findWordListLanguage(tag), tag).toBeNull();
  });
});
