import { Turns } from '../../tool/turns.js';
import type { Installation } from './installation.js';
import { Recogniser } from './recogniser.js';
import type { Vocabulary } from './vocabulary/vocabulary.js';

export interface RecognisersOptions {
  /** How many there are, at most. */
  processes: number;
  /** Seconds for which one without work is kept. */
  keepSeconds: number;
  /** Ends all of them. */
  signal: AbortSignal;
}

/** What to hear, and how. */
export interface Hearing {
  samples: Int16Array;
  /** Under which its words are told. */
  number: number;
  installation: Installation;
  vocabulary: Vocabulary;
  signal: AbortSignal;
}

/**
 * Programs with their models loaded, kept for the next utterance. What comes first is heard first, whichever chunk it
 * is of: the utterances of one chunk are spread over all that are free, so that none idles while another has work left.
 */
export class Recognisers {
  private readonly turns: Turns;
  /** The latest used stands last. */
  private readonly idle: { recogniser: Recogniser; timer: NodeJS.Timeout }[] = [];
  private readonly living = new Set<Recogniser>();

  constructor(private readonly options: RecognisersOptions) {
    this.turns = new Turns(options.processes);
  }

  /** The words in lines of CTM. Throws as `Recogniser.start` and `Recogniser.hear` do. */
  async hear(hearing: Hearing): Promise<string> {
    const { samples, number, signal } = hearing;
    await this.turns.enter(signal);
    try {
      const recogniser = await this.take(hearing);
      try {
        const words = await recogniser.hear(samples, number, signal);
        this.keep(recogniser);
        return words;
      } catch (error) {
        await this.end(recogniser);
        throw error;
      }
    } finally {
      this.turns.leave();
    }
  }

  /** To be called when `signal` is aborted: resolves when none is left. */
  async closed(): Promise<void> {
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.living].map((recogniser) => this.end(recogniser)));
  }

  /** One that listens for this vocabulary; when there is none, another makes room for it. */
  private async take({ samples, installation, vocabulary }: Hearing): Promise<Recogniser> {
    const at = this.idle.findLastIndex(
      ({ recogniser }) => listensAlike(recogniser.vocabulary, vocabulary) && recogniser.canHear(samples),
    );
    const [found] = at < 0 ? [] : this.idle.splice(at, 1);
    if (found) {
      clearTimeout(found.timer);
      return found.recogniser;
    }
    const oldest = this.living.size >= this.options.processes ? this.idle.shift() : undefined;
    if (oldest) {
      clearTimeout(oldest.timer);
      await this.end(oldest.recogniser);
    }
    const recogniser = await Recogniser.start(installation, vocabulary, this.options.signal);
    this.living.add(recogniser);
    return recogniser;
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
