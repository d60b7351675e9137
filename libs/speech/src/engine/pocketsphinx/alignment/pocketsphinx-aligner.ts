import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  Aligned,
  AlignRequest,
  SaidStretch,
  TimedWord,
  WordAligner,
} from '../../../align/word-aligner.js';
import { runTool } from '../../../tool/run-tool.js';
import { makeWorkFolder, NEW_FILE, readLeft } from '../../../tool/work-folder.js';
import { SAMPLE_RATE } from '../../../wav/sample-rate.js';
import { encodeWav } from '../../../wav/wav.js';
import type { HeardWord } from '../../engine.js';
import { controlFile } from '../control-file.js';
import { parseCtm } from '../ctm.js';
import { type Installation, locateEnglish } from '../installation.js';
import { filesOf } from '../model.js';
import { chunkLimits, POCKETSPHINX } from '../program.js';
import { Vocabularies } from '../vocabulary/vocabularies.js';
import type { Vocabulary } from '../vocabulary/vocabulary.js';
import { alignArguments, GRAPH } from './align-arguments.js';
import { followGraph } from './follow-graph.js';
import { dictionaryOf, soundWords } from './said-words.js';
import { type SoundedTerm, soundedTerms, type SoundedWord, termArcs } from './term-arcs.js';
import { type SaidInOrder, wordGraph } from './word-graph.js';

const CHUNK = 'chunk';

/** Finds English words in their sound by the pocketsphinx programs of the system: about 2 % of the time of the sound. */
export class PocketsphinxAligner implements WordAligner {
  readonly languages = ['en'];
  private readonly closing = new AbortController();
  private readonly vocabularies = new Vocabularies(this.closing.signal);
  private installation: Installation | undefined;

  /** `modelFolder` replaces the usual places of the model. */
  constructor(private readonly modelFolder?: string) {}

  /** Resolves when it can work; throws `EngineUnavailable` telling what to install. */
  async check(): Promise<void> {
    await locateEnglish(this.closing.signal, this.modelFolder);
  }

  async align(request: AlignRequest): Promise<Aligned> {
    const signal = AbortSignal.any([request.signal, this.closing.signal]);
    const said = request.stretches.filter(({ words }) => words.length > 0);
    const installation = (this.installation ??= await locateEnglish(signal, this.modelFolder));
    const vocabulary = await this.vocabularies.of(request.terms, installation.model);
    const found =
      said.length === 0 ? [] : await search({ ...request, said, signal }, installation, vocabulary);
    const { unusedTerms } = vocabulary;
    return {
      stretches: request.stretches.map(({ words: { length: count } }) => ({
        count,
        found: count === 0 ? [] : (found.shift() ?? null),
      })),
      unusedTerms,
    };
  }

  close(): void {
    this.closing.abort(new Error('The aligner was closed.'));
  }
}

type Search = AlignRequest & { said: readonly SaidStretch[] };

async function search(
  { samples, said, signal }: Search,
  { model, flags }: Installation,
  vocabulary: Vocabulary,
): Promise<(TimedWord[] | null)[]> {
  const folder = await makeWorkFolder();
  try {
    const words = said.flatMap((stretch) => stretch.words);
    const sounded = await soundWords(words, model, folder, signal);
    const graphs = graphsOf(said, sounded, vocabulary);
    const files = {
      model,
      folder,
      dictionary: join(folder, 'words.dict'),
      control: join(folder, 'stretches'),
      graphs: join(folder, 'graphs'),
      words: join(folder, 'words.ctm'),
    };
    await writeFile(files.dictionary, dictionaryOf(sounded) + vocabulary.dictionary, NEW_FILE);
    for (const [index, graph] of graphs.entries())
      await writeFile(join(folder, `${index}${GRAPH}`), wordGraph(graph), NEW_FILE);
    await writeFile(files.graphs, graphs.map((_, index) => `${index}\n`).join(''), NEW_FILE);
    await writeFile(join(folder, `${CHUNK}.wav`), encodeWav(samples), NEW_FILE);
    await writeFile(files.control, controlFile(CHUNK, said), NEW_FILE);
    const duration = samples.length / SAMPLE_RATE;
    const args = alignArguments(files, flags);
    const limits = chunkLimits(duration);
    await runTool({ tool: POCKETSPHINX, args, limits, signal, reads: filesOf(model), folder });
    const found = parseCtm(await readLeft(files.words, limits.fileBytes), said, duration);
    return graphs.map((graph, index) => {
      const { start, end, words: written } = said[index] ?? { start: 0, end: 0, words: [] };
      return followGraph(within(found, start, end), graph, written, vocabulary);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function graphsOf(
  said: readonly SaidStretch[],
  sounded: readonly SoundedWord[],
  vocabulary: Vocabulary,
): SaidInOrder[] {
  const terms = soundedTermsOf(vocabulary);
  let first = 0;
  return said.map(({ words: { length: count } }) => {
    const arcs = termArcs(sounded.slice(first, first + count), terms);
    const graph = { first, count, arcs };
    first += count;
    return graph;
  });
}

const soundedOf = new WeakMap<Vocabulary, SoundedTerm[]>();

/** Read once a job, as the vocabulary is. */
function soundedTermsOf(vocabulary: Vocabulary): SoundedTerm[] {
  const terms = soundedOf.get(vocabulary) ?? soundedTerms(vocabulary.dictionary);
  soundedOf.set(vocabulary, terms);
  return terms;
}

/** Stretches do not overlap. */
function within(found: readonly HeardWord[], start: number, end: number): HeardWord[] {
  return found.filter((word) => {
    const middle = (word.start + word.end) / 2;
    return middle >= start && middle < end;
  });
}
