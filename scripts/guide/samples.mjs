/**
 * What the info string of a fenced block says about the code in it: which program runs or reads it. Its first word is the
 * language:
 *
 *     ```sh run prints="SPEAKER_1"             a shell runs it, and its output contains this text
 *     ```sh run background                     runs beside the blocks that follow, like in another terminal
 *     ```sh run background="is ready"          which follow when it has printed this text
 *     ```sh run=test/e2e/release.test.ts       runs in this test, which has what it needs
 *     ```js file=transcribe.mjs                is saved as a file, which a block that runs uses
 *     ```sh not-run="needs a cluster"          does not run, for this reason
 *     ```env                                   settings, which the service must accept
 *
 * Blocks in a language of `DATA_LANGUAGES` show data and need no such word.
 */

/** The test that runs blocks with a bare `run`: all of a page in one shell, against a started service. */
export const DEFAULT_TEST = 'test/e2e/guide-samples.test.ts';
/** Nothing runs in these languages. A test parses json, and reads env as the service does. */
export const DATA_LANGUAGES = new Set(['', 'json', 'text', 'env']);
const KNOWN_WORDS = new Set(['run', 'background', 'prints', 'file', 'not-run']);
const WORD = /([a-z-]+)(?:=(?:"([^"]*)"|(\S+)))?/gy;

/**
 * @typedef {object} FenceInfo
 * @property {string} language
 * @property {string} [run] the test that runs it, by its path in the repository
 * @property {boolean} background
 * @property {string} [ready] text that it prints before the blocks that follow run
 * @property {string} [prints] text that the output contains
 * @property {string} [file] name under which the reader saves it
 * @property {string} [notRun] why it does not run
 */

/**
 * @param {string} info as in the Markdown file
 * @returns {FenceInfo}
 * @throws Error that names what is wrong
 */
export function parseFenceInfo(info) {
  const [language = '', ...rest] = info.trim().split(/\s+/);
  const words = parseWords(rest.join(' '), info);
  const sample = {
    language,
    background: words.has('background'),
    ...(words.has('run') && { run: words.get('run') || DEFAULT_TEST }),
    ...(words.get('background') && { ready: words.get('background') }),
    ...(words.has('prints') && { prints: words.get('prints') }),
    ...(words.has('file') && { file: words.get('file') }),
    ...(words.has('not-run') && { notRun: words.get('not-run') }),
  };
  assertConsistent(sample, info);
  return sample;
}

/** @param {string} text @param {string} info @returns {Map<string, string>} */
function parseWords(text, info) {
  const words = new Map();
  for (let rest = text; rest !== ''; rest = rest.trimStart()) {
    WORD.lastIndex = 0;
    const [match, word = '', quoted, plain] = WORD.exec(rest) ?? [];
    if (match === undefined || !KNOWN_WORDS.has(word))
      throw new Error(`\`\`\`${info}: ${JSON.stringify(rest)} is none of ${[...KNOWN_WORDS].join(', ')}.`);
    words.set(word, quoted ?? plain ?? '');
    rest = rest.slice(match.length);
  }
  return words;
}

/** @param {FenceInfo} sample @param {string} info */
function assertConsistent(sample, info) {
  const uses = [sample.run, sample.file, sample.notRun].filter((use) => use !== undefined).length;
  if (DATA_LANGUAGES.has(sample.language)) {
    if (uses > 0) throw new Error(`\`\`\`${info}: ${sample.language || 'text'} is data and does not run.`);
    return;
  }
  if (uses !== 1) throw new Error(`\`\`\`${info}: code needs one of run, file=NAME and not-run="REASON".`);
  if (sample.notRun === '') throw new Error(`\`\`\`${info}: not-run needs a reason.`);
  if (sample.run !== undefined && sample.language !== 'sh')
    throw new Error(`\`\`\`${info}: only sh runs; save it as a file.`);
  if (sample.run === undefined && (sample.background || sample.prints !== undefined))
    throw new Error(`\`\`\`${info}: background and prints are for code that runs.`);
}
