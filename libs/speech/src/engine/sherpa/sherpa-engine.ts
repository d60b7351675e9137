import { withAnySignal } from '@app/async';
import { describeError } from '@app/errors';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type { InstalledModel } from '../../models/installed-model.js';
import { SherpaHostPool } from '../../sherpa/host/sherpa-host-pool.js';
import {
  CPU_PROVIDER_PROBE_RESULT,
  formatExecutionProviderProblemsAndAdvice,
  type ExecutionProviderProbeResult,
} from '../../sherpa/provider/probe-execution-provider.js';
import type { RecognitionResult } from '../../sherpa/host/host-requests.js';
import { ToolFailedError } from '../../tool/tool.js';
import { SAMPLE_RATE } from '../../wav/pcm.js';
import {
  type ChunkFile,
  type EngineCapabilities,
  EngineFailedError,
  type EngineIdentity,
  type RecognitionOptions,
  type ChunkTranscription,
  EngineUnavailableError,
  readChunkSamples,
  type RecognizedWord,
  type SpeechEngine,
  UnreadableChunkError,
} from '../engine.js';
import { buildRecognizerConfig, findRecognizerFamily, type RecognizerFamily } from './recognizer-families.js';
import { parseModelLanguageTag } from '../language-tag.js';
import { buildRecognizedWordsFromTokens } from './build-recognized-words-from-tokens.js';
import { type RecognitionWindow, chooseRecognitionWindows } from './recognition-windows.js';
import { mergeBiasedTermsIntoUnbiasedWords } from './merge-biased-terms-into-unbiased-words.js';
import { selectHotwords, type HotwordSelection } from './hotwords.js';
import { type TokenFiles, prepareTokenFiles } from './token-files.js';

export interface SherpaOptions {
  model: InstalledModel;
  /** Threads per chunk; 1 by default. */
  threads?: number;
  /** Maximum number of concurrent processes, each with a copy of the model; the number of cores by default. */
  maxHosts?: number;
  /** Where the model runs; on CPUs by default. */
  provider?: ExecutionProviderProbeResult;
}

const NAME = 'sherpa';
/** Generous, because the machine may be overloaded. */
const LOAD_TIMEOUT_SECONDS = 300;
const TIMEOUT_SECONDS_PER_AUDIO_SECOND = 20;

interface LoadedModel {
  family: RecognizerFamily;
  files: TokenFiles;
  hosts: SherpaHostPool;
}

/** Runs in long-lived host processes. */
export class SherpaEngine implements SpeechEngine {
  readonly capabilities: EngineCapabilities;
  readonly packedSeconds: number | undefined;
  private hosts: SherpaHostPool | undefined;
  private readonly closing = new AbortController();
  private loaded: Promise<LoadedModel> | undefined;

  constructor(private readonly options: SherpaOptions) {
    const { model } = options;
    const family = findRecognizerFamily(model);
    this.packedSeconds = family?.padsInput ? family.maxSeconds : undefined;
    this.capabilities = {
      languages: model.languages,
      wordTimes: family?.hasWordTimes(model) ?? false,
      punctuation: family?.hasPunctuation(model) ?? false,
      vocabulary: family?.supportsHotwords ?? false,
    };
  }

  private get provider(): ExecutionProviderProbeResult {
    return this.options.provider ?? CPU_PROVIDER_PROBE_RESULT;
  }

  /** Processes that recognize a chunk now. */
  get activePids(): number[] {
    return this.hosts?.activePids ?? [];
  }

  /** Peak of one process, with all that it has loaded; null before the first response. */
  get peakMemoryBytes(): number | null {
    return this.hosts?.peakMemoryBytes ?? null;
  }

  async identity(): Promise<EngineIdentity> {
    const { version } = createRequire(import.meta.url)('sherpa-onnx-node/package.json') as {
      version: string;
    };
    return { name: NAME, model: this.options.model.name, version };
  }

  async check(): Promise<void> {
    const loaded = await this.load();
    try {
      await this.requestRecognition(loaded, new Int16Array(0), undefined, this.closing.signal);
    } catch (error) {
      this.closing.signal.throwIfAborted();
      const problem = `cannot be loaded (${lastErrorLine(error)})`;
      const { provider } = this.provider;
      if (provider === 'cpu') throw this.unavailable(problem, error);
      const advice = formatExecutionProviderProblemsAndAdvice(this.provider).advice;
      throw new EngineUnavailableError(
        NAME,
        `its model ${this.options.model.name} ${problem} with SHERPA_PROVIDER=${provider}. ${advice}`,
        { cause: error },
      );
    }
  }

  /** @throws UnreadableChunkError, EngineUnavailableError, EngineFailedError; the reason of the abort */
  transcribe(audio: ChunkFile, options: RecognitionOptions): Promise<ChunkTranscription> {
    return withAnySignal([options.signal, this.closing.signal], (signal) =>
      this.transcribeUntilAborted(audio, options.vocabulary, signal),
    );
  }

  private async transcribeUntilAborted(
    audio: ChunkFile,
    vocabulary: RecognitionOptions['vocabulary'],
    signal: AbortSignal,
  ): Promise<ChunkTranscription> {
    signal.throwIfAborted();
    try {
      const samples = await readChunkSamples(audio.path, signal);
      const loaded = await this.load();
      const terms = loaded.family.supportsHotwords ? selectHotwords(vocabulary, loaded.files.subwords) : null;
      const words: RecognizedWord[] = [];
      for (const window of chooseRecognitionWindows(samples, loaded.family.maxSeconds, audio.speech)) {
        words.push(...(await this.transcribeWindow(loaded, samples, window, terms, signal)));
      }
      return {
        words,
        language: findDominantLanguage(words),
        timesEstimated: words.some(({ estimatedWithin }) => estimatedWithin !== undefined),
        ...(terms ? { unusedTerms: terms.unusedTermCount } : {}),
      };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UnreadableChunkError || error instanceof EngineUnavailableError) throw error;
      throw new EngineFailedError(NAME, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.closing.abort(new EngineUnavailableError(NAME, 'it was closed.'));
    await this.hosts?.close();
    await this.loaded?.then(({ files }) => files.remove()).catch(() => undefined);
  }

  private async transcribeWindow(
    loaded: LoadedModel,
    samples: Int16Array,
    window: RecognitionWindow,
    terms: HotwordSelection | null,
    signal: AbortSignal,
  ): Promise<RecognizedWord[]> {
    const slice = samples.slice(Math.round(window.start * SAMPLE_RATE), Math.round(window.end * SAMPLE_RATE));
    const words = await this.recognizeWords(loaded, slice, window, undefined, signal);
    if (terms?.hotwords === undefined || words.length === 0) return words;
    const biased = await this.recognizeWords(loaded, slice, window, terms.hotwords, signal);
    return mergeBiasedTermsIntoUnbiasedWords(words, biased, terms.terms);
  }

  private async recognizeWords(
    loaded: LoadedModel,
    samples: Int16Array,
    window: RecognitionWindow,
    hotwords: string | undefined,
    signal: AbortSignal,
  ): Promise<RecognizedWord[]> {
    const result = await this.requestRecognition(loaded, samples, hotwords, signal);
    if (result === null) return [];
    const { family } = loaded;
    const { model } = this.options;
    const words = buildRecognizedWordsFromTokens(result, window, {
      hasByteSymbols: family.hasBase64Tokens(model),
      language: parseModelLanguageTag(result.lang, model),
    });
    if (hotwords === undefined || family.hasConfidenceWithHotwords(model)) return words;
    return words.map((word) => ({ ...word, confidence: null }));
  }

  private async requestRecognition(
    { family, files, hosts }: LoadedModel,
    samples: Int16Array,
    hotwords: string | undefined,
    signal: AbortSignal,
  ): Promise<RecognitionResult | null> {
    const { model, threads = 1 } = this.options;
    const { provider } = this.provider;
    const config = buildRecognizerConfig(model, family, {
      ...{ files, threads, provider },
      hotwords: hotwords !== undefined,
    });
    const wallSeconds =
      LOAD_TIMEOUT_SECONDS + (TIMEOUT_SECONDS_PER_AUDIO_SECOND * samples.length) / SAMPLE_RATE;
    const request = { model: config, samples, ...(hotwords === undefined ? {} : { hotwords }) };
    return hosts.request('recognize', request, { signal, wallSeconds });
  }

  /** Failures are not cached, so that files added later are found. */
  private load(): Promise<LoadedModel> {
    this.loaded ??= this.loadOnce().catch((error: unknown) => {
      this.loaded = undefined;
      throw error;
    });
    return this.loaded;
  }

  private async loadOnce(): Promise<LoadedModel> {
    const { model, maxHosts: hosts = availableParallelism() } = this.options;
    const { provider } = this;
    if (provider.missing.length > 0) {
      const { problems, advice } = formatExecutionProviderProblemsAndAdvice(provider);
      throw new EngineUnavailableError(NAME, `SHERPA_PROVIDER=${provider.provider}: ${problems}. ${advice}`);
    }
    const family = findRecognizerFamily(model);
    if (!family)
      throw this.unavailable(`is a ${model.kind} model of the family ${model.family}, not a recogniser`);
    const missing = family.requiredRoles(model).filter((role) => model.files[role] === undefined);
    if (missing.length > 0) throw this.unavailable(`lacks files: ${missing.join(', ')}`);
    const files = await prepareTokenFiles(model, family).catch((error: unknown) => {
      throw this.unavailable('has an unreadable vocabulary', error);
    });
    if (this.closing.signal.aborted) await files.remove();
    this.closing.signal.throwIfAborted();
    const models = [...Object.values(model.files), files.tokens, files.bpeVocabulary ?? files.tokens];
    this.hosts = new SherpaHostPool({ hosts, provider, models: [...new Set(models)] });
    return { family, files, hosts: this.hosts };
  }

  private unavailable(problem: string, cause?: unknown): EngineUnavailableError {
    const { name } = this.options.model;
    return new EngineUnavailableError(
      NAME,
      `its model ${name} ${problem}. Pull it again with \`npm run admin -- models pull ${name}\`, or set SHERPA_MODEL to another.`,
      { cause },
    );
  }
}

function lastErrorLine(error: unknown): string {
  const line = error instanceof ToolFailedError ? error.stderrTail.trim().split('\n').at(-1) : undefined;
  return line || describeError(error);
}

function findDominantLanguage(words: readonly RecognizedWord[]): string | null {
  const counts = new Map<string, number>();
  for (const { language } of words)
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
