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

/** A program that reads words from a file and prints how each sounds, a line a word. */
export interface G2pProgram {
  tool: Tool;
  /** The name of its file is added. */
  args: readonly string[];
  /** What parts two words in its input. */
  separator: string;
  parse: (line: string) => string | null;
}

/** Two programs with two opinions: names are said in more than one way, and a term may have several sounds. */
const G2P_PROGRAMS: readonly G2pProgram[] = [
  {
    tool: {
      name: 'espeak-ng',
      install:
        'Install it with `apt install espeak-ng` (Debian, Ubuntu) or `brew install espeak-ng` (macOS).',
    },
    // Sound is made all the same. It costs least fast and high: its length counts, and how many overtones it has.
    args: ['-q', '-x', '--sep=_', '-s', '350', '-p', '99', '-v', 'en-us', '-f'],
    separator: '.\n',
    parse: parseEspeakPhones,
  },
  {
    tool: {
      name: 'flite',
      install: 'Install it with `apt install flite` (Debian, Ubuntu) or `brew install flite` (macOS).',
    },
    // The sound, which is made all the same, becomes a hundredth as long: most of the time was spent on it.
    args: ['-ps', '--setf', 'duration_stretch=0.01', '-o', 'none', '-f'],
    separator: '.\n\n',
    parse: parseFlitePhones,
  },
];

const LIMITS: ToolLimits = {
  memoryBytes: 512 * 1024 * 1024,
  cpuSeconds: 30,
  // espeak-ng reserves 64 MiB for sound that it does not make, and reserved memory counts as a file.
  fileBytes: 128 * 1024 * 1024,
  wallSeconds: 60,
};

/** Far more than any prints for a byte of its input: words spelled letter by letter take eleven. */
const MAX_OUTPUT_PER_INPUT_BYTE = 64;

/**
 * The sounds of words that no dictionary has, by the programs that are installed; a word that none can say is
 * missing in the answer. `folder` is for their input.
 *
 * @param words of the letters a to z and apostrophes
 * A program that fails is as good as missing. Throws the reason of the abort.
 */
export async function guessPronunciations(
  words: readonly string[],
  folder: string,
  signal: AbortSignal,
  readers = G2P_PROGRAMS,
): Promise<Map<string, string[]>> {
  const sounds = new Map<string, string[]>();
  if (words.length === 0) return sounds;
  // Side by side: several hundred words take each of them a tenth of a second.
  const opinions = await Promise.all(readers.map((reader) => runG2pProgram(reader, words, folder, signal)));
  for (const said of opinions)
    words.forEach((word, index) => {
      const sound = said[index] ?? null;
      const known = sounds.get(word) ?? [];
      if (sound !== null && !known.includes(sound)) sounds.set(word, [...known, sound]);
    });
  return sounds;
}

/** The sound of each word, by one program; null where it has none, none at all when it is missing or fails. */
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
  // Lines that are not one a word cannot be told which word they belong to.
  return lines.length === words.length ? lines.map(parse) : [];
}

/** The programs that sound words out and are not installed. Without one the other's opinion counts alone. */
export async function findMissingG2pPrograms(): Promise<Tool[]> {
  const paths = await Promise.all(G2P_PROGRAMS.map(({ tool }) => locateExecutable(tool.name)));
  return G2P_PROGRAMS.map(({ tool }) => tool).filter((_, index) => paths[index] === null);
}
