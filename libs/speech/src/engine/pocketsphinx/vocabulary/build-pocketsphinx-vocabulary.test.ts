import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { buildBinaryLanguageModel } from './testing/binary-language-model.js';
import { buildPocketsphinxVocabulary } from './build-pocketsphinx-vocabulary.js';

const FOREIGN: Record<string, string> = {
  'pl:wojciechowski': 'V OY CH EH HH AO F S K IY',
  'de:school': 'SH UW L',
  'es-419:bella': 'B EY AH',
  'pl:kowalski': 'K OW V AA L S K IY',
};
const pronounceForeign = async (words: readonly string[]) =>
  new Map(words.flatMap((word): [string, string[]][] => (FOREIGN[word] ? [[word, [FOREIGN[word]]]] : [])));

const signal = new AbortController().signal;

/** A model of words with these likelihoods, and its dictionary, in a folder of its own. */
async function modelOf(likelihoods: Record<string, number>, entries: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-vocabulary-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const model = {
    acoustic: folder,
    language: join(folder, 'lm.bin'),
    dictionary: join(folder, 'words.dict'),
  };
  await writeFile(model.language, buildBinaryLanguageModel(likelihoods));
  await writeFile(model.dictionary, `${entries.join('\n')}\n`);
  return { folder, model };
}

it('buildPocketsphinxVocabulary adds foreign pronunciations to rare names only', async () => {
  const entries = ['school S K UW L', 'grammar G R AE M ER'];
  const likelihoods = { the: 0.5, school: 0.001, grammar: 0.001 };
  const { folder, model } = await modelOf(likelihoods, entries);

  const { dictionaryLines: dictionary, termsByEngineName: listed } = await buildPocketsphinxVocabulary(
    ['Wojciechowski', 'Grammar School'],
    model,
    folder,
    signal,
    pronounceForeign,
  );
  expect([...listed.values()].map(({ texts }) => texts)).toEqual([['Wojciechowski'], ['Grammar', 'School']]);
  expect(dictionary).toMatch(/^term:0(\(\d\))? V OY CH EH HH AO F S K IY$/m);
  expect(dictionary.split('\n').filter((line) => line.startsWith('term:1'))).toEqual([
    'term:1 G R AE M ER S K UW L',
  ]);
});

it('buildPocketsphinxVocabulary derives the probability of a name from its English pronunciations', async () => {
  const { folder, model } = await modelOf({ the: 0.5, bella: 5e-6 }, ['bella B EH L AH']);
  const { dictionaryLines: dictionary, addedWords: words } = await buildPocketsphinxVocabulary(
    ['Bella'],
    model,
    folder,
    signal,
    pronounceForeign,
  );
  expect(dictionary).toMatch(/^term:0\(\d\) B EY AH$/m);
  expect(words).toEqual([{ word: 'term:0', probability: 1e-5 }]);
});

it('buildPocketsphinxVocabulary adds foreign pronunciations to the rare part of a hyphenated name', async () => {
  const { folder, model } = await modelOf({ the: 0.5, smith: 0.001 }, ['smith S M IH TH']);
  const { dictionaryLines: dictionary } = await buildPocketsphinxVocabulary(
    ['Smith-Kowalski'],
    model,
    folder,
    signal,
    pronounceForeign,
  );
  expect(dictionary).toMatch(/^term:0(\(\d\))? S M IH TH K OW V AA L S K IY$/m);
});
