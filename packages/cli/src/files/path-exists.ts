import { stat } from 'node:fs/promises';
import { type CliContext, printJson } from '../command.js';
import { describeError, EXIT_CODE_BY_NAME, getExitCode } from '../errors.js';
import type { InputWithPlannedOutput } from './plan-outputs.js';
import { ProgressView } from '../terminal/progress-view.js';
import { runTasksConcurrently } from '../transcription/run-tasks-concurrently.js';
import {
  transcribeInputAndWriteTranscript,
  type TranscribeInputOptions,
} from '../transcription/transcribe-input.js';

export interface TranscribeManySettings extends Omit<TranscribeInputOptions, 'onProgress' | 'beforeOutput'> {
  concurrency: number;
  overwrite: boolean;
  json: boolean;
  quiet: boolean;
}

/**
 * Transcribes all inputs, and goes on when one fails.
 * @returns the exit code
 * @throws the reason of the signal; the error of a refused key, which would be that of every file
 */
export async function transcribeManyInputs(
  context: CliContext,
  planned: readonly InputWithPlannedOutput[],
  settings: TranscribeManySettings,
): Promise<number> {
  const view = new ProgressView(context.stderr, planned.length, settings.quiet);
  let code: number = EXIT_CODE_BY_NAME.ok;
  let fatal: Error | undefined;
  await runTasksConcurrently(planned, settings.concurrency, async (each) => {
    if (context.signal.aborted || fatal !== undefined) return;
    const { input, output } = each;
    if (output !== undefined && !settings.overwrite && (await pathExists(output))) {
      view.finish(input, `skipped, ${output} exists`);
      if (settings.json) printJson(context, { input, output, skipped: true });
      return;
    }
    try {
      const onProgress: TranscribeInputOptions['onProgress'] = (progress) => view.update(input, progress);
      const outcome = await transcribeInputAndWriteTranscript(context, each, {
        ...settings,
        onProgress,
        // Its bar would stand in the middle of the transcript.
        beforeOutput: () => view.clear(),
      });
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
      if (error instanceof Error && getExitCode(error) === EXIT_CODE_BY_NAME.notSignedIn) fatal = error;
      else view.finish(input, describeError(error), true);
      if (settings.json && fatal === undefined) printJson(context, { input, error: describeError(error) });
    }
  });
  view.clear();
  context.signal.throwIfAborted();
  if (fatal !== undefined) throw fatal;
  return code;
}

export async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
