import { EventEmitter, setMaxListeners } from 'node:events';
import { Semaphore } from '../../tool/semaphore.js';
import type { PocketsphinxInstallation } from './installation.js';
import { PocketsphinxProcess } from './pocketsphinx-process.js';
import { ExtendedModelCache } from './vocabulary/extended-model-cache.js';
import type { Vocabulary } from './vocabulary/prepare-vocabulary.js';

/** So many may listen to a signal, unless it is said otherwise, before a leak is suspected. */
const DEFAULT_MAX_LISTENERS = EventEmitter.defaultMaxListeners;

/** As many as a short file has use for; others start when there is something for them to hear. */
const MAX_PRELOADED = 2;

export interface PocketsphinxPoolOptions {
  /** How many there are, at most. */
  maxProcesses: number;
  /** Seconds for which one without work is kept. */
  idleSeconds: number;
  /** Ends all of them. */
  signal: AbortSignal;
}

/** An utterance. */
export interface UtteranceAudio {
  samples: Int16Array;
  /** Under which its words are told. */
  number: number;
}

/** How to hear. */
export interface RecognitionContext {
  installation: PocketsphinxInstallation;
  vocabulary: Vocabulary;
  signal: AbortSignal;
}

/**
 * Programs with their models loaded, kept for the next utterance. What comes first is heard first, chunk by chunk: the
 * utterances of one are spread over all programs that are free, so that none idles while another has work left.
 */
export class PocketsphinxPool {
  private readonly semaphore: Semaphore;
  /** The latest used stands last. */
  private readonly idle: { recogniser: PocketsphinxProcess; timer: NodeJS.Timeout }[] = [];
  private readonly running = new Set<PocketsphinxProcess>();
  private readonly modelCache = new ExtendedModelCache();
  private readonly starting = new Set<Promise<PocketsphinxProcess>>();

  constructor(private readonly options: PocketsphinxPoolOptions) {
    this.semaphore = new Semaphore(options.maxProcesses);
    // Every program listens to it, and so does what is run while one starts.
    setMaxListeners(DEFAULT_MAX_LISTENERS + 2 * options.maxProcesses, options.signal);
  }

  /**
   * The words of each, in lines of CTM. `parts` are begun in their order, and the first that fails ends the others; none
   * is left at work. Throws as `Recogniser.start` and `Recogniser.hear` do.
   */
  async recognize(parts: readonly UtteranceAudio[], how: RecognitionContext): Promise<string[]> {
    const failure = new AbortController();
    const signal = AbortSignal.any([how.signal, failure.signal]);
    const words: string[] = [];
    const left = parts.values();
    const turns = Math.min(this.options.maxProcesses, parts.length);
    setMaxListeners(DEFAULT_MAX_LISTENERS + turns, signal);
    const hearing = Array.from({ length: turns }, () =>
      this.recognizeRemaining(left, words, { ...how, signal }).catch((error: unknown) => {
        failure.abort(error);
        throw error;
      }),
    );
    await Promise.allSettled(hearing);
    await Promise.all(hearing);
    return words;
  }

  /**
   * Starts programs for what is soon to be heard, so that they load meanwhile. They take the place of idle ones. Throws as
   * `Recogniser.start` does.
   */
  async preload(how: Omit<RecognitionContext, 'signal'>): Promise<void> {
    const programs = Math.min(this.options.maxProcesses, MAX_PRELOADED);
    await Promise.all(Array.from({ length: programs }, () => this.preloadOne(how)));
  }

  private async preloadOne(how: Omit<RecognitionContext, 'signal'>): Promise<void> {
    const { signal } = this.options;
    await this.semaphore.run(signal, async () => {
      const recogniser = await this.acquire(new Int16Array(), how);
      if (!signal.aborted) this.returnToPool(recogniser);
    });
  }

  /** Hears what is left, one after the other, in one turn. */
  private async recognizeRemaining(
    left: Iterator<UtteranceAudio>,
    words: string[],
    how: RecognitionContext,
  ): Promise<void> {
    await this.semaphore.run(how.signal, async () => {
      for (let next = left.next(); !next.done; next = left.next())
        words.push(await this.recognizeOne(next.value, how));
    });
  }

  private async recognizeOne({ samples, number }: UtteranceAudio, how: RecognitionContext): Promise<string> {
    const recogniser = await this.acquire(samples, how);
    try {
      const words = await recogniser.recognize(samples, number, how.signal);
      this.returnToPool(recogniser);
      return words;
    } catch (error) {
      await this.end(recogniser);
      throw error;
    }
  }

  /** To be called when `signal` is aborted: resolves when none is left. */
  async closed(): Promise<void> {
    await Promise.allSettled(this.starting);
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.running].map((recogniser) => this.end(recogniser)));
  }

  /** One that listens for this vocabulary; when there is none, another makes room for it. */
  private async acquire(
    samples: Int16Array,
    { installation, vocabulary }: Omit<RecognitionContext, 'signal'>,
  ): Promise<PocketsphinxProcess> {
    const at = this.idle.findLastIndex(
      ({ recogniser }) =>
        hasSameVocabulary(recogniser.vocabulary, vocabulary) && recogniser.canRecognize(samples),
    );
    const [found] = at < 0 ? [] : this.idle.splice(at, 1);
    if (found) {
      clearTimeout(found.timer);
      return found.recogniser;
    }
    const started = this.start(installation, vocabulary);
    this.starting.add(started);
    return started.finally(() => this.starting.delete(started));
  }

  private async start(
    installation: PocketsphinxInstallation,
    vocabulary: Vocabulary,
  ): Promise<PocketsphinxProcess> {
    await this.evictIdle();
    const recogniser = await PocketsphinxProcess.start(
      installation,
      vocabulary,
      this.modelCache,
      this.options.signal,
    );
    this.running.add(recogniser);
    return recogniser;
  }

  /** Looks at once who is there: several may start at the same time. */
  private async evictIdle(): Promise<void> {
    const programs = this.running.size + this.starting.size;
    const oldest = programs >= this.options.maxProcesses ? this.idle.shift() : undefined;
    if (!oldest) return;
    clearTimeout(oldest.timer);
    await this.end(oldest.recogniser);
  }

  private returnToPool(recogniser: PocketsphinxProcess): void {
    const timer = setTimeout(() => {
      this.idle.splice(
        this.idle.findIndex((one) => one.recogniser === recogniser),
        1,
      );
      void this.end(recogniser);
    }, this.options.idleSeconds * 1000);
    this.idle.push({ recogniser, timer });
  }

  private async end(recogniser: PocketsphinxProcess): Promise<void> {
    await recogniser.end();
    this.running.delete(recogniser);
  }
}

/** One without words to listen for is as good as any other without. */
function hasSameVocabulary(a: Vocabulary, b: Vocabulary): boolean {
  return a === b || (a.addedWords.length === 0 && b.addedWords.length === 0);
}
