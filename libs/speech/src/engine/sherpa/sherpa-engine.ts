import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type { InstalledModel } from '../../models/model.js';
import { SherpaHosts } from '../../sherpa/host/hosts.js';
import type { Recognized } from '../../sherpa/host/requests.js';
import { ToolFailed } from '../../tool/tool-errors.js';
import { SAMPLE_RATE } from '../../wav/sample-rate.js';
import { readChunk } from '../read-chunk.js';
import type {
  ChunkAudio,
  EngineAbilities,
  EngineIdentity,
  EngineOptions,
  EngineResult,
  HeardWord,
  SpeechEngine,
} from '../engine.js';
import { ChunkUnreadable, EngineFailed, EngineUnavailable } from '../engine-errors.js';
import { type Family, familyOf } from './families.js';
import { languageOf } from './languages.js';
import { placeWords } from './place-words.js';
import { recognizerConfig } from './recognizer-config.js';
import { type Stretch, stretchesOf } from './stretches.js';
import { restoreTerms, spellTerms, type SpelledTerms } from './terms.js';
import { type VocabularyFiles, vocabularyFiles } from './vocabulary-files.js';

export interface SherpaOptions {
  /** A recogniser. */
  model: InstalledModel;
  /** Threads that one chunk may use; one when left out. */
  threads?: number;
  /** Chunks that are heard at once, each by a process with a copy of the model; the number of cores when left out. */
  hosts?: number;
}

const NAME = 'sherpa';
/** Far above what loading and hearing take, so that a busy machine passes. */
const LOAD_SECONDS = 300;
const SECONDS_A_SECOND = 20;

interface Readiness {
  family: Family;
  files: VocabularyFiles;
  hosts: SherpaHosts;
}

/** Neural recognition by models on this machine, in processes that are kept warm. */
export class SherpaEngine implements SpeechEngine {
  readonly abilities: EngineAbilities;
  private hosts: SherpaHosts | undefined;
  private readonly closing = new AbortController();
  private ready: Promise<Readiness> | undefined;

  constructor(private readonly options: SherpaOptions) {
    const { model } = options;
    const family = familyOf(model);
    this.abilities = {
      languages: model.languages,
      wordTimes: family?.tellsTimes(model) ?? false,
      punctuation: family?.punctuates(model) ?? false,
      vocabulary: family?.hearsTerms ?? false,
    };
  }

  /** Numbers of the processes that hear a chunk now. */
  get working(): number[] {
    return this.hosts?.working ?? [];
  }

  async identity(): Promise<EngineIdentity> {
    const { version } = createRequire(import.meta.url)('sherpa-onnx-node/package.json') as {
      version: string;
    };
    return { name: NAME, model: this.options.model.name, version };
  }

  /** Loads the model. */
  async check(): Promise<void> {
    const ready = await this.prepare();
    try {
      await this.ask(ready, new Int16Array(0), undefined, this.closing.signal);
    } catch (error) {
      this.closing.signal.throwIfAborted();
      throw this.unavailable(`cannot be loaded (${lastWords(error)})`, error);
    }
  }

  /** Throws `ChunkUnreadable`, `EngineUnavailable`, `EngineFailed` or the reason of the abort. */
  async transcribe(audio: ChunkAudio, options: EngineOptions): Promise<EngineResult> {
    const signal = AbortSignal.any([options.signal, this.closing.signal]);
    signal.throwIfAborted();
    try {
      const samples = await readChunk(audio.path, signal);
      const ready = await this.prepare();
      const terms = ready.family.hearsTerms ? spellTerms(options.vocabulary, ready.files.known) : null;
      const words: HeardWord[] = [];
      for (const stretch of stretchesOf(samples, ready.family.maxSeconds)) {
        words.push(...(await this.hear(ready, samples, stretch, terms, signal)));
      }
      return {
        words,
        language: mostSpoken(words),
        timesEstimated: words.length > 0 && !this.abilities.wordTimes,
        ...(terms ? { unusedTerms: terms.unusedTerms } : {}),
      };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ChunkUnreadable || error instanceof EngineUnavailable) throw error;
      throw new EngineFailed(NAME, { cause: error });
    }
  }

  /** Ends everything that is under way. */
  async close(): Promise<void> {
    this.closing.abort(new EngineUnavailable(NAME, 'it was closed.'));
    await this.hosts?.close();
    await this.ready?.then(({ files }) => files.remove()).catch(() => undefined);
  }

  private async hear(
    ready: Readiness,
    samples: Int16Array,
    stretch: Stretch,
    terms: SpelledTerms | null,
    signal: AbortSignal,
  ): Promise<HeardWord[]> {
    const own = samples.slice(Math.round(stretch.start * SAMPLE_RATE), Math.round(stretch.end * SAMPLE_RATE));
    const heard = await this.ask(ready, own, terms?.hotwords, signal);
    if (heard === null) return [];
    const { family } = ready;
    const { model } = this.options;
    const reading = { base64: family.base64(model), language: languageOf(heard.lang, model) };
    const words = placeWords(heard, stretch, reading);
    if (terms?.hotwords === undefined) return words;
    const sure = family.sureOfTerms(model);
    const restored = restoreTerms(words, terms.terms);
    return sure ? restored : restored.map((word) => ({ ...word, confidence: null }));
  }

  private async ask(
    { family, files, hosts }: Readiness,
    samples: Int16Array,
    hotwords: string | undefined,
    signal: AbortSignal,
  ): Promise<Recognized | null> {
    const { model, threads = 1 } = this.options;
    const config = recognizerConfig(model, family, { files, threads, hotwords: hotwords !== undefined });
    const wallSeconds = LOAD_SECONDS + (SECONDS_A_SECOND * samples.length) / SAMPLE_RATE;
    const request = { model: config, samples, ...(hotwords === undefined ? {} : { hotwords }) };
    return hosts.ask('recognize', request, { signal, wallSeconds });
  }

  /** Tried until it succeeds, so that files that come later are seen. */
  private prepare(): Promise<Readiness> {
    this.ready ??= this.makeReady().catch((error: unknown) => {
      this.ready = undefined;
      throw error;
    });
    return this.ready;
  }

  private async makeReady(): Promise<Readiness> {
    const { model, hosts = availableParallelism() } = this.options;
    const family = familyOf(model);
    if (!family)
      throw this.unavailable(`is a ${model.kind} model of the family ${model.family}, no recogniser`);
    const missing = family.roles(model).filter((role) => model.files[role] === undefined);
    if (missing.length > 0) throw this.unavailable(`lacks files: ${missing.join(', ')}`);
    const files = await vocabularyFiles(model, family).catch((error: unknown) => {
      throw this.unavailable('has a vocabulary that cannot be read', error);
    });
    if (this.closing.signal.aborted) await files.remove();
    this.closing.signal.throwIfAborted();
    const models = [...Object.values(model.files), files.tokens, files.pieces ?? files.tokens];
    this.hosts = new SherpaHosts({ hosts, models: [...new Set(models)] });
    return { family, files, hosts: this.hosts };
  }

  private unavailable(trouble: string, cause?: unknown): EngineUnavailable {
    const { name } = this.options.model;
    return new EngineUnavailable(
      NAME,
      `its model ${name} ${trouble}. Download it again with \`npm run admin -- models pull ${name}\`, or choose another in SHERPA_MODEL.`,
      { cause },
    );
  }
}

/** The last line that a process wrote of its trouble. */
function lastWords(error: unknown): string {
  const line = error instanceof ToolFailed ? error.stderrTail.trim().split('\n').at(-1) : undefined;
  return line || (error instanceof Error ? error.message : String(error));
}

/** The language of most words; null when none is known. */
function mostSpoken(words: readonly HeardWord[]): string | null {
  const counts = new Map<string, number>();
  for (const { language } of words)
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
