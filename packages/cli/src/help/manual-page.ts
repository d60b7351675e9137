import type { Command } from '../command.js';
import {
  COMMON_OPTION_SPECS,
  ENVIRONMENT_VARIABLE_DESCRIPTIONS,
  EXIT_CODE_DESCRIPTIONS,
  renderFlagUsage,
} from '../common-options.js';

/** In the language of `man`. */
export function renderManualPage(commands: readonly Command[], version: string): string {
  return `.TH ZEPHYR 1 "" "zephyr ${escape(version)}"
.SH NAME
zephyr \\- transcribe audio with a zephyr service
.SH SYNOPSIS
.B zephyr
.I COMMAND
.RI [ OPTION ]...
.SH DESCRIPTION
Transcripts and other data go to standard output, everything else to standard error.
.SH COMMANDS
${commands.map(renderCommand).join('\n')}
.SH COMMON OPTIONS
${renderRows(Object.entries(COMMON_OPTION_SPECS).map(([name, spec]) => [renderFlagUsage(name, spec).trim(), spec.help]))}
.SH ENVIRONMENT
${renderRows(ENVIRONMENT_VARIABLE_DESCRIPTIONS)}
.SH EXIT STATUS
${renderRows(EXIT_CODE_DESCRIPTIONS.map(([code, text]) => [String(code), text]))}
`;
}

function renderCommand({ name, usage, description, options }: Command): string {
  const rows = Object.entries(options).map(
    ([flag, spec]) => [renderFlagUsage(flag, spec).trim(), spec.help] as const,
  );
  return `.SS ${escape(`zephyr ${name} ${usage}`.trim())}
${description.split('\n\n').map(escape).join('\n.PP\n')}
${renderRows(rows)}`;
}

function renderRows(rows: readonly (readonly [string, string])[]): string {
  return rows.map(([left, right]) => `.TP\n.B ${escape(left)}\n${escape(right)}`).join('\n');
}

/** Lines that begin with a point or a quote would be commands. */
function escape(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1');
}
