import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '../../tool/run-tool.js';
import { readWav } from '../../wav/read-wav.js';
import { SAMPLE_RATE } from '../../wav/sample-rate.js';
import { encodeWav } from '../../wav/wav.js';
import type { ChunkAudio, EngineIdentity, EngineOptions, EngineResult, SpeechEngine } from '../engine.js';
import { ChunkUnreadable, EngineFailed, EngineUnavailable } from '../engine-errors.js';
import { controlFile } from './control-file.js';
import { parseCtm } from './ctm.js';
import { type Installation, locateEnglish, NAME } from './installation.js';
import { chunkLimits, POCKETSPHINX } from './program.js';
import { batchArguments } from './settings.js';
import { findUtterances, type Utterance } from './utterances.js';
import { extendModel } from './vocabulary/extended-model.js';
import { restoreTerms } from './vocabulary/restore.js';
import { Vocabularies } from './vocabulary/vocabularies.js';

export interface PocketsphinxOptions {
  /** Folder of the model (`en-us`, `en-us.lm.bin`, `cmudict-en-us.dict`); the usual places when left out. */
  modelFolder?: string;
}

const LANGUAGE = 'en';
const CHUNK = 'chunk';

interface Chunk {
  samples: Int16Array;
  utterances: readonly Utterance[];
}

/** Offline English recognition by the pocketsphinx programs of the system, one process a chunk. */
export class PocketsphinxEngine implements SpeechEngine {
  readonly abilities = { languages: [LANGUAGE], wordTimes: true, punctuation: false, vocabulary: true };
  private readonly closing = new AbortController();
  private readonly vocabularies = new Vocabularies(this.closing.signal);
  private installation: Installation | undefined;

  constructor(private readonly options: PocketsphinxOptions = {}) {}

  /** The programs do not tell their version. */
  async identity(): Promise<EngineIdentity> {
    return { name: NAME, model: 'en-us', version: null };
  }

  async check(): Promise<void> {
    await this.locate(this.closing.signal);
  }

  /** Throws `ChunkUnreadable`, `EngineUnavailable`, `EngineFailed` or the reason of the abort. */
  async transcribe(audio: ChunkAudio, options: EngineOptions): Promise<EngineResult> {
    const signal = AbortSignal.any([options.signal, this.closing.signal]);
    signal.throwIfAborted();
    try {
      const samples = await readChunk(audio.path, signal);
      const utterances = findUtterances(samples, samples.length / SAMPLE_RATE);
      if (utterances.length === 0) return { words: [], language: null };
      return await this.hear({ samples, utterances }, options.vocabulary, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ChunkUnreadable || error instanceof EngineUnavailable) throw error;
      throw new EngineFailed(NAME, { cause: error });
    }
  }

  /** Ends everything that is under way. */
  async close(): Promise<void> {
    this.closing.abort(new EngineUnavailable(NAME, 'it was closed.'));
  }

  private async hear(chunk: Chunk, terms: readonly string[], signal: AbortSignal): Promise<EngineResult> {
    const { model, flags } = await this.locate(signal);
    const vocabulary = await this.vocabularies.of(terms, model);
    const folder = await mkdtemp(join(tmpdir(), 'zephyr-chunk-'));
    try {
      const duration = chunk.samples.length / SAMPLE_RATE;
      const files = { folder, control: join(folder, 'utterances'), words: join(folder, 'words.ctm') };
      await writeChunk(folder, files.control, chunk);
      const args = batchArguments({ ...files, model: await extendModel(model, vocabulary, folder) }, flags);
      await runTool({ tool: POCKETSPHINX, args, limits: chunkLimits(duration), signal, folder });
      const heard = parseCtm(await readFile(files.words, 'utf8'), chunk.utterances, duration);
      const words = restoreTerms(heard, vocabulary);
      return { words, language: words.length > 0 ? LANGUAGE : null, unusedTerms: vocabulary.unusedTerms };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Looked up until it is found, so that an installation that comes later is seen. */
  private async locate(signal: AbortSignal): Promise<Installation> {
    this.installation ??= await locateEnglish(signal, this.options.modelFolder);
    return this.installation;
  }
}

async function readChunk(path: string, signal: AbortSignal): Promise<Int16Array> {
  return readWav(path, signal).catch((error: unknown) => {
    throw new ChunkUnreadable({ cause: error });
  });
}

/** A copy with a plain header in a plain place: the program reads names up to a blank and skips 44 bytes. */
async function writeChunk(folder: string, control: string, { samples, utterances }: Chunk): Promise<void> {
  await writeFile(join(folder, `${CHUNK}.wav`), encodeWav(samples));
  await writeFile(control, controlFile(CHUNK, utterances));
}
