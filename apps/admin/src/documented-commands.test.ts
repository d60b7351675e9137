import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listOperatorCommands } from './testing/list-operator-commands.js';

const DOCS = join(import.meta.dirname, '../../../docs');
const PAGES = [
  ...readdirSync(join(DOCS, 'operating')).map((name) => `operating/${name}`),
  ...['operating.md', 'scaling.md', 'guide/self-hosting.md'],
];
/** How pages write the operator program of a release, of an image and of a checkout. */
const PROGRAM =
  /^(?:.*\/opt\/zephyr\/bin\/zephyr |(?:\S*bin\/)?zephyr |npm run (?:--silent )?(?:admin -- |(?=capacity)))/;
/** Options of every command, and what the program has beside commands. */
const COMMON = new Set(['--help', '--json']);
const BESIDE_COMMANDS = new Set(['api', 'processor', 'help', '--version', 'COMMAND']);

const commands = listOperatorCommands();
const groups = new Set(
  commands.map(({ name }) => name.split(' ')).flatMap(([name = '', sub]) => (sub ? [name] : [])),
);

interface Mention {
  page: string;
  text: string;
}

/** Code that is an operator command: after the name of the program, or by its first words. */
function listMentions(): Mention[] {
  return PAGES.flatMap((page) => {
    const text = readFileSync(join(DOCS, page), 'utf8').replaceAll(/\\\n\s*/g, '');
    const blocks = [...text.matchAll(/^ *```[^\n]*\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
      block.split('\n').filter((line) => PROGRAM.test(line.trim())),
    );
    const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
    return [...blocks, ...spans].flatMap((code) => {
      const command = code
        .trim()
        .replace(PROGRAM, '')
        .replace(/ +#.*$/, '');
      const [first = '', second = ''] = command.split(' ');
      const isNamed = groups.has(first)
        ? /^[a-z]+(?:-[a-z]+)*$/.test(second)
        : commands.some(({ name }) => name === first);
      return isNamed || PROGRAM.test(code.trim()) ? [{ page, text: command }] : [];
    });
  });
}

/** Whether a text names several commands, such as `webhooks secret` or `models …`. */
const namesGroup = (text: string) =>
  commands.some(({ name }) => name.startsWith(`${text.replace(/ …$/, '')} `));
/** The command that a text begins with. */
const findCommand = (text: string) =>
  commands.find(({ name }) => text === name || text.startsWith(`${name} `));

describe('the operator commands that pages for operators name', () => {
  const mentions = listMentions();

  it('exist', () => {
    expect(mentions.length).toBeGreaterThan(150);
    const unknown = mentions.filter(
      ({ text }) =>
        findCommand(text) === undefined &&
        !namesGroup(text) &&
        !BESIDE_COMMANDS.has(text.split(' ')[0] ?? ''),
    );
    expect(unknown).toEqual([]);
  });

  it('have the options that they are given', () => {
    const unknown = mentions.flatMap(({ page, text }) => {
      const command = findCommand(text);
      const options = text.match(/(?<=[\s[])--[a-z][\w-]*/g) ?? [];
      return command === undefined
        ? []
        : options
            .filter((option) => !COMMON.has(option) && !command.options.includes(option))
            .map((option) => ({ page, text, option }));
    });
    expect(unknown).toEqual([]);
  });
});

describe('the page of the operator commands', () => {
  it('names every command', () => {
    const page = readFileSync(join(DOCS, 'operating/commands.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (`.*?) +\|/gm)].map(([, cell = '']) => cell);
    const missing = commands.filter(({ name }) => {
      const words = name.split(' ');
      // A row may name several: `secrets service-secret add`, `use`, `drop`.
      return !rows.some((cell) => words.every((word) => new RegExp(`[\`\\s]${word}[\`\\s]`).test(cell)));
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe('the table of options in the page about scaling', () => {
  it('has those of the command capacity', () => {
    const page = readFileSync(join(DOCS, 'scaling.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (`--.*?) +\| .*? +\| (.*?) +\|$/gm)];
    const named = rows.flatMap(([, options = '']) => options.match(/--[\w-]+/g) ?? []);
    const capacity = commands.find(({ name }) => name === 'capacity');
    expect(named.toSorted()).toEqual(capacity?.options.filter((option) => option !== '--json').toSorted());
  });
});
