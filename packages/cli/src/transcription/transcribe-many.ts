import { stat } from 'node:fs/promises';
import { type Context, printJson } from '../command.js';
import { describeError, EXIT, getExitCode } from '../errors.js';
import type { PlannedOutput } from '../files/plan-outputs.js';
import { ProgressView } from '../terminal/progress-view.js';
import { runAll } from './run-all.js';
import { transcribeInput, type TranscribeSettings } from './transcribe-input.js';

export interface ManySettings extends Omit<TranscribeSettings, 'onProgress' | 'beforeOutput'> {
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
export async function transcribeMany(
  context: Context,
  planned: readonly PlannedOutput[],
  settings: ManySettings,
): Promise<number> {
  const view = new ProgressView(context.stderr, planned.length, settings.quiet);
  let code: number = EXIT.ok;
  let fatal: Error | undefined;
  await runAll(planned, settings.concurrency, async (each) => {
    if (context.signal.aborted || fatal !== undefined) return;
    const { input, output } = each;
    if (output !== undefined && !settings.overwrite && (await exists(output))) {
      view.finish(input, `skipped, ${output} exists`);
      if (settings.json) printJson(context, { input, output, skipped: true });
      return;
    }
    try {
      const onProgress: TranscribeSettings['onProgress'] = (progress) => view.update(input, progress);
      const outcome = await transcribeInput(context, each, {
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
      code = EXIT.failed;
      if (error instanceof Error && getExitCode(error) === EXIT.notSignedIn) fatal = error;
      else view.finish(input, describeError(error), true);
      if (settings.json && fatal === undefined) printJson(context, { input, error: describeError(error) });
    }
  });
  view.clear();
  context.signal.throwIfAborted();
  if (fatal !== undefined) throw fatal;
  return code;
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
