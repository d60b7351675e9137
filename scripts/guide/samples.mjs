/**
 * What the info string of a fenced block says about the code in it. Its first word is the language:
 *
 *     ```sh run prints="SPEAKER_1"     a shell runs it, and its output contains this text
 *     ```sh run background             runs beside the blocks that follow, like in another terminal
 *     ```js file=transcribe.mjs        is saved as a file, which a block that runs uses
 *     ```sh not-run="needs a cluster"  does not run, for this reason
 *
 * Blocks without a language, and those in a language of `DATA_LANGUAGES`, show data and need no such word.
 */

/** Nothing runs in these languages. */
export const DATA_LANGUAGES = new Set(['', 'json', 'text']);
const KNOWN_WORDS = new Set(['run', 'background', 'prints', 'file', 'not-run']);
const WORD = /([a-z-]+)(?:=(?:"([^"]*)"|(\S+)))?/gy;

/**
 * @typedef {object} FenceInfo
 * @property {string} language
 * @property {boolean} run
 * @property {boolean} background
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
    run: words.has('run'),
    background: words.has('background'),
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
  const uses = [sample.run, sample.file !== undefined, sample.notRun !== undefined].filter(Boolean).length;
  if (DATA_LANGUAGES.has(sample.language)) {
    if (uses > 0) throw new Error(`\`\`\`${info}: ${sample.language || 'text'} is data and does not run.`);
    return;
  }
  if (uses !== 1) throw new Error(`\`\`\`${info}: code needs one of run, file=NAME and not-run="REASON".`);
  if (sample.notRun === '') throw new Error(`\`\`\`${info}: not-run needs a reason.`);
  if (sample.run && sample.language !== 'sh')
    throw new Error(`\`\`\`${info}: only sh runs; save it as a file.`);
  if (!sample.run && (sample.background || sample.prints !== undefined))
    throw new Error(`\`\`\`${info}: background and prints are for code that runs.`);
}
