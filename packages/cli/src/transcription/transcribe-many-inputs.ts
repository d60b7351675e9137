import { ApiError, ConnectionError, JobFailedError } from 'zephyr-client';
import { type CliContext, printJson } from '../command.js';
import { CommandError, describeError, EXIT_CODE_BY_NAME, getExitCode } from '../errors.js';
import { isRegularFile } from '../files/path-exists.js';
import type { InputWithPlannedOutput } from '../files/plan-outputs.js';
import { ProgressView } from '../terminal/progress-view.js';
import { TaskQueue } from './task-queue.js';
import { transcribeInputAndWriteTranscript, type TranscribeInputOptions } from './transcribe-input.js';

export interface TranscribeManyInputsOptions extends Omit<
  TranscribeInputOptions,
  'onProgress' | 'onNotice' | 'onStateUnwritable' | 'beforeOutput'
> {
  concurrency: number;
  overwrite: boolean;
  json: boolean;
  quiet: boolean;
  /** Goes on with the other files also if the service has not responded at all. */
  outlastsSilence?: boolean;
}

/**
 * Transcribes all inputs, and goes on when one fails.
 * @returns the exit code
 * @throws the reason of the signal; what would be the error of every file: a refused key, or a service that has never responded
 */
export async function transcribeManyInputs(
  context: CliContext,
  planned: readonly InputWithPlannedOutput[],
  settings: TranscribeManyInputsOptions,
): Promise<number> {
  const outlastsSilence = settings.outlastsSilence === true || planned.length === 1;
  const transcriptions = new ConcurrentTranscriptionRunner(context, { ...settings, outlastsSilence });
  for (const each of planned) void transcriptions.add(each);
  return transcriptions.finish();
}

/** Inputs that are transcribed as they are added, some at a time. */
export class ConcurrentTranscriptionRunner {
  private readonly view: ProgressView;
  private readonly queue: TaskQueue;
  private readonly end = new AbortController();
  /** Inputs whose last attempt has failed. */
  private readonly failed = new Set<string>();
  private hasResponded: boolean;
  private hasReportedUnwritableState = false;

  constructor(
    private readonly context: CliContext,
    private readonly settings: TranscribeManyInputsOptions,
  ) {
    this.view = new ProgressView(context.stderr, settings.quiet);
    this.queue = new TaskQueue(settings.concurrency);
    this.hasResponded = settings.outlastsSilence === true;
    const { signal } = context;
    signal.addEventListener('abort', () => this.stop(signal.reason), { once: true });
    if (signal.aborted) this.stop(signal.reason);
  }

  /** Aborts when no further input is begun. */
  get stopped(): AbortSignal {
    return this.end.signal;
  }

  /** @returns when this input has ended: the error if it has failed */
  add(each: InputWithPlannedOutput): Promise<unknown> {
    this.view.expect(1);
    return new Promise((resolve) =>
      this.queue.add(async () => {
        resolve(this.stopped.aborted ? undefined : await this.transcribe(each));
      }),
    );
  }

  /** Prints a line, above the bars. */
  print(line: string): void {
    this.view.print(line);
  }

  /** Begins no further input. @param reason what `finish` throws */
  stop(reason: unknown): void {
    this.end.abort(reason);
  }

  /**
   * Waits for all that were added.
   * @returns the exit code
   * @throws why they were stopped
   */
  async finish(): Promise<number> {
    await this.queue.drain();
    this.view.clear();
    this.stopped.throwIfAborted();
    return this.failed.size > 0 ? EXIT_CODE_BY_NAME.failed : EXIT_CODE_BY_NAME.ok;
  }

  /** @returns the error if it has failed */
  private async transcribe(each: InputWithPlannedOutput): Promise<unknown> {
    const { context, settings, view } = this;
    const { input, output } = each;
    if (output !== undefined && !settings.overwrite && (await isRegularFile(output))) {
      // What standard input has is always new.
      if (input === '-') {
        const message = `${output} exists. Name another file with -o, or replace it with --overwrite.`;
        return this.reportFailure(input, new CommandError(message));
      }
      view.finish(input, `skipped, ${output} exists`);
      if (settings.json) printJson(context, { input, output, skipped: true });
      return undefined;
    }
    try {
      const onProgress: TranscribeInputOptions['onProgress'] = (progress) => {
        this.hasResponded = true;
        view.update(input, progress);
      };
      const outcome = await transcribeInputAndWriteTranscript(context, each, {
        ...settings,
        onProgress,
        onNotice: (text) => view.print(`${input}: ${text}`),
        onStateUnwritable: (error) => this.reportUnwritableState(error),
        // Its bar would stand in the middle of the transcript.
        beforeOutput: () => view.clear(),
      });
      this.hasResponded = true;
      this.failed.delete(input);
      view.finish(input, output === undefined ? 'done' : `done, ${output}`);
      if (settings.json)
        printJson(context, {
          input,
          output,
          job_id: outcome.jobId,
          duration_seconds: outcome.durationSeconds,
        });
      return undefined;
    } catch (error) {
      return context.signal.aborted ? undefined : this.reportFailure(input, error);
    }
  }

  private reportUnwritableState(error: unknown): undefined {
    if (this.hasReportedUnwritableState) return;
    this.hasReportedUnwritableState = true;
    this.view.print(`An upload that is interrupted cannot be continued: ${describeError(error)}`);
  }

  /** @returns the error */
  private reportFailure(input: string, error: unknown): unknown {
    this.failed.add(input);
    if (error instanceof ApiError || error instanceof JobFailedError) this.hasResponded = true;
    if (error instanceof Error && getExitCode(error) === EXIT_CODE_BY_NAME.notSignedIn) this.stop(error);
    else if (error instanceof ConnectionError && !this.hasResponded)
      this.stop(
        new CommandError(
          `${error.message}\nNothing was transcribed. Run the same command again when the service responds.`,
          { cause: error },
        ),
      );
    else {
      this.view.finish(input, describeError(error), true);
      if (this.settings.json) printJson(this.context, { input, error: describeError(error) });
    }
    return error;
  }
}
