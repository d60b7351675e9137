import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxedProcess } from '../../tool/sandboxed-process.js';
import { ToolFailedError } from '../../tool/tool.js';
import { CREATE_EXCLUSIVE } from '../../tool/scratch-directory.js';
import { SAMPLE_RATE } from '../../wav/pcm.js';
import { encodeWav } from '../../wav/wav.js';
import {
  chunkLimits,
  HUGE_PAGES_ENV,
  MAX_PROCESS_AUDIO_SECONDS,
  modelFiles,
  POCKETSPHINX,
  type PocketsphinxInstallation,
  processLimits,
} from './installation.js';
import { buildBatchArguments } from './batch-arguments.js';
import type { ExtendedModelCache, AcquiredModel } from './vocabulary/extended-model-cache.js';
import type { Vocabulary } from './vocabulary/prepare-vocabulary.js';
import { SILENCE_UTTERANCE, ProcessWorkspace } from './process-workspace.js';

const SPEECH = 'speech';
/** What the program says of every utterance before its words: the text, and in brackets its name and score. */
const HYPOTHESIS = /\(\S+ -?\d+\)$/;
/** The answer to silence, which takes no time, tells that those before it are complete. */
const SILENCE_REPLY = new RegExp(`\\(${SILENCE_UTTERANCE} -?\\d+\\)\\n$`);

/**
 * The program with its model loaded, waiting for utterances: it reads the list of them line by line from a named pipe
 * and writes the words of each before it reads on. What it needs beside the model is at a workplace of its own.
 */
export class PocketsphinxProcess {
  private processedSeconds = 0;
  private output = '';
  private onReply: (() => void) | undefined;
  /** Rejects once the program is gone, with the reason. */
  private readonly exited: Promise<never>;

  private constructor(
    /** What it listens for beside the usual words. */
    readonly vocabulary: Vocabulary,
    private readonly acquiredModel: AcquiredModel,
    private readonly workspace: ProcessWorkspace,
    private readonly program: SandboxedProcess,
  ) {
    program.output.resume();
    workspace.pipes.output.on('data', (text: string) => this.collectOutput(text));
    this.exited = program.waitForExit().then(() => {
      throw new ToolFailedError(POCKETSPHINX.name, 0, null, '');
    });
    // It may go when nobody listens.
    this.exited.catch(() => undefined);
  }

  /**
   * Ends by itself when `signal` is aborted. Throws as `SandboxedProcess.start`, `ExtendedModelCache.lend` and `Workplace.make`.
   */
  static async start(
    { model: installed, flags }: PocketsphinxInstallation,
    vocabulary: Vocabulary,
    models: ExtendedModelCache,
    signal: AbortSignal,
  ): Promise<PocketsphinxProcess> {
    // Both take their time.
    const lending = models.acquire(installed, vocabulary);
    lending.catch(() => undefined);
    let place: ProcessWorkspace | undefined;
    try {
      place = await ProcessWorkspace.create(signal);
      const lent = await lending;
      const { model } = lent;
      const { folder, pipes } = place;
      const args = buildBatchArguments(
        { folder, control: pipes.inputPath, words: pipes.outputPath, model },
        flags,
      );
      const may = { limits: processLimits(), reads: modelFiles(model), folder };
      const run = { tool: POCKETSPHINX, args, ...may, env: HUGE_PAGES_ENV, signal };
      return new PocketsphinxProcess(vocabulary, lent, place, await SandboxedProcess.start(run));
    } catch (error) {
      await place?.close();
      await lending.then(
        (lent) => lent.release(),
        () => undefined,
      );
      throw error;
    }
  }

  /** Whether it still runs, and its limits leave room for so much sound. */
  canRecognize(samples: Int16Array): boolean {
    const seconds = this.processedSeconds + samples.length / SAMPLE_RATE;
    return this.program.running && seconds <= MAX_PROCESS_AUDIO_SECONDS;
  }

  /**
   * The words of one utterance, in lines of CTM under the name `number`; one utterance at a time. Aborting ends the
   * program. Throws `ToolFailedError`, `ToolTimeoutError` or the reason of the abort; it is then of no more use.
   */
  async recognize(samples: Int16Array, number: number, signal: AbortSignal): Promise<string> {
    const seconds = samples.length / SAMPLE_RATE;
    const limit = chunkLimits(seconds).wallSeconds;
    const timer = setTimeout(() => this.program.killForTimeout('wall', limit), limit * 1000);
    const onAbort = (): void => this.program.kill(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const sound = join(this.workspace.folder, `${SPEECH}.wav`);
    try {
      if (signal.aborted) onAbort();
      this.processedSeconds += seconds;
      await writeFile(sound, encodeWav(samples), CREATE_EXCLUSIVE);
      await Promise.race([this.request(`${SPEECH} 0 -1 ${number}\n${SILENCE_UTTERANCE}\n`), this.exited]);
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
    await this.workspace.close();
    await this.acquiredModel.release();
  }

  private async request(lines: string): Promise<void> {
    const answer = new Promise<void>((resolve) => (this.onReply = resolve));
    await this.workspace.pipes.write(lines);
    await answer;
  }

  private collectOutput(text: string): void {
    this.output += text;
    if (SILENCE_REPLY.test(this.output)) this.onReply?.();
  }

  private takeWords(): string {
    const lines = this.output.split('\n').filter((line) => !HYPOTHESIS.test(line));
    this.output = '';
    return lines.join('\n');
  }
}
