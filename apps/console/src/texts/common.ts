import { formatCount, formatNumber } from '../lib/numbers.ts';
import type { CodeSampleVariant } from '../lib/code-sample-variant.ts';
import type { MemberRole } from '../api/types.ts';

export const commonTexts = {
  /** The language of these texts. */
  language: 'en',
  product: 'Speech to text',
  console: 'Console',
  skip: 'Skip to content',
  loading: 'Loading',
  retry: 'Try again',
  unsaved: {
    title: 'Leave without saving?',
    text: 'What you entered on this page is not saved yet, and is lost if you leave.',
    leave: 'Leave',
    stay: 'Stay',
  },
  /** Before a field or a form is closed. */
  discard: {
    title: 'Discard what you typed?',
    text: 'It is not saved yet.',
    action: 'Discard',
    stay: 'Go on writing',
  },
  unsentUploads: {
    title: 'Sign out and end the uploads?',
    text: (count: number) =>
      `${formatCount(count, 'file is', 'files are')} not sent yet. At the end of the session this browser forgets them.`,
  },
  /** Texts for keys, links and codes. */
  uncopied: {
    title: 'Close without copying it?',
    text: 'It has not been copied, and is not shown again.',
    close: 'Close without copying',
    stay: 'Go back',
    leaving: {
      title: 'Leave without copying it?',
      text: 'What this page makes or shows here is shown only once. It has not been copied, and is lost if you leave.',
    },
  },
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser did not copy it',
  savedInsteadOfCopied: 'Saved as a file',
  selectedInsteadOfCopied:
    'The browser did not copy it. It is selected: copy it with the keyboard or the menu of the browser.',
  continue: 'Continue',
  requestId: (id: string) => `Request id: ${id}`,
  never: 'Never',
  accountWithId: (name: string, id: string) => `${name} (…${id.slice(-6)})`,
  showSecrets: 'Show',
  hideSecrets: 'Hide',
  operator: 'the operator',
  moreRows: (added: number, all: number) => `${formatNumber(added)} more, ${formatNumber(all)} shown`,
  dayRange: { since: 'From day', until: 'To day' },
  signedInAs: 'Signed in as',
  roles: { owner: 'Owner', admin: 'Admin', member: 'Member', viewer: 'Viewer' } satisfies Record<
    MemberRole,
    string
  >,
  roleHelp: {
    owner: 'Everything, and the owners and the end of the account.',
    admin: 'People, all keys, payments and the audit log.',
    member: 'Transcribes, and makes keys and webhooks.',
    viewer: 'Sees jobs, transcripts, usage and balance.',
  } satisfies Record<MemberRole, string>,
  noAccount: {
    title: 'You are a member of no account',
    text: 'Ask an owner or admin of an account to invite you.',
  },
  code: {
    language: 'Language',
    languages: {
      curl: 'curl',
      typescript: 'TypeScript',
      python: 'Python',
      go: 'Go',
      openai: 'OpenAI client',
    } satisfies Record<CodeSampleVariant, string>,
    label: (language: string) => `Code for ${language}`,
    copy: 'Copy code',
  },
  navigation: {
    label: 'Pages',
    jobs: 'Jobs',
    keys: 'Keys',
    webhooks: 'Webhooks',
    welcome: 'Welcome',
    transcribe: 'Transcribe',
    members: 'Members',
    billing: 'Usage and billing',
    settings: 'Settings',
    audit: 'Audit log',
    profile: 'Profile',
    reference: 'API reference',
    account: 'Account',
    switchAccount: 'Switch account',
    user: 'Your menu',
    signOut: 'Sign out',
  },
};
