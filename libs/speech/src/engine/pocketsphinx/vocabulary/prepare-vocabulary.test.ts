import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { binaryModel } from './testing/binary-model.js';
import { prepareVocabulary } from './vocabulary.js';

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
  await writeFile(model.language, binaryModel(likelihoods));
  await writeFile(model.dictionary, `${entries.join('\n')}\n`);
  return { folder, model };
}

it('listens for a rare name also as it is said in the language of its spelling, and for no common word so', async () => {
  const entries = [
    'school S K UW L',
    'grammar G R AE M ER',
    'shool SH UW L',
    'voychehofski V OY CH EH HH AO F S K IY',
  ];
  const likelihoods = { the: 0.5, school: 0.001, grammar: 0.001, shool: 1e-6 };
  const { folder, model } = await modelOf(likelihoods, entries);

  const { dictionary, listed } = await prepareVocabulary(
    ['Wojciechowski', 'Grammar School'],
    model,
    folder,
    signal,
  );
  expect([...listed.values()].map(({ texts }) => texts)).toEqual([['Wojciechowski'], ['Grammar', 'School']]);
  expect(dictionary).toMatch(/^term:0(\(\d\))? V OY CH EH HH AO F S K IY$/m);
  expect(dictionary.split('\n').filter((line) => line.startsWith('term:1'))).toEqual([
    'term:1 G R AE M ER S K UW L',
  ]);
});

it('takes a name for as likely as by its usual sounds, however short it is in another language', async () => {
  const { folder, model } = await modelOf({ the: 0.5, bella: 5e-6 }, ['bella B EH L AH', 'beya B EY AH']);
  const { dictionary, words } = await prepareVocabulary(['Bella'], model, folder, signal);
  expect(dictionary).toMatch(/^term:0\(\d\) B EY AH$/m);
  expect(words).toEqual([{ word: 'term:0', probability: 1e-5 }]);
});

it('listens for the rare half of a double name as in its language, beside a common half', async () => {
  const { folder, model } = await modelOf({ the: 0.5, smith: 0.001 }, [
    'smith S M IH TH',
    'kovalski K OW V AA L S K IY',
  ]);
  const { dictionary } = await prepareVocabulary(['Smith-Kowalski'], model, folder, signal);
  expect(dictionary).toMatch(/^term:0(\(\d\))? S M IH TH K OW V AA L S K IY$/m);
});
