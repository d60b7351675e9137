import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SaidStretch, WordAligner, WordTime } from '../../../align/word-aligner.js';
import { runTool } from '../../../tool/run-tool.js';
import { SAMPLE_RATE } from '../../../wav/sample-rate.js';
import { encodeWav } from '../../../wav/wav.js';
import { controlFile } from '../control-file.js';
import { parseCtm } from '../ctm.js';
import { type Installation, locateEnglish } from '../installation.js';
import { chunkLimits, POCKETSPHINX } from '../program.js';
import { alignArguments, GRAPH } from './align-arguments.js';
import { pronounceSaid } from './said-words.js';
import { wordGraph, wordIndex } from './word-graph.js';

const CHUNK = 'chunk';

/** Finds English words in their sound by the pocketsphinx programs of the system: about 2 % of the time of the sound. */
export class PocketsphinxAligner implements WordAligner {
  readonly languages = ['en'];
  private installation: Installation | undefined;

  /** `modelFolder` replaces the usual places of the model. */
  constructor(private readonly modelFolder?: string) {}

  async align(
    samples: Int16Array,
    stretches: readonly SaidStretch[],
    signal: AbortSignal,
  ): Promise<(WordTime[] | null)[]> {
    const said = stretches.filter(({ words }) => words.length > 0);
    if (said.length === 0) return stretches.map(() => []);
    this.installation ??= await locateEnglish(signal, this.modelFolder);
    const folder = await mkdtemp(join(tmpdir(), 'zephyr-words-'));
    try {
      const times = await findWords({ ...this.installation, folder, samples, stretches: said, signal });
      return inStretches(stretches, times);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

interface Search extends Installation {
  folder: string;
  samples: Int16Array;
  stretches: readonly SaidStretch[];
  signal: AbortSignal;
}

/** The times by the number of the word among all words of the stretches. */
async function findWords(search: Search): Promise<Map<number, WordTime>> {
  const { model, flags, folder, samples, stretches, signal } = search;
  const duration = samples.length / SAMPLE_RATE;
  const files = {
    model,
    folder,
    dictionary: join(folder, 'words.dict'),
    control: join(folder, 'stretches'),
    graphs: join(folder, 'graphs'),
    words: join(folder, 'words.ctm'),
  };
  const all = stretches.flatMap(({ words }) => words);
  await writeFile(files.dictionary, await pronounceSaid(all, model.dictionary, folder, signal));
  await writeGraphs(folder, stretches);
  await writeFile(files.graphs, stretches.map((_, index) => `${index}\n`).join(''));
  await writeFile(join(folder, `${CHUNK}.wav`), encodeWav(samples));
  await writeFile(files.control, controlFile(CHUNK, stretches));
  await runTool({
    tool: POCKETSPHINX,
    args: alignArguments(files, flags),
    limits: chunkLimits(duration),
    signal,
    folder,
  });
  const found = parseCtm(await readFile(files.words, 'utf8'), stretches, duration);
  return new Map(
    found.flatMap(({ text, start, end }) => {
      const index = wordIndex(text);
      return index === null ? [] : [[index, { start, end }]];
    }),
  );
}

async function writeGraphs(folder: string, stretches: readonly SaidStretch[]): Promise<void> {
  let first = 0;
  for (const [index, { words }] of stretches.entries()) {
    await writeFile(join(folder, `${index}${GRAPH}`), wordGraph(first, words.length));
    first += words.length;
  }
}

/** A stretch of which any word was not found has no times: those that were found may be in the wrong place. */
function inStretches(
  stretches: readonly SaidStretch[],
  times: ReadonlyMap<number, WordTime>,
): (WordTime[] | null)[] {
  let first = 0;
  return stretches.map(({ words }) => {
    const found = words.flatMap((_, at) => times.get(first + at) ?? []);
    first += words.length;
    return found.length === words.length ? found : null;
  });
}
