import type { Command } from './command.js';
import { completionCommand } from './commands/completion.js';
import { doctorCommand } from './commands/doctor.js';
import { evaluateTranscriptsCommand } from './commands/eval.js';
import { jobsCommand } from './commands/jobs.js';
import { forwardWebhooksCommand } from './commands/listen.js';
import { loginCommand, logoutCommand } from './commands/login.js';
import { transcribeCommand } from './commands/transcribe.js';
import { transcriptCommand } from './commands/transcript.js';
import { watchFolderCommand } from './commands/watch.js';

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  transcribeCommand,
  watchFolderCommand,
  jobsCommand,
  transcriptCommand,
  loginCommand,
  logoutCommand,
  forwardWebhooksCommand,
  evaluateTranscriptsCommand,
  doctorCommand,
  completionCommand,
];
