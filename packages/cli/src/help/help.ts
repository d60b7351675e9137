import type { Command } from '../command.js';
import {
  COMMON_OPTION_SPECS,
  ENVIRONMENT_VARIABLE_DESCRIPTIONS,
  EXIT_CODE_DESCRIPTIONS,
  renderFlagUsage,
} from '../common-options.js';

const WIDTH = 100;

export function renderGeneralHelp(commands: readonly Command[]): string {
  return `zephyr COMMAND

Transcribes audio with a zephyr service. Begin with: zephyr login

Commands:
${renderRows(commands.map(({ name, summary }) => [name, summary]))}

"zephyr COMMAND --help" explains a command.

Environment:
${renderRows(ENVIRONMENT_VARIABLE_DESCRIPTIONS.map(([name, text]) => [name, text]))}

Exit codes:
${renderRows(EXIT_CODE_DESCRIPTIONS.map(([code, text]) => [String(code), text]))}
`;
}

export function renderCommandHelp({ name, usage, description, options }: Command): string {
  const rows = Object.entries({ ...options, ...COMMON_OPTION_SPECS }).map(
    ([flag, spec]) => [renderFlagUsage(flag, spec), spec.help] as const,
  );
  return `${`zephyr ${name} ${usage}`.trim()}

${description.split('\n\n').map(wrap).join('\n\n')}

Options:
${renderRows(rows)}
`;
}

function renderRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

function wrap(paragraph: string): string {
  const lines = [''];
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1) as string;
    if (line !== '' && line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
