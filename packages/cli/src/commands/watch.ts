import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { InsufficientCreditsError } from 'zephyr-client';
import { type Command, getStringOption } from '../command.js';
import { MAX_RETRIES_OF_LONG_COMMANDS, resolveServerUrl } from '../config.js';
import { CommandError, isRetryableError, UsageError } from '../errors.js';
import type { InputWithAssignedOutput } from '../files/assign-output-paths.js';
import { WatchedFolder } from '../files/watched-folder.js';
import {
  FORMAT_FLAG,
  JOB_FLAGS,
  parseCountFlag,
  parseFormatFlag,
  parseJobFlags,
} from '../transcription/job-flags.js';
import { adviseAfterInterruption } from '../transcription/advise-after-interruption.js';
import { ConcurrentTranscriptionRunner } from '../transcription/transcribe-many-inputs.js';

const MAX_CONCURRENCY = 64;

/** Credits may be bought while the command runs. */
function mayPass(error: unknown): boolean {
  return isRetryableError(error) || error instanceof InsufficientCreditsError;
}

export const watchFolderCommand: Command = {
  name: 'watch',
  summary: 'Transcribe the files of a folder as they arrive',
  usage: 'DIR --out DIR',
  arguments: 'folders',
  description: `Looks at the folder every few seconds, until it is interrupted. A file is transcribed when its size and time have stayed \
the same between two looks. Files whose transcript exists are left alone, so the command can be started again at any time. A file that \
failed is tried again when it changes, or when the command is started again; after a failure that may pass, as without a connection or \
credits, also by itself, after a pause that grows from ten seconds to ten minutes. If a talk.mp3 and a talk.wav would both become talk.txt, \
one does, and the transcript of the other is named talk.wav.txt.`,
  options: {
    out: { type: 'string', short: 'o', value: 'DIR', help: 'folder for the transcripts' },
    format: FORMAT_FLAG,
    concurrency: { type: 'string', short: 'c', value: 'N', help: 'files at a time (default 4)' },
    interval: { type: 'string', value: 'SECONDS', help: 'time between two looks (default 2)' },
    json: { type: 'boolean', help: 'print a line of JSON about each file' },
    ...JOB_FLAGS,
  },
  adviseAfterInterruption,
  async run(context, positionals, options) {
    const [folder, ...rest] = positionals;
    const out = getStringOption(options, 'out');
    if (folder === undefined || rest.length > 0) throw new UsageError('Name one folder to watch.');
    if (out === undefined) throw new UsageError('Name the folder for the transcripts: --out DIR.');
    if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true)
      throw new CommandError(`${folder} is not a folder.`);
    const format = parseFormatFlag(options);
    const intervalMs = parseCountFlag(options, 'interval', 2, 3600) * 1000;
    const settings = {
      format,
      jobOptions: parseJobFlags(options),
      concurrency: parseCountFlag(options, 'concurrency', 4, MAX_CONCURRENCY),
      overwrite: false,
      json: options['json'] === true,
      quiet: false,
      outlastsSilence: true,
      server: await resolveServerUrl(context, options),
      client: await context.connect(options, MAX_RETRIES_OF_LONG_COMMANDS),
    };
    const transcriptions = new ConcurrentTranscriptionRunner(context, settings);
    const watched = new WatchedFolder(folder, { folder: out, format }, (message) =>
      transcriptions.print(message),
    );
    const transcribe = async (each: InputWithAssignedOutput) => {
      if (!mayPass(await transcriptions.add(each))) return watched.release(each);
      const seconds = watched.releaseForLater(each);
      transcriptions.print(`${each.input}: is tried again in ${seconds} seconds`);
    };
    context.stderr.write(`Watching ${folder}. Ctrl-C ends it.\n`);
    try {
      while (!transcriptions.stopped.aborted && context.stdout.isClosed !== true) {
        for (const each of await watched.findDueInputs()) void transcribe(each);
        await pause(intervalMs, undefined, { signal: transcriptions.stopped }).catch(() => undefined);
      }
    } catch (error) {
      transcriptions.stop(error);
    }
    return transcriptions.finish();
  },
};
