import { withAnySignal } from '@app/async';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  AlignedWord,
  AlignmentRequest,
  AlignmentResult,
  AlignmentSegment,
  WordAndTermAligner,
} from '../../../alignment/word-and-term-aligner.js';
import type { RecognizedWord } from '../../engine.js';
import { formatWordGraphPronunciations, resolveWordPronunciations } from './resolve-word-pronunciations.js';
import { formatWordGraph, restoreWrittenWordsAndTerms, type WordGraph } from './word-graph.js';
import { findTermArcs, parseTermDictionary, type AlignedWordPronunciations } from './term-arcs.js';
import { buildControlFile, parseCtm } from '../batch-io.js';
import {
  buildToolLimitsForChunk,
  type EnglishModelPaths,
  locatePocketsphinxModelAndSupportedFlags,
  toEnglishModelPathArray,
  POCKETSPHINX_TOOL,
  type PocketsphinxModelAndSupportedFlags,
} from '../installation.js';
import type { PocketsphinxVocabulary } from '../vocabulary/build-pocketsphinx-vocabulary.js';
import { VocabularyCache } from '../vocabulary/vocabulary-cache.js';
import { runTool } from '../../../tool/run-tool.js';
import {
  EXCLUSIVE_CREATE_OPTIONS,
  createScratchDirectory,
  readUntrustedFile,
} from '../../../tool/scratch-directory.js';
import { SAMPLE_RATE } from '../../../wav/pcm.js';
import { encodeWav } from '../../../wav/wav.js';

const CHUNK_NAME = 'chunk';

/** English only; takes about 2 % of the audio's duration. */
export class PocketsphinxAligner implements WordAndTermAligner {
  readonly languages = ['en'];
  private readonly closing = new AbortController();
  private readonly vocabularies = new VocabularyCache(this.closing.signal);
  private installation: PocketsphinxModelAndSupportedFlags | undefined;

  /** @param modelFolder overrides the default folders of the model */
  constructor(private readonly modelFolder?: string) {}

  /** @throws EngineUnavailableError that names what to install */
  async check(): Promise<void> {
    await locatePocketsphinxModelAndSupportedFlags(this.closing.signal, this.modelFolder);
  }

  align(request: AlignmentRequest): Promise<AlignmentResult> {
    return withAnySignal([request.signal, this.closing.signal], (signal) =>
      this.alignUntilAborted({ ...request, signal }),
    );
  }

  private async alignUntilAborted(request: AlignmentRequest): Promise<AlignmentResult> {
    const nonEmpty = request.segments.filter(({ words }) => words.length > 0);
    const installation = (this.installation ??= await locatePocketsphinxModelAndSupportedFlags(
      request.signal,
      this.modelFolder,
    ));
    const vocabulary = await this.vocabularies.get(request.terms, installation.model);
    const found =
      nonEmpty.length === 0
        ? []
        : await alignSegments({ ...request, segments: nonEmpty }, installation, vocabulary);
    const { unusedTerms } = vocabulary;
    return {
      segments: request.segments.map(({ words: { length: count } }) => ({
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

async function alignSegments(
  { samples, segments, signal }: AlignmentRequest,
  { model, flags }: PocketsphinxModelAndSupportedFlags,
  vocabulary: PocketsphinxVocabulary,
): Promise<(AlignedWord[] | null)[]> {
  const folder = await createScratchDirectory();
  try {
    const words = segments.flatMap((segment) => segment.words);
    const pronounced = await resolveWordPronunciations(words, model, folder, signal);
    const graphs = buildGraphs(segments, pronounced, vocabulary);
    const files = {
      model,
      folder,
      dictionary: join(folder, 'words.dict'),
      control: join(folder, 'segments'),
      graphs: join(folder, 'graphs'),
      words: join(folder, 'words.ctm'),
    };
    await writeFile(
      files.dictionary,
      formatWordGraphPronunciations(pronounced) + vocabulary.dictionaryLines,
      EXCLUSIVE_CREATE_OPTIONS,
    );
    for (const [index, graph] of graphs.entries())
      await writeFile(
        join(folder, `${index}${GRAPH_EXTENSION}`),
        formatWordGraph(graph),
        EXCLUSIVE_CREATE_OPTIONS,
      );
    await writeFile(files.graphs, graphs.map((_, index) => `${index}\n`).join(''), EXCLUSIVE_CREATE_OPTIONS);
    await writeFile(join(folder, `${CHUNK_NAME}.wav`), encodeWav(samples), EXCLUSIVE_CREATE_OPTIONS);
    await writeFile(files.control, buildControlFile(CHUNK_NAME, segments), EXCLUSIVE_CREATE_OPTIONS);
    const duration = samples.length / SAMPLE_RATE;
    const args = buildAlignArguments(files, flags);
    const limits = buildToolLimitsForChunk(duration);
    await runTool({
      tool: POCKETSPHINX_TOOL,
      args,
      limits,
      signal,
      reads: toEnglishModelPathArray(model),
      folder,
    });
    const found = parseCtm(await readUntrustedFile(files.words, limits.fileBytes), segments, duration);
    return graphs.map((graph, index) => {
      const { start, end, words: written } = segments[index] ?? { start: 0, end: 0, words: [] };
      return restoreWrittenWordsAndTerms(wordsWithin(found, start, end), graph, written, vocabulary);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function buildGraphs(
  segments: readonly AlignmentSegment[],
  pronounced: readonly AlignedWordPronunciations[],
  vocabulary: PocketsphinxVocabulary,
): WordGraph[] {
  const terms = parseTermDictionary(vocabulary.dictionaryLines);
  let first = 0;
  return segments.map(({ words: { length: count } }) => {
    const arcs = findTermArcs(pronounced.slice(first, first + count), terms);
    const graph = { first, count, arcs };
    first += count;
    return graph;
  });
}

/** The words whose middle lies within a segment. */
function wordsWithin(found: readonly RecognizedWord[], start: number, end: number): RecognizedWord[] {
  return found.filter((word) => {
    const middle = (word.start + word.end) / 2;
    return middle >= start && middle < end;
  });
}

export interface AlignmentFilePaths {
  model: EnglishModelPaths;
  /** Folder of `<name>.wav` and the graphs. */
  folder: string;
  dictionary: string;
  control: string;
  graphs: string;
  words: string;
}

export const GRAPH_EXTENSION = '.fsg';

/** The words are known, so one pass with a wide beam is enough. The beam tolerates errors in the recognized words. */
const SEARCH_FLAGS = [
  ['-fwdflat', 'no'],
  ['-bestpath', 'no'],
  ['-beam', '1e-120'],
  ['-pbeam', '1e-120'],
  ['-wbeam', '1e-100'],
  ['-cmn', 'batch'],
  ['-remove_noise', 'no'],
  ['-dither', 'yes'],
  ['-seed', '1'],
].flat();

/** @param known flags of the installed program */
export function buildAlignArguments(files: AlignmentFilePaths, known: ReadonlySet<string>): string[] {
  return [
    ...['-hmm', files.model.acoustic, '-dict', files.dictionary],
    ...['-fsgdir', files.folder, '-fsgext', GRAPH_EXTENSION, '-fsgctl', files.graphs],
    ...['-adcin', 'yes', '-adchdr', '44', '-cepdir', files.folder, '-cepext', '.wav'],
    ...['-ctl', files.control, '-ctm', files.words],
    ...SEARCH_FLAGS,
    ...(known.has('-remove_silence') ? ['-remove_silence', 'no'] : []),
  ];
}
