import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { locate } from '../../../tool/find-tool.js';
import { runTool } from '../../../tool/run-tool.js';
import { type Tool, ToolFailed, ToolTimedOut } from '../../../tool/tool-errors.js';
import type { ToolLimits } from '../../../tool/tool-limits.js';
import { fromEspeak, fromFlite } from './phones.js';

/** A program that reads words from a file and prints how each sounds, a line a word. */
interface Reader {
  tool: Tool;
  args: readonly string[];
  /** What parts two words in its input. */
  separator: string;
  parse: (line: string) => string | null;
}

const FILE = 'words.txt';

/** Two programs with two opinions: names are said in more than one way, and a term may have several sounds. */
const READERS: readonly Reader[] = [
  {
    tool: {
      name: 'espeak-ng',
      install:
        'Install it with `apt install espeak-ng` (Debian, Ubuntu) or `brew install espeak-ng` (macOS).',
    },
    args: ['-q', '-x', '--sep=_', '-v', 'en-us', '-f', FILE],
    separator: '.\n',
    parse: fromEspeak,
  },
  {
    tool: {
      name: 'flite',
      install: 'Install it with `apt install flite` (Debian, Ubuntu) or `brew install flite` (macOS).',
    },
    args: ['-ps', '-f', FILE, 'none'],
    separator: '.\n\n',
    parse: fromFlite,
  },
];

const LIMITS: ToolLimits = {
  memoryBytes: 512 * 1024 * 1024,
  cpuSeconds: 30,
  // espeak-ng reserves 64 MiB for sound that it does not make, and reserved memory counts as a file.
  fileBytes: 128 * 1024 * 1024,
  wallSeconds: 60,
};

/**
 * The sounds of words that no dictionary has, by the programs that are installed; a word that none can say is
 * missing in the answer. `folder` is for their input.
 *
 * @param words of the letters a to z and apostrophes
 * A program that fails is as good as missing. Throws the reason of the abort.
 */
export async function sayUnknown(
  words: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<Map<string, string[]>> {
  const sounds = new Map<string, string[]>();
  if (words.length === 0) return sounds;
  for (const { tool, args, separator, parse } of READERS) {
    if ((await locate(tool.name)) === null) continue;
    await writeFile(join(folder, FILE), words.map((word) => word + separator).join(''));
    const printed = await runTool({ tool, args, limits: LIMITS, signal, folder }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof ToolFailed || error instanceof ToolTimedOut) return '';
      throw error;
    });
    const lines = printed
      .toString('latin1')
      .split('\n')
      .filter((line) => line.trim() !== '');
    // Lines that are not one a word cannot be told which word they belong to.
    if (lines.length !== words.length) continue;
    words.forEach((word, index) => {
      const said = parse(lines[index] ?? '');
      const known = sounds.get(word) ?? [];
      if (said !== null && !known.includes(said)) sounds.set(word, [...known, said]);
    });
  }
  return sounds;
}

/** The programs that sound words out and are not installed. Without one the other's opinion counts alone. */
export async function missingReaders(): Promise<Tool[]> {
  const paths = await Promise.all(READERS.map(({ tool }) => locate(tool.name)));
  return READERS.map(({ tool }) => tool).filter((_, index) => paths[index] === null);
}
