import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { binaryModel } from './testing/binary-model.js';
import { prepareVocabulary } from './vocabulary.js';

it('listens for a rare name also as it is said in the language of its spelling, and for no common word so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-vocabulary-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const model = {
    acoustic: folder,
    language: join(folder, 'lm.bin'),
    dictionary: join(folder, 'words.dict'),
  };
  await writeFile(model.language, binaryModel({ the: 0.5, school: 0.001, grammar: 0.001, shool: 1e-6 }));
  const entries = [
    'school S K UW L',
    'grammar G R AE M ER',
    'shool SH UW L',
    'voychehofski V OY CH EH HH AO F S K IY',
  ];
  await writeFile(model.dictionary, `${entries.join('\n')}\n`);
  const signal = new AbortController().signal;

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
