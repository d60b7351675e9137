import { ApiError, ConnectionError, JobFailedError } from 'zephyr-client';
import { type CliContext, printJson } from '../command.js';
import { CommandError, describeError, EXIT_CODE_BY_NAME, getExitCode } from '../errors.js';
import { pathExists } from '../files/path-exists.js';
import type { InputWithPlannedOutput } from '../files/plan-outputs.js';
import { ProgressView } from '../terminal/progress-view.js';
import { runTasksConcurrently } from './run-tasks-concurrently.js';
import { transcribeInputAndWriteTranscript, type TranscribeInputOptions } from './transcribe-input.js';

export interface TranscribeManySettings extends Omit<TranscribeInputOptions, 'onProgress' | 'beforeOutput'> {
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
  settings: TranscribeManySettings,
): Promise<number> {
  const view = new ProgressView(context.stderr, planned.length, settings.quiet);
  let code: number = EXIT_CODE_BY_NAME.ok;
  let fatal: Error | undefined;
  let hasResponded = settings.outlastsSilence === true || planned.length === 1;
  await runTasksConcurrently(planned, settings.concurrency, async (each) => {
    if (context.signal.aborted || fatal !== undefined) return;
    const { input, output } = each;
    if (output !== undefined && !settings.overwrite && (await pathExists(output))) {
      view.finish(input, `skipped, ${output} exists`);
      if (settings.json) printJson(context, { input, output, skipped: true });
      return;
    }
    try {
      const onProgress: TranscribeInputOptions['onProgress'] = (progress) => {
        hasResponded = true;
        view.update(input, progress);
      };
      const outcome = await transcribeInputAndWriteTranscript(context, each, {
        ...settings,
        onProgress,
        // Its bar would stand in the middle of the transcript.
        beforeOutput: () => view.clear(),
      });
      hasResponded = true;
      view.finish(input, output === undefined ? 'done' : `done, ${output}`);
      if (settings.json)
        printJson(context, {
          input,
          output,
          job_id: outcome.jobId,
          duration_seconds: outcome.durationSeconds,
        });
    } catch (error) {
      if (context.signal.aborted) return;
      code = EXIT_CODE_BY_NAME.failed;
      if (error instanceof ApiError || error instanceof JobFailedError) hasResponded = true;
      if (error instanceof Error && getExitCode(error) === EXIT_CODE_BY_NAME.notSignedIn) fatal = error;
      else if (error instanceof ConnectionError && !hasResponded)
        fatal = new CommandError(
          `${error.message}\nNothing was transcribed. Run the same command again when the service responds.`,
          { cause: error },
        );
      else view.finish(input, describeError(error), true);
      if (settings.json && fatal === undefined) printJson(context, { input, error: describeError(error) });
    }
  });
  view.clear();
  context.signal.throwIfAborted();
  if (fatal !== undefined) throw fatal;
  return code;
}
