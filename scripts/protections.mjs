/**
 * `npm run protections`: takes each protection out, in a copy of the project, and fails unless its test misses it.
 *
 *   TEXT     only those whose entry has the text, or one of several: `npm run protections -- outbound signing.ts`
 *   --quick  several at a time, where they share neither files nor tests; one may then be missed in the place of another
 *   --check  runs nothing: is each still found where its entry says, and its test too?
 */
import { prepare } from './lib/prepare.mjs';
import { runScript, say } from './lib/trouble.mjs';
import { batchesOf } from './protections/batches.mjs';
import { makeCopy, whileWithout } from './protections/copy.mjs';
import { PROTECTIONS } from './protections/list.mjs';
import { ringOf, troublesOf } from './protections/protection.mjs';
import { runTestsOf } from './protections/tests.mjs';

/** @typedef {import('./protections/protection.mjs').Protection} Protection */

await runScript(async () => {
  const texts = process.argv.slice(2).filter((parameter) => !parameter.startsWith('--'));
  const troubles = (await Promise.all(PROTECTIONS.map(troublesOf))).flat();
  for (const trouble of troubles) console.log(trouble);
  if (troubles.length > 0 || process.argv.includes('--check')) return troubles.length > 0 ? 1 : 0;
  const chosen = PROTECTIONS.filter((protection) => isChosen(protection, texts));
  const batches = process.argv.includes('--quick') ? batchesOf(chosen) : chosen.map((one) => [one]);
  await prepare({ tests: true });
  const copy = await makeCopy();
  try {
    const kept = (await testsThatFailAnyway(copy.root, chosen)) ?? (await notMissed(copy.root, batches));
    console.log(`${chosen.length - kept.length} of ${chosen.length} protections are missed by their test.`);
    return kept.length === 0 && chosen.length > 0 ? 0 : 1;
  } finally {
    await copy.remove();
  }
});

/** @param {Protection} protection @param {string[]} texts none for every protection */
function isChosen(protection, texts) {
  const entry = JSON.stringify(protection);
  return texts.length === 0 || texts.some((text) => entry.includes(text));
}

/** Tests that do not pass while nothing is taken out say nothing. @returns those protections; undefined when there is none */
async function testsThatFailAnyway(root, protections) {
  const failing = [];
  for (const ring of new Set(protections.map(ringOf))) {
    const some = protections.filter((protection) => ringOf(protection) === ring);
    say(`${some.length} of the ring ${ring}, with nothing taken out ...`);
    const { output, of } = await runTestsOf(root, some);
    const bad = some.filter((protection) => of(protection).failed > 0 || of(protection).passed === 0);
    if (bad.length > 0) say(output);
    for (const { what, name } of bad) console.log(`FAIL ${what}: “${name}” does not pass as things are`);
    failing.push(...bad);
  }
  return failing.length > 0 ? failing : undefined;
}

/** @param {string} root @param {Protection[][]} batches @returns {Promise<Protection[]>} those whose test passes without them */
async function notMissed(root, batches) {
  const kept = [];
  for (const batch of batches) {
    const { of, output } = await whileWithout(root, batch, () => runTestsOf(root, batch));
    const silent = batch.filter((protection) => of(protection).failed === 0);
    if (silent.length > 0) say(output);
    for (const protection of batch)
      console.log(`${silent.includes(protection) ? 'FAIL' : 'ok  '} ${protection.what}: ${protection.by}`);
    kept.push(...silent);
  }
  return kept;
}
