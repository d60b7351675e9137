/**
 * `npm run protections`: removes each protection, in a copy of the project, and fails unless its test then fails.
 *
 *   TEXT         only those whose entry has the text, or one of several: `npm run protections -- outbound signing.ts`
 *   --rings A,B  only those whose test is in these rings (projects of vitest.config.ts)
 *   --quick      several at a time, where they share neither files nor tests; a failing test may then hide another one that passes
 *   --check      runs nothing: is each still found where its entry says, and its test too?
 */
import { parseArgs } from 'node:util';
import { prepare } from './lib/prepare.mjs';
import { runScript, say, Trouble } from './lib/trouble.mjs';
import { batchesOf } from './protections/batches.mjs';
import { makeCopy, whileWithout } from './protections/copy.mjs';
import { PROTECTIONS } from './protections/list.mjs';
import { ringOf, troublesOf } from './protections/protection.mjs';
import { RingTests } from './protections/tests.mjs';

/** @typedef {import('./protections/protection.mjs').Protection} Protection */

await runScript(async () => {
  const { check, quick, rings, texts } = readParameters();
  const troubles = (await Promise.all(PROTECTIONS.map(troublesOf))).flat();
  for (const trouble of troubles) console.log(trouble);
  if (troubles.length > 0 || check) return troubles.length > 0 ? 1 : 0;
  const chosen = PROTECTIONS.filter((protection) => isChosen(protection, rings, texts));
  await prepare({ tests: true });
  const copy = await makeCopy();
  const begun = performance.now();
  try {
    const kept = [];
    for (const ring of new Set(chosen.map(ringOf))) {
      const some = chosen.filter((protection) => ringOf(protection) === ring);
      const tests = await RingTests.open(copy.root, ring);
      say(`${some.length} of the ring ${ring}, with nothing taken out ...`);
      const bad = await testsThatFailAnyway(tests, some);
      const good = some.filter((protection) => !bad.includes(protection));
      const batches = quick ? batchesOf(good) : good.map((one) => [one]);
      kept.push(...bad, ...(await notMissed(copy.root, tests, batches)));
      await tests.close();
    }
    const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
    const missed = `${chosen.length - kept.length} of ${chosen.length} protections: their test fails without them`;
    console.log(`${missed}; that took ${minutes} minutes.`);
    return kept.length === 0 && chosen.length > 0 ? 0 : 1;
  } finally {
    await copy.remove();
  }
});

function readParameters() {
  const flag = { type: /** @type {const} */ ('boolean'), default: false };
  const options = { check: flag, quick: flag, rings: { type: /** @type {const} */ ('string') } };
  try {
    const { values, positionals: texts } = parseArgs({ options, allowPositionals: true });
    return { ...values, rings: values.rings?.split(','), texts };
  } catch (error) {
    throw new Trouble(`${error.message} Known are --check, --quick and --rings A,B.`);
  }
}

/** @param {Protection} protection @param {string[] | undefined} rings @param {string[]} texts none for every protection */
function isChosen(protection, rings, texts) {
  if (rings && !rings.includes(ringOf(protection))) return false;
  const entry = JSON.stringify(protection);
  return texts.length === 0 || texts.some((text) => entry.includes(text));
}

/**
 * Tests that do not pass while nothing is taken out say nothing.
 *
 * @param {RingTests} tests @param {Protection[]} protections of their ring @returns {Promise<Protection[]>} theirs
 */
async function testsThatFailAnyway(tests, protections) {
  const { output, of } = await tests.run(protections);
  const bad = protections.filter((protection) => of(protection).failed > 0 || of(protection).passed === 0);
  if (bad.length > 0) say(output);
  for (const { what, name } of bad) console.log(`FAIL ${what}: “${name}” does not pass as things are`);
  return bad;
}

/**
 * @param {string} root @param {RingTests} tests @param {Protection[][]} batches
 * @returns {Promise<Protection[]>} those whose test passes without them
 */
async function notMissed(root, tests, batches) {
  const kept = [];
  for (const batch of batches) {
    const { of, output } = await whileWithout(root, batch, () => tests.run(batch));
    const silent = batch.filter((protection) => of(protection).failed === 0);
    if (silent.length > 0) say(output);
    for (const protection of batch) {
      const { failed, why } = of(protection);
      console.log(
        `${failed > 0 ? 'ok  ' : 'FAIL'} ${protection.what}: ${protection.by}${why ? ` (${why})` : ''}`,
      );
    }
    kept.push(...silent);
  }
  return kept;
}
