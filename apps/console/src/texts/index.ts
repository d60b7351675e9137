import { commonTexts } from './common.ts';
import { errorTexts } from './errors.ts';
import { signInTexts } from './sign-in.ts';
import { jobListPageTexts, jobPageTexts } from './jobs.ts';
import { membersTexts } from './members.ts';
import { auditTexts } from './audit.ts';
import { billingTexts } from './billing.ts';
import { settingsTexts } from './settings.ts';
import { profileTexts } from './profile.ts';
import { keysTexts } from './keys.ts';
import { twoFactorsTexts } from './two-factors.ts';
import { commandLineSignInTexts } from './command-line-sign-in.ts';
import { vocabulariesTexts } from './vocabularies.ts';
import { webhooksTexts } from './webhooks.ts';
import { jobProgressTexts } from './job-progress.ts';
import { transcribeTexts } from './transcribe.ts';
import { transcriptTexts } from './transcript.ts';
import { welcomeTexts } from './welcome.ts';

/** Every text that people read. */
export const texts = {
  ...commonTexts,
  errors: errorTexts,
  ...signInTexts,
  jobs: jobListPageTexts,
  job: jobPageTexts,
  members: membersTexts,
  audit: auditTexts,
  billing: billingTexts,
  settings: settingsTexts,
  vocabularies: vocabulariesTexts,
  profile: profileTexts,
  twoFactors: twoFactorsTexts,
  keys: keysTexts,
  commandLine: commandLineSignInTexts,
  webhooks: webhooksTexts,
  jobProgress: jobProgressTexts,
  transcribe: transcribeTexts,
  transcript: transcriptTexts,
  welcome: welcomeTexts,
};
