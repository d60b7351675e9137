import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OptionSpec } from '../command.js';
import { COMMANDS } from '../commands.js';
import {
  COMMON_OPTION_SPECS,
  ENVIRONMENT_VARIABLE_DESCRIPTIONS,
  EXIT_CODE_DESCRIPTIONS,
  renderFlagUsage,
} from '../common-options.js';
import { JOB_FLAGS } from '../transcription/job-flags.js';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

/** The rows of the tables below a heading, up to the next heading. */
function readTable(heading: string): [string, string][] {
  const [, section = ''] = README.split(`\n${heading}\n`);
  const [text = ''] = section.split(/\n#+ /);
  return [...text.matchAll(/^\| `?(.+?)`? +\| (.+?) +\|$/gm)]
    .map(([, left = '', right = '']): [string, string] => [left, right])
    .filter(([left]) => !/^-+$/.test(left))
    .slice(1);
}

const toRows = (options: Record<string, OptionSpec>): [string, string][] =>
  Object.entries(options).map(([name, spec]) => [renderFlagUsage(name, spec).trim(), spec.help]);

const withoutJobOptions = (options: Record<string, OptionSpec>) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !(name in JOB_FLAGS)));

describe('the page of the command line has, as the help has them,', () => {
  it.each(
    COMMANDS.map((command) => [command.name, command] as const).filter(
      ([, { options }]) => Object.keys(options).length > 0,
    ),
  )('the options of %s', (name, { options }) => {
    expect(readTable(`### \`${name}\``)).toEqual(toRows(withoutJobOptions(options)));
  });

  it('the options of jobs and of every command', () => {
    expect(readTable('### Options of jobs')).toEqual(toRows(JOB_FLAGS));
    expect(readTable('### Options of every command')).toEqual(toRows(COMMON_OPTION_SPECS));
  });

  it('the variables of the environment and the exit codes', () => {
    expect(readTable('## Environment')).toEqual(ENVIRONMENT_VARIABLE_DESCRIPTIONS);
    expect(readTable('## Exit codes')).toEqual(
      EXIT_CODE_DESCRIPTIONS.map(([code, text]) => [String(code), text]),
    );
  });
});
