import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  findExecutableInSystemFolders,
  type ExternalTool,
  ToolFailedError,
  type ToolLimits,
  ToolTimeoutError,
} from '../../../tool/tool.js';
import { runTool } from '../../../tool/run-tool.js';
import { EXCLUSIVE_CREATE_OPTIONS } from '../../../tool/scratch-directory.js';
import {
  convertEspeakPhonesToArpabet,
  convertFlitePhonesToArpabet,
  convertEspeakIpaToArpabet,
} from './phones.js';

/** Reads words from a file and prints the pronunciation of each on a line. */
export interface G2pProgram {
  tool: ExternalTool;
  /** The input file is appended. */
  args: readonly string[];
  /** Terminates each word in the input. */
  separator: string;
  parse: (line: string) => string | null;
}

const ESPEAK: Pick<G2pProgram, 'tool' | 'separator'> = {
  tool: {
    name: 'espeak-ng',
    install: 'Install it with `apt install espeak-ng` (Debian, Ubuntu) or `brew install espeak-ng` (macOS).',
  },
  separator: '.\n',
};
// espeak-ng synthesizes audio in any case; high speed and pitch make that cheap.
const ESPEAK_FLAGS = ['-q', '--sep=_', '-s', '350', '-p', '99'];

/** Two programs, because they disagree on names and a term may have several pronunciations. */
const G2P_PROGRAMS: readonly G2pProgram[] = [
  { ...ESPEAK, args: [...ESPEAK_FLAGS, '-x', '-v', 'en-us', '-f'], parse: convertEspeakPhonesToArpabet },
  {
    tool: {
      name: 'flite',
      install: 'Install it with `apt install flite` (Debian, Ubuntu) or `brew install flite` (macOS).',
    },
    // flite synthesizes audio in any case; shortening it to a hundredth saves most of the time.
    args: ['-ps', '--setf', 'duration_stretch=0.01', '-o', 'none', '-f'],
    separator: '.\n\n',
    parse: convertFlitePhonesToArpabet,
  },
];

const LIMITS: ToolLimits = {
  memoryBytes: 512 * 1024 * 1024,
  cpuSeconds: 30,
  // espeak-ng reserves 64 MiB of shared memory for audio, which counts as a file.
  fileBytes: 128 * 1024 * 1024,
  wallSeconds: 60,
};

/** Each text that the program prints nothing for costs a few. */
const MAX_RUNS = 64;
/** Generous: words spelled letter by letter take eleven bytes per input byte. */
const MAX_OUTPUT_PER_INPUT_BYTE = 64;

/**
 * Ignores failing programs; words without a guess are missing from the result.
 * @param words of the letters a to z and apostrophes
 * @param folder for the input files
 * @throws the reason of the abort
 */
export async function guessPronunciations(
  words: readonly string[],
  folder: string,
  signal: AbortSignal,
  programs = G2P_PROGRAMS,
): Promise<Map<string, string[]>> {
  const pronunciations = new Map<string, string[]>();
  if (words.length === 0) return pronunciations;
  const results = await Promise.all(programs.map((program) => runG2pProgram(program, words, folder, signal)));
  for (const guesses of results)
    words.forEach((word, index) => {
      const pronunciation = guesses[index] ?? null;
      const known = pronunciations.get(word) ?? [];
      if (pronunciation !== null && !known.includes(pronunciation))
        pronunciations.set(word, [...known, pronunciation]);
    });
  return pronunciations;
}

/**
 * Unknown words are missing from the result.
 * @param words as `voice:word`
 * @param folder for the input files
 * @throws the reason of the abort
 */
export async function guessForeignPronunciations(
  words: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<Map<string, string[]>> {
  const pronounced = new Map<string, string[]>();
  for (const voice of new Set(words.map((word) => word.split(':')[0] ?? ''))) {
    const voiceWords = words.filter((word) => word.startsWith(`${voice}:`));
    const args = [...ESPEAK_FLAGS, '--ipa', '-v', voice, '-f'];
    const program = { ...ESPEAK, args, parse: convertEspeakIpaToArpabet };
    const bare = voiceWords.map((word) => word.slice(voice.length + 1));
    for (const [index, phones] of (await runG2pProgram(program, bare, folder, signal)).entries())
      if (phones !== null)
        // English speakers say either vowel for a foreign `a`.
        pronounced.set(voiceWords[index] ?? '', [...new Set([phones, phones.replaceAll('AA', 'AE')])]);
  }
  return pronounced;
}

/**
 * The IPA of each text in a language; empty when the program is missing or fails.
 * @param texts without marks that end a sentence @param voice of espeak-ng @param folder for the input file
 * @throws the reason of the abort
 */
export async function convertTextsToEspeakIpa(
  texts: readonly string[],
  voice: string,
  folder: string,
  signal: AbortSignal,
): Promise<string[]> {
  const args = [...ESPEAK_FLAGS, '--ipa', '-v', voice, '-f'];
  const lines = await runG2pProgram({ ...ESPEAK, args, parse: (line) => line }, texts, folder, signal);
  return lines.map((line) => line ?? '');
}

/** Null for unknown words; empty when the program is missing or fails. */
async function runG2pProgram(
  { tool, args, separator, parse }: G2pProgram,
  words: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<(string | null)[]> {
  if ((await findExecutableInSystemFolders(tool.name)) === null) return [];
  let runsLeft = MAX_RUNS;
  const readLines = async (some: readonly string[]): Promise<string[] | null> => {
    runsLeft -= 1;
    return runsLeft < 0 ? null : runG2pProgramOnce({ tool, args, separator }, some, folder, signal);
  };
  const lines = await readLinesByWord(words, readLines);
  return lines?.map((line) => (line === null ? null : parse(line))) ?? [];
}

/**
 * Lines are attributed to words by their number. A word with no line, or two, is found by halves, so that it is the only one without
 * a pronunciation.
 * @returns null if the program fails at once
 */
async function readLinesByWord(
  words: readonly string[],
  readLines: (words: readonly string[]) => Promise<string[] | null>,
): Promise<(string | null)[] | null> {
  const lines = await readLines(words);
  if (lines === null || lines.length === words.length) return lines;
  if (words.length === 1) return [null];
  const middle = Math.ceil(words.length / 2);
  const halves = [words.slice(0, middle), words.slice(middle)];
  const read: (string | null)[] = [];
  for (const half of halves) read.push(...((await readLinesByWord(half, readLines)) ?? half.map(() => null)));
  return read;
}

/** The lines that are not blank; null if the program fails. */
async function runG2pProgramOnce(
  { tool, args, separator }: Pick<G2pProgram, 'tool' | 'args' | 'separator'>,
  words: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<string[] | null> {
  const file = `${randomUUID()}.txt`;
  const input = words.map((word) => word + separator).join('');
  await writeFile(join(folder, file), input, EXCLUSIVE_CREATE_OPTIONS);
  const run = { tool, args: [...args, file], limits: LIMITS, signal, folder };
  const output = await runTool(run, input.length * MAX_OUTPUT_PER_INPUT_BYTE).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof ToolFailedError || error instanceof ToolTimeoutError) return null;
    throw error;
  });
  if (output === null) return null;
  const lines = output.toString('utf8').split('\n');
  return lines.filter((line) => line.trim() !== '');
}

export async function findMissingG2pPrograms(): Promise<ExternalTool[]> {
  const paths = await Promise.all(G2P_PROGRAMS.map(({ tool }) => findExecutableInSystemFolders(tool.name)));
  return G2P_PROGRAMS.map(({ tool }) => tool).filter((_, index) => paths[index] === null);
}
