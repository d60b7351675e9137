const CHOICE = 'libs/speech/src/engine/choice/choose-engine-for-installation.ts';
const CHOICE_TEST = 'libs/speech/src/engine/choice/choose-engine-for-installation.test.ts';
const CHECK = 'libs/speech/src/models/check/model-check.ts';
const MAIN_ENGINE = 'apps/processor/src/aggregation/find-main-engine-and-warnings.ts';
const OFFER = 'scripts/lib/recommended-models.mjs';
const OFFER_TEST = 'scripts/lib/recommended-models.test.mjs';

/**
 * `ENGINE=auto` uses no model that does not work, transcripts name the engine that they had, and nothing is downloaded
 * unasked. @type {import('../mutation.mjs').Mutation[]}
 */
export const ENGINE_CHOICE = [
  {
    protects: 'a model that failed its check is not chosen',
    file: CHOICE,
    change: 'the result of the check does not count',
    from: 'if (check.problem !== null) return check.problem;',
    to: '',
    test: CHOICE_TEST,
    name: '$chosen, because $why',
  },
  {
    protects: 'a model that was not checked is not chosen',
    file: CHOICE,
    change: 'unchecked models are usable',
    from: `if (check === null) return 'it was not checked';`,
    to: 'if (check === null) return null;',
    test: CHOICE_TEST,
    name: '$chosen, because $why',
  },
  {
    protects: 'a model that does not fit into memory is not chosen',
    file: CHOICE,
    change: 'memory does not count',
    from: 'return copyBytes <= available',
    to: 'return copyBytes <= Infinity',
    test: CHOICE_TEST,
    name: '$chosen, because $why',
  },
  {
    protects: 'the result of a check does not count for other files',
    file: CHECK,
    change: 'the manifest is not compared',
    from: 'parsed.data.manifestSha256 === (await hashManifest(folder))',
    to: 'parsed.data.manifestSha256.length === 64',
    test: 'test/integration/model-checks.test.ts',
    name: 'replaces the result, which does not count for another manifest',
  },
  {
    protects: 'a transcript names the engine of its chunks',
    file: MAIN_ENGINE,
    change: 'the engine of the aggregating process is named',
    from: 'for (const { engine = ownEngine, seconds } of spans) {',
    to: 'for (const { seconds } of spans) { const engine = ownEngine;',
    test: 'apps/processor/src/aggregation/find-main-engine-and-warnings.test.ts',
    name: 'returns the engine of the chunks, not that of the aggregating process',
  },
  {
    protects: 'nothing is asked or downloaded in CI and without a terminal',
    file: OFFER,
    change: 'CI is not considered',
    from: 'if (!isTerminal || env.CI || isChosen) return false;',
    to: 'if (!isTerminal || isChosen) return false;',
    test: OFFER_TEST,
    name: 'asks and connects to nothing %s',
  },
  {
    protects: 'a name server that does not answer does not delay the start',
    file: OFFER,
    change: 'no limit covers the look-up',
    from: 'const timer = setTimeout(() => finish(false), timeoutMs);',
    to: 'const timer = setTimeout(() => finish(false), timeoutMs * 100);',
    test: OFFER_TEST,
    name: 'gives up in time on a name server that does not answer',
  },
];
