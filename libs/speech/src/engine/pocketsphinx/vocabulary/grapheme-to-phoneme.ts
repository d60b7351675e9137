import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  locateExecutable,
  type Tool,
  ToolFailedError,
  type ToolLimits,
  ToolTimeoutError,
} from '../../../tool/tool.js';
import { runTool } from '../../../tool/run-tool.js';
import { CREATE_EXCLUSIVE } from '../../../tool/scratch-directory.js';
import { parseEspeakPhones, parseFlitePhones } from './phones.js';

/** Grapheme-to-phoneme: reads words from a file and prints the pronunciation of each on a line. */
export interface G2pProgram {
  tool: Tool;
  /** The input file is appended. */
  args: readonly string[];
  /** Terminates each word in the input. */
  separator: string;
  parse: (line: string) => string | null;
}

/** Two programs, because they disagree on names and a term may have several pronunciations. */
const G2P_PROGRAMS: readonly G2pProgram[] = [
  {
    tool: {
      name: 'espeak-ng',
      install:
        'Install it with `apt install espeak-ng` (Debian, Ubuntu) or `brew install espeak-ng` (macOS).',
    },
    // espeak-ng synthesizes audio in any case; high speed and pitch make that cheap.
    args: ['-q', '-x', '--sep=_', '-s', '350', '-p', '99', '-v', 'en-us', '-f'],
    separator: '.\n',
    parse: parseEspeakPhones,
  },
  {
    tool: {
      name: 'flite',
      install: 'Install it with `apt install flite` (Debian, Ubuntu) or `brew install flite` (macOS).',
    },
    // flite synthesizes audio in any case; shortening it to a hundredth saves most of the time.
    args: ['-ps', '--setf', 'duration_stretch=0.01', '-o', 'none', '-f'],
    separator: '.\n\n',
    parse: parseFlitePhones,
  },
];

const LIMITS: ToolLimits = {
  memoryBytes: 512 * 1024 * 1024,
  cpuSeconds: 30,
  // espeak-ng reserves 64 MiB of shared memory for audio, which counts as a file.
  fileBytes: 128 * 1024 * 1024,
  wallSeconds: 60,
};

/** Generous: words spelled letter by letter take eleven bytes per input byte. */
const MAX_OUTPUT_PER_INPUT_BYTE = 64;

/**
 * Guesses the pronunciations of words by the installed programs. Failing programs are ignored; words without a guess are
 * missing from the result.
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
  const sounds = new Map<string, string[]>();
  if (words.length === 0) return sounds;
  const results = await Promise.all(programs.map((program) => runG2pProgram(program, words, folder, signal)));
  for (const guesses of results)
    words.forEach((word, index) => {
      const sound = guesses[index] ?? null;
      const known = sounds.get(word) ?? [];
      if (sound !== null && !known.includes(sound)) sounds.set(word, [...known, sound]);
    });
  return sounds;
}

/** The pronunciation of each word, null where unknown; an empty list when the program is missing or fails. */
async function runG2pProgram(
  { tool, args, separator, parse }: G2pProgram,
  words: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<(string | null)[]> {
  if ((await locateExecutable(tool.name)) === null) return [];
  const file = `${tool.name}.txt`;
  const input = words.map((word) => word + separator).join('');
  await writeFile(join(folder, file), input, CREATE_EXCLUSIVE);
  const run = { tool, args: [...args, file], limits: LIMITS, signal, folder };
  const printed = await runTool(run, input.length * MAX_OUTPUT_PER_INPUT_BYTE).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof ToolFailedError || error instanceof ToolTimeoutError) return '';
    throw error;
  });
  const lines = printed
    .toString('latin1')
    .split('\n')
    .filter((line) => line.trim() !== '');
  // Otherwise lines cannot be attributed to words.
  return lines.length === words.length ? lines.map(parse) : [];
}

/** The grapheme-to-phoneme programs that are not installed. */
export async function findMissingG2pPrograms(): Promise<Tool[]> {
  const paths = await Promise.all(G2P_PROGRAMS.map(({ tool }) => locateExecutable(tool.name)));
  return G2P_PROGRAMS.map(({ tool }) => tool).filter((_, index) => paths[index] === null);
}
