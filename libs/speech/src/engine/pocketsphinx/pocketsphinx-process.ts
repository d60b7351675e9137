import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxedProcess } from '../../tool/sandboxed-process.js';
import { ToolFailedError } from '../../tool/tool.js';
import { EXCLUSIVE_CREATE_OPTIONS } from '../../tool/scratch-directory.js';
import { SAMPLE_RATE } from '../../wav/pcm.js';
import { encodeWav } from '../../wav/wav.js';
import {
  buildToolLimitsForChunk,
  type EnglishModelPaths,
  HUGE_PAGES_ENV,
  REPLACE_PROCESS_AFTER_AUDIO_SECONDS,
  toEnglishModelPathArray,
  POCKETSPHINX_TOOL,
  type PocketsphinxModelAndSupportedFlags,
  buildToolLimitsForPooledProcess,
} from './installation.js';
import { buildBatchArguments } from './batch-arguments.js';
import { writeExtendedLanguageModel } from './vocabulary/language-model.js';
import type { PocketsphinxVocabulary } from './vocabulary/build-pocketsphinx-vocabulary.js';
import { SILENCE_UTTERANCE_NAME, ProcessWorkspace } from './process-workspace.js';

const SPEECH = 'speech';
/** Last line of a hypothesis: the text, then utterance and score in brackets. */
const HYPOTHESIS = /\(\S+ -?\d+\)$/;
/** The hypothesis of silence, which is decoded at once, marks the end of the preceding utterance. */
const SILENCE_REPLY = new RegExp(`\\(${SILENCE_UTTERANCE_NAME} -?\\d+\\)\\n$`);

/** Reads utterances line by line from a named pipe, and writes the words of each before it reads the next. */
export class PocketsphinxProcess {
  private processedSeconds = 0;
  private output = '';
  private onReply: (() => void) | undefined;
  /** Rejects once the process has exited. */
  private readonly exited: Promise<never>;

  private constructor(
    readonly vocabulary: PocketsphinxVocabulary,
    private readonly workspace: ProcessWorkspace,
    private readonly program: SandboxedProcess,
  ) {
    program.output.resume();
    workspace.pipes.output.on('data', (text: string) => this.collectOutput(text));
    this.exited = program.waitForExit().then(() => {
      throw new ToolFailedError(POCKETSPHINX_TOOL.name, 0, null, '');
    });
    // Avoids an unhandled rejection while nobody awaits it.
    this.exited.catch(() => undefined);
  }

  /** @throws like `SandboxedProcess.start`, `writeExtendedLanguageModel` and `ProcessWorkspace.create` */
  static async start(
    { model: installed, flags }: PocketsphinxModelAndSupportedFlags,
    vocabulary: PocketsphinxVocabulary,
    signal: AbortSignal,
  ): Promise<PocketsphinxProcess> {
    const workspace = await ProcessWorkspace.create(signal);
    try {
      const { folder, pipes } = workspace;
      const model = await extendModel(installed, vocabulary, folder);
      const files = { folder, control: pipes.inputPath, words: pipes.outputPath, model };
      const program = await SandboxedProcess.start({
        tool: POCKETSPHINX_TOOL,
        args: buildBatchArguments(files, flags),
        limits: buildToolLimitsForPooledProcess(),
        reads: toEnglishModelPathArray(model),
        folder,
        env: HUGE_PAGES_ENV,
        signal,
      });
      return new PocketsphinxProcess(vocabulary, workspace, program);
    } catch (error) {
      await workspace.close();
      throw error;
    }
  }

  canRecognize(samples: Int16Array): boolean {
    const seconds = this.processedSeconds + samples.length / SAMPLE_RATE;
    return this.program.running && seconds <= REPLACE_PROCESS_AFTER_AUDIO_SECONDS;
  }

  /**
   * Recognizes one utterance; resolves to CTM lines with the id `number`. Must not be called concurrently.
   * @throws ToolFailedError, ToolTimeoutError, the reason of the abort; the process is then no longer usable
   */
  async recognize(samples: Int16Array, number: number, signal: AbortSignal): Promise<string> {
    const seconds = samples.length / SAMPLE_RATE;
    const limit = buildToolLimitsForChunk(seconds).wallSeconds;
    const timer = setTimeout(() => this.program.killForTimeout('wall', limit), limit * 1000);
    const onAbort = (): void => this.program.kill(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const sound = join(this.workspace.folder, `${SPEECH}.wav`);
    try {
      if (signal.aborted) onAbort();
      this.processedSeconds += seconds;
      await writeFile(sound, encodeWav(samples), EXCLUSIVE_CREATE_OPTIONS);
      await Promise.race([
        this.request(`${SPEECH} 0 -1 ${number}\n${SILENCE_UTTERANCE_NAME}\n`),
        this.exited,
      ]);
      return this.takeWords();
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      await rm(sound, { force: true });
    }
  }

  async end(): Promise<void> {
    await this.program.dispose();
    await this.workspace.close();
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

/** Without added words the installed model is used. */
async function extendModel(
  installed: EnglishModelPaths,
  { addedWords, dictionaryLines: dictionary }: PocketsphinxVocabulary,
  folder: string,
): Promise<EnglishModelPaths> {
  if (addedWords.length === 0) return installed;
  const model = {
    ...installed,
    language: join(folder, 'language.bin'),
    dictionary: join(folder, 'words.dict'),
  };
  await writeExtendedLanguageModel(installed.language, model.language, addedWords);
  await writeFile(model.dictionary, [await readFile(installed.dictionary), `\n${dictionary}`]);
  return model;
}
