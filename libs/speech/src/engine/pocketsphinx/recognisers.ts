import { EventEmitter, setMaxListeners } from 'node:events';
import { Turns } from '../../tool/turns.js';
import type { Installation } from './installation.js';
import { Recogniser } from './recogniser.js';
import { ExtendedModels } from './vocabulary/extended-models.js';
import type { Vocabulary } from './vocabulary/vocabulary.js';

/** So many may listen to a signal, unless it is said otherwise, before a leak is suspected. */
const USUAL_LISTENERS = EventEmitter.defaultMaxListeners;

/** As many as a short file has use for; others start when there is something for them to hear. */
const MOST_PREPARED = 2;

export interface RecognisersOptions {
  /** How many there are, at most. */
  processes: number;
  /** Seconds for which one without work is kept. */
  keepSeconds: number;
  /** Ends all of them. */
  signal: AbortSignal;
}

/** An utterance. */
export interface Heard {
  samples: Int16Array;
  /** Under which its words are told. */
  number: number;
}

/** How to hear. */
export interface Hearing {
  installation: Installation;
  vocabulary: Vocabulary;
  signal: AbortSignal;
}

/**
 * Programs with their models loaded, kept for the next utterance. What comes first is heard first, chunk by chunk: the
 * utterances of one are spread over all programs that are free, so that none idles while another has work left.
 */
export class Recognisers {
  private readonly turns: Turns;
  /** The latest used stands last. */
  private readonly idle: { recogniser: Recogniser; timer: NodeJS.Timeout }[] = [];
  private readonly living = new Set<Recogniser>();
  private readonly models = new ExtendedModels();
  private readonly starting = new Set<Promise<Recogniser>>();

  constructor(private readonly options: RecognisersOptions) {
    this.turns = new Turns(options.processes);
    // Every program listens to it, and so does what is run while one starts.
    setMaxListeners(USUAL_LISTENERS + 2 * options.processes, options.signal);
  }

  /**
   * The words of each, in lines of CTM. `parts` are begun in their order, and the first that fails ends the others; none
   * is left at work. Throws as `Recogniser.start` and `Recogniser.hear` do.
   */
  async hear(parts: readonly Heard[], how: Hearing): Promise<string[]> {
    const failure = new AbortController();
    const signal = AbortSignal.any([how.signal, failure.signal]);
    const words: string[] = [];
    const left = parts.values();
    const turns = Math.min(this.options.processes, parts.length);
    setMaxListeners(USUAL_LISTENERS + turns, signal);
    const hearing = Array.from({ length: turns }, () =>
      this.hearInTurn(left, words, { ...how, signal }).catch((error: unknown) => {
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
  async prepare(how: Omit<Hearing, 'signal'>): Promise<void> {
    const programs = Math.min(this.options.processes, MOST_PREPARED);
    await Promise.all(Array.from({ length: programs }, () => this.prepareOne(how)));
  }

  private async prepareOne(how: Omit<Hearing, 'signal'>): Promise<void> {
    const { signal } = this.options;
    await this.turns.within(signal, async () => {
      const recogniser = await this.take(new Int16Array(), how);
      if (!signal.aborted) this.keep(recogniser);
    });
  }

  /** Hears what is left, one after the other, in one turn. */
  private async hearInTurn(left: Iterator<Heard>, words: string[], how: Hearing): Promise<void> {
    await this.turns.within(how.signal, async () => {
      for (let next = left.next(); !next.done; next = left.next())
        words.push(await this.hearOne(next.value, how));
    });
  }

  private async hearOne({ samples, number }: Heard, how: Hearing): Promise<string> {
    const recogniser = await this.take(samples, how);
    try {
      const words = await recogniser.hear(samples, number, how.signal);
      this.keep(recogniser);
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
    await Promise.all([...this.living].map((recogniser) => this.end(recogniser)));
  }

  /** One that listens for this vocabulary; when there is none, another makes room for it. */
  private async take(
    samples: Int16Array,
    { installation, vocabulary }: Omit<Hearing, 'signal'>,
  ): Promise<Recogniser> {
    const at = this.idle.findLastIndex(
      ({ recogniser }) => listensAlike(recogniser.vocabulary, vocabulary) && recogniser.canHear(samples),
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

  private async start(installation: Installation, vocabulary: Vocabulary): Promise<Recogniser> {
    await this.makeRoom();
    const recogniser = await Recogniser.start(installation, vocabulary, this.models, this.options.signal);
    this.living.add(recogniser);
    return recogniser;
  }

  /** Looks at once who is there: several may start at the same time. */
  private async makeRoom(): Promise<void> {
    const programs = this.living.size + this.starting.size;
    const oldest = programs >= this.options.processes ? this.idle.shift() : undefined;
    if (!oldest) return;
    clearTimeout(oldest.timer);
    await this.end(oldest.recogniser);
  }

  private keep(recogniser: Recogniser): void {
    const timer = setTimeout(() => {
      this.idle.splice(
        this.idle.findIndex((one) => one.recogniser === recogniser),
        1,
      );
      void this.end(recogniser);
    }, this.options.keepSeconds * 1000);
    this.idle.push({ recogniser, timer });
  }

  private async end(recogniser: Recogniser): Promise<void> {
    await recogniser.end();
    this.living.delete(recogniser);
  }
}

/** One without words to listen for is as good as any other without. */
function listensAlike(a: Vocabulary, b: Vocabulary): boolean {
  return a === b || (a.words.length === 0 && b.words.length === 0);
}
