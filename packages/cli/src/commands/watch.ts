import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, type CliContext, getStringOption, printLine } from '../command.js';
import { MAX_RETRIES_OF_LONG_COMMANDS, resolveServerUrl } from '../config.js';
import { CommandError, UsageError } from '../errors.js';
import { describeUnreadablePath, type FoundInput, expandInputs } from '../files/expand-inputs.js';
import { planTranscriptOutputs } from '../files/plan-outputs.js';
import {
  FORMAT_FLAG,
  JOB_FLAGS,
  parseCountFlag,
  parseFormatFlag,
  parseJobFlags,
} from '../transcription/job-flags.js';
import { pathExists } from '../files/path-exists.js';
import { transcribeManyInputs } from '../transcription/transcribe-many-inputs.js';

const MAX_CONCURRENCY = 64;

export const watchFolderCommand: Command = {
  name: 'watch',
  summary: 'Transcribe the files of a folder as they arrive',
  usage: 'DIR --out DIR',
  arguments: 'folders',
  description: `Looks at the folder every few seconds, until it is interrupted. A file is transcribed when its size and time have stayed \
the same between two looks. Files whose transcript exists are left alone, so the command can be started again at any time. A file that \
failed is tried again when it changes, or when the command is started again.`,
  options: {
    out: { type: 'string', short: 'o', value: 'DIR', help: 'folder for the transcripts' },
    format: FORMAT_FLAG,
    concurrency: { type: 'string', short: 'c', value: 'N', help: 'files at a time (default 4)' },
    interval: { type: 'string', value: 'SECONDS', help: 'time between two looks (default 2)' },
    json: { type: 'boolean', help: 'print a line of JSON about each file' },
    ...JOB_FLAGS,
  },
  continues: true,
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
    const arrivals = new Arrivals((message) => printLine(context.stderr, message));
    context.stderr.write(`Watching ${folder}. Ctrl-C ends it.\n`);
    for (;;) {
      const planned = await planTranscriptOutputs(await arrivals.look(folder), { target: `${out}/`, format });
      const due = [];
      for (const each of planned) if (!(await pathExists(each.output as string))) due.push(each);
      if (due.length > 0) await transcribeManyInputs(context, due, settings);
      await waitForNextLook(context, intervalMs);
    }
  },
};

/** Finds the files that have stayed as they are since the last look, each once until it changes. */
class Arrivals {
  private readonly seen = new Map<string, string>();
  private readonly taken = new Map<string, string>();
  private readonly reported = new Set<string>();

  constructor(private readonly report: (message: string) => void) {}

  async look(folder: string): Promise<FoundInput[]> {
    const { found, unreadable } = await expandInputs([folder]).catch((error: unknown) => {
      if (error instanceof UsageError) return { found: [], unreadable: [] };
      throw error;
    });
    for (const path of unreadable) this.reportOnce(describeUnreadablePath(path));
    const due: FoundInput[] = [];
    for (const each of found) {
      const stats = await stat(each.input).catch(() => undefined);
      if (stats?.size === 0) this.reportOnce(`${each.input}: empty, waiting for its content`);
      if (stats === undefined || stats.size === 0) continue;
      const version = `${stats.size} ${stats.mtimeMs}`;
      if (this.seen.get(each.input) === version && this.taken.get(each.input) !== version) {
        this.taken.set(each.input, version);
        due.push(each);
      }
      this.seen.set(each.input, version);
    }
    return due;
  }

  private reportOnce(message: string): void {
    if (this.reported.has(message)) return;
    this.reported.add(message);
    this.report(message);
  }
}

async function waitForNextLook({ signal }: CliContext, ms: number): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
