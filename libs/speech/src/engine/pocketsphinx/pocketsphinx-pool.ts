import { EventEmitter, setMaxListeners } from 'node:events';
import { Semaphore } from '@app/async';
import type { PocketsphinxModelAndSupportedFlags } from './installation.js';
import { PocketsphinxProcess } from './pocketsphinx-process.js';
import type { PocketsphinxVocabulary } from './vocabulary/build-pocketsphinx-vocabulary.js';

const DEFAULT_MAX_LISTENERS = EventEmitter.defaultMaxListeners;

/** Enough for a short file; more are started on demand. */
const MAX_PRELOADED = 2;

export interface PocketsphinxPoolOptions {
  maxProcesses: number;
  idleSeconds: number;
  /** Ends all processes. */
  signal: AbortSignal;
}

export interface UtteranceAudio {
  samples: Int16Array;
  /** Identifies the words of this utterance in the CTM output. */
  number: number;
}

export interface PocketsphinxRecognitionOptions {
  installation: PocketsphinxModelAndSupportedFlags;
  vocabulary: PocketsphinxVocabulary;
  signal: AbortSignal;
}

/**
 * Keeps processes with a loaded model for further utterances. Chunks are served in order; the utterances of a chunk are
 * distributed across all free processes.
 */
export class PocketsphinxPool {
  private readonly semaphore: Semaphore;
  /** Least recently used first. */
  private readonly idle: { process: PocketsphinxProcess; timer: NodeJS.Timeout }[] = [];
  private readonly running = new Set<PocketsphinxProcess>();
  private readonly starting = new Set<Promise<PocketsphinxProcess>>();

  constructor(private readonly options: PocketsphinxPoolOptions) {
    this.semaphore = new Semaphore(options.maxProcesses);
    // Every process listens to this signal, and so does each start.
    setMaxListeners(DEFAULT_MAX_LISTENERS + 2 * options.maxProcesses, options.signal);
  }

  /**
   * Starts utterances in order; resolves to CTM lines. The first failure aborts the others.
   * @throws like `PocketsphinxProcess.start` and `PocketsphinxProcess.recognize`
   */
  async recognize(
    parts: readonly UtteranceAudio[],
    context: PocketsphinxRecognitionOptions,
  ): Promise<string[]> {
    const failure = new AbortController();
    const signal = AbortSignal.any([context.signal, failure.signal]);
    const words: string[] = [];
    const remaining = parts.values();
    const workerCount = Math.min(this.options.maxProcesses, parts.length);
    setMaxListeners(DEFAULT_MAX_LISTENERS + workerCount, signal);
    const workers = Array.from({ length: workerCount }, () =>
      this.recognizeRemaining(remaining, words, { ...context, signal }).catch((error: unknown) => {
        failure.abort(error);
        throw error;
      }),
    );
    await Promise.allSettled(workers);
    await Promise.all(workers);
    return words;
  }

  /** Replaces idle processes. @throws like `PocketsphinxProcess.start` */
  async preload(context: Omit<PocketsphinxRecognitionOptions, 'signal'>): Promise<void> {
    const programs = Math.min(this.options.maxProcesses, MAX_PRELOADED);
    await Promise.all(Array.from({ length: programs }, () => this.preloadOne(context)));
  }

  private async preloadOne(context: Omit<PocketsphinxRecognitionOptions, 'signal'>): Promise<void> {
    const { signal } = this.options;
    await this.semaphore.run(signal, async () => {
      const process = await this.acquire(new Int16Array(), context);
      if (!signal.aborted) this.returnToPool(process);
    });
  }

  /** Utterances run one after the other under one permit. */
  private async recognizeRemaining(
    remaining: Iterator<UtteranceAudio>,
    words: string[],
    context: PocketsphinxRecognitionOptions,
  ): Promise<void> {
    await this.semaphore.run(context.signal, async () => {
      for (let next = remaining.next(); !next.done; next = remaining.next())
        words.push(await this.recognizeOne(next.value, context));
    });
  }

  private async recognizeOne(
    { samples, number }: UtteranceAudio,
    context: PocketsphinxRecognitionOptions,
  ): Promise<string> {
    const process = await this.acquire(samples, context);
    try {
      const words = await process.recognize(samples, number, context.signal);
      this.returnToPool(process);
      return words;
    } catch (error) {
      await this.end(process);
      throw error;
    }
  }

  /** Resolves when all processes have ended. Call it after aborting `signal`. */
  async closed(): Promise<void> {
    await Promise.allSettled(this.starting);
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.running].map((process) => this.end(process)));
  }

  private async acquire(
    samples: Int16Array,
    { installation, vocabulary }: Omit<PocketsphinxRecognitionOptions, 'signal'>,
  ): Promise<PocketsphinxProcess> {
    const at = this.idle.findLastIndex(
      ({ process }) => hasSameVocabulary(process.vocabulary, vocabulary) && process.canRecognize(samples),
    );
    const [found] = at < 0 ? [] : this.idle.splice(at, 1);
    if (found) {
      clearTimeout(found.timer);
      return found.process;
    }
    const started = this.start(installation, vocabulary);
    this.starting.add(started);
    return started.finally(() => this.starting.delete(started));
  }

  private async start(
    installation: PocketsphinxModelAndSupportedFlags,
    vocabulary: PocketsphinxVocabulary,
  ): Promise<PocketsphinxProcess> {
    await this.evictIdle();
    const process = await PocketsphinxProcess.start(installation, vocabulary, this.options.signal);
    this.running.add(process);
    return process;
  }

  /** Ends the longest idle process if the pool is full. Synchronous up to the removal, because starts run concurrently. */
  private async evictIdle(): Promise<void> {
    const programs = this.running.size + this.starting.size;
    const oldest = programs >= this.options.maxProcesses ? this.idle.shift() : undefined;
    if (!oldest) return;
    clearTimeout(oldest.timer);
    await this.end(oldest.process);
  }

  private returnToPool(process: PocketsphinxProcess): void {
    const timer = setTimeout(() => {
      this.idle.splice(
        this.idle.findIndex((one) => one.process === process),
        1,
      );
      void this.end(process);
    }, this.options.idleSeconds * 1000);
    this.idle.push({ process, timer });
  }

  private async end(process: PocketsphinxProcess): Promise<void> {
    await process.end();
    this.running.delete(process);
  }
}

/** Vocabularies without added words are interchangeable. */
function hasSameVocabulary(a: PocketsphinxVocabulary, b: PocketsphinxVocabulary): boolean {
  return a === b || (a.addedWords.length === 0 && b.addedWords.length === 0);
}
