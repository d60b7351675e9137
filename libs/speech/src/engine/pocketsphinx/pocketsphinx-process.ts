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
/** Last line of a hypothesis: the text, then utterance and score in brackets. */
const HYPOTHESIS = /\(\S+ -?\d+\)$/;
/** The hypothesis of silence, which is decoded at once, marks the end of the preceding utterance. */
const SILENCE_REPLY = new RegExp(`\\(${SILENCE_UTTERANCE} -?\\d+\\)\\n$`);

/**
 * A pocketsphinx process with a loaded model. It reads utterances line by line from a named pipe, and writes the words of
 * each before it reads the next.
 */
export class PocketsphinxProcess {
  private processedSeconds = 0;
  private output = '';
  private onReply: (() => void) | undefined;
  /** Rejects with the reason once the process has exited. */
  private readonly exited: Promise<never>;

  private constructor(
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
    // Avoids an unhandled rejection while nobody awaits it.
    this.exited.catch(() => undefined);
  }

  /** @throws like `SandboxedProcess.start`, `ExtendedModelCache.acquire` and `ProcessWorkspace.create` */
  static async start(
    { model: installed, flags }: PocketsphinxInstallation,
    vocabulary: Vocabulary,
    models: ExtendedModelCache,
    signal: AbortSignal,
  ): Promise<PocketsphinxProcess> {
    // In parallel with the workspace.
    const acquiring = models.acquire(installed, vocabulary);
    acquiring.catch(() => undefined);
    let workspace: ProcessWorkspace | undefined;
    try {
      workspace = await ProcessWorkspace.create(signal);
      const acquired = await acquiring;
      const { model } = acquired;
      const { folder, pipes } = workspace;
      const files = { folder, control: pipes.inputPath, words: pipes.outputPath, model };
      const program = await SandboxedProcess.start({
        tool: POCKETSPHINX,
        args: buildBatchArguments(files, flags),
        limits: processLimits(),
        reads: modelFiles(model),
        folder,
        env: HUGE_PAGES_ENV,
        signal,
      });
      return new PocketsphinxProcess(vocabulary, acquired, workspace, program);
    } catch (error) {
      await workspace?.close();
      await acquiring.then(
        (acquired) => acquired.release(),
        () => undefined,
      );
      throw error;
    }
  }

  /** Whether the process is running and its limits allow this much audio. */
  canRecognize(samples: Int16Array): boolean {
    const seconds = this.processedSeconds + samples.length / SAMPLE_RATE;
    return this.program.running && seconds <= MAX_PROCESS_AUDIO_SECONDS;
  }

  /**
   * Recognizes one utterance; resolves to CTM lines with the id `number`. Must not be called concurrently.
   * @throws ToolFailedError, ToolTimeoutError, the reason of the abort; the process is then no longer usable
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

  /** Kills the process and removes its files. */
  async end(): Promise<void> {
    await this.program.dispose();
    await this.workspace.close();
    await this.acquiredModel.release();
  }

  private async request(lines: string): Promise<void> {
    const reply = new Promise<void>((resolve) => (this.onReply = resolve));
    await this.workspace.pipes.write(lines);
    await reply;
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
