import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CagedProcess } from '../../tool/caged-process.js';
import { ToolFailed } from '../../tool/tool-errors.js';
import { NEW_FILE } from '../../tool/work-folder.js';
import { SAMPLE_RATE } from '../../wav/sample-rate.js';
import { encodeWav } from '../../wav/wav.js';
import type { Installation } from './installation.js';
import { filesOf } from './model.js';
import { chunkLimits, HUGE_PAGES, lifeLimits, MOST_SECONDS_HEARD, POCKETSPHINX } from './program.js';
import { batchArguments } from './settings.js';
import type { ExtendedModels, LentModel } from './vocabulary/extended-models.js';
import type { Vocabulary } from './vocabulary/vocabulary.js';
import { SILENCE, Workplace } from './workplace.js';

const SPEECH = 'speech';
/** What the program says of every utterance before its words: the text, and in brackets its name and score. */
const HYPOTHESIS = /\(\S+ -?\d+\)$/;
/** The answer to silence, which takes no time, tells that those before it are complete. */
const ENDED = new RegExp(`\\(${SILENCE} -?\\d+\\)\\n$`);

/**
 * The program with its model loaded, waiting for utterances: it reads the list of them line by line from a named pipe
 * and writes the words of each before it reads on. What it needs beside the model is at a workplace of its own.
 */
export class Recogniser {
  private heard = 0;
  private said = '';
  private answered: (() => void) | undefined;
  /** Rejects once the program is gone, with the reason. */
  private readonly gone: Promise<never>;

  private constructor(
    /** What it listens for beside the usual words. */
    readonly vocabulary: Vocabulary,
    private readonly lent: LentModel,
    private readonly place: Workplace,
    private readonly program: CagedProcess,
  ) {
    program.output.resume();
    place.pipes.output.on('data', (text: string) => this.listen(text));
    this.gone = program.finished().then(() => {
      throw new ToolFailed(POCKETSPHINX.name, 0, null, '');
    });
    // It may go when nobody listens.
    this.gone.catch(() => undefined);
  }

  /**
   * Ends by itself when `signal` is aborted. Throws as `CagedProcess.start`, `ExtendedModels.lend` and `Workplace.make`.
   */
  static async start(
    { model: installed, flags }: Installation,
    vocabulary: Vocabulary,
    models: ExtendedModels,
    signal: AbortSignal,
  ): Promise<Recogniser> {
    // Both take their time.
    const lending = models.lend(installed, vocabulary);
    lending.catch(() => undefined);
    let place: Workplace | undefined;
    try {
      place = await Workplace.make(signal);
      const lent = await lending;
      const { model } = lent;
      const { folder, pipes } = place;
      const args = batchArguments({ folder, control: pipes.toPath, words: pipes.fromPath, model }, flags);
      const may = { limits: lifeLimits(), reads: filesOf(model), folder };
      const run = { tool: POCKETSPHINX, args, ...may, env: HUGE_PAGES, signal };
      return new Recogniser(vocabulary, lent, place, await CagedProcess.start(run));
    } catch (error) {
      await place?.close();
      await lending.then(
        (lent) => lent.giveBack(),
        () => undefined,
      );
      throw error;
    }
  }

  /** Whether it still runs, and its limits leave room for so much sound. */
  canHear(samples: Int16Array): boolean {
    const seconds = this.heard + samples.length / SAMPLE_RATE;
    return this.program.running && seconds <= MOST_SECONDS_HEARD;
  }

  /**
   * The words of one utterance, in lines of CTM under the name `number`; one utterance at a time. Aborting ends the
   * program. Throws `ToolFailed`, `ToolTimedOut` or the reason of the abort; it is then of no more use.
   */
  async hear(samples: Int16Array, number: number, signal: AbortSignal): Promise<string> {
    const seconds = samples.length / SAMPLE_RATE;
    const limit = chunkLimits(seconds).wallSeconds;
    const timer = setTimeout(() => this.program.endLate('wall', limit), limit * 1000);
    const onAbort = (): void => this.program.end(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const sound = join(this.place.folder, `${SPEECH}.wav`);
    try {
      if (signal.aborted) onAbort();
      this.heard += seconds;
      await writeFile(sound, encodeWav(samples), NEW_FILE);
      await Promise.race([this.ask(`${SPEECH} 0 -1 ${number}\n${SILENCE}\n`), this.gone]);
      return this.takeWords();
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      await rm(sound, { force: true });
    }
  }

  /** Ends the program, and removes what it left. */
  async end(): Promise<void> {
    await this.program.dispose();
    await this.place.close();
    await this.lent.giveBack();
  }

  private async ask(lines: string): Promise<void> {
    const answer = new Promise<void>((resolve) => (this.answered = resolve));
    await this.place.pipes.write(lines);
    await answer;
  }

  private listen(text: string): void {
    this.said += text;
    if (ENDED.test(this.said)) this.answered?.();
  }

  private takeWords(): string {
    const lines = this.said.split('\n').filter((line) => !HYPOTHESIS.test(line));
    this.said = '';
    return lines.join('\n');
  }
}
