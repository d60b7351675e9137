import type { OptionSpec } from './command.js';

/** Options of every command. */
export const COMMON_OPTION_SPECS: Record<string, OptionSpec> = {
  server: { type: 'string', value: 'URL', help: 'URL of the service (ZEPHYR_URL)' },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
};

export const ENVIRONMENT_VARIABLE_DESCRIPTIONS: readonly (readonly [string, string])[] = [
  ['ZEPHYR_API_KEY', 'the API key, instead of the stored one'],
  ['ZEPHYR_URL', 'URL of the service, by default http://127.0.0.1:3000'],
  ['ZEPHYR_WEBHOOK_SECRET', 'signing secret of "listen"'],
  ['XDG_CONFIG_HOME', 'folder of the settings, by default ~/.config'],
  ['XDG_STATE_HOME', 'folder of the states of uploads, by default ~/.local/state'],
];

export const EXIT_CODE_DESCRIPTIONS: readonly (readonly [number, string])[] = [
  [0, 'everything was done'],
  [1, 'something failed; with several files, at least one of them'],
  [2, 'the command line is wrong'],
  [4, 'there is no API key, or it was refused'],
  [129, 'ended by SIGHUP, as when its terminal is closed'],
  [130, 'interrupted with Ctrl-C'],
  [143, 'ended by SIGTERM'],
];

/** Such as `-o, --output PATH`. */
export function renderFlagUsage(name: string, { short, value }: OptionSpec): string {
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}
