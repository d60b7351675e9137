import type { Command, OptionSpec } from '../command.js';
import { COMMON_OPTION_SPECS } from '../common-options.js';

const getOptions = ({ options }: Command) => Object.entries({ ...options, ...COMMON_OPTION_SPECS });

function listFlags(command: Command): string {
  return getOptions(command)
    .flatMap(([name, { short }]) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])])
    .join(' ');
}

function listChoices(command: Command): [string, OptionSpec & { choices: readonly string[] }][] {
  return getOptions(command).filter(
    (entry): entry is [string, OptionSpec & { choices: readonly string[] }] => entry[1].choices !== undefined,
  );
}

export function renderBashCompletions(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const choices = listChoices(command).map(
      ([name, { short, choices: values }]) =>
        `        ${[`--${name}`, ...(short === undefined ? [] : [`-${short}`])].join('|')}) words="${values.join(' ')}" ;;`,
    );
    return `    ${command.name})
      case "$previous" in
${choices.join('\n')}
        *) [[ $current == -* ]] && words="${listFlags(command)}" || words="${(command.words ?? []).join(' ')}" ;;
      esac ;;`;
  });
  return `_zephyr() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words=
  if ((COMP_CWORD == 1)); then words="${commands.map(({ name }) => name).join(' ')}"; else
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _zephyr zephyr
`;
}

export function renderZshCompletions(commands: readonly Command[]): string {
  const quote = (text: string) => text.replaceAll("'", `'\\''`).replaceAll(/[[\]:]/g, '\\$&');
  const cases = commands.map((command) => {
    const flags = getOptions(command).map(([name, { multiple, value, choices, help }]) => {
      const action = choices === undefined ? '_files' : `(${choices.join(' ')})`;
      const argument = value === undefined ? '' : `:${quote(value)}:${action}`;
      return `'${multiple === true ? '*' : ''}--${name}[${quote(help)}]${argument}'`;
    });
    const words =
      command.words === undefined
        ? "'*:file:_files'"
        : `'1:action:(${command.words.join(' ')})' '*:file:_files'`;
    return `    ${command.name}) _arguments ${[...flags, words].join(' ')} ;;`;
  });
  return `#compdef zephyr
_zephyr() {
  if ((CURRENT == 2)); then
    local -a commands=(${commands.map(({ name, summary }) => `'${name}:${quote(summary)}'`).join(' ')})
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
  esac
}
compdef _zephyr zephyr
`;
}

export function renderFishCompletions(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap((command) => {
    const isCommand = `-n ${quote(`__fish_seen_subcommand_from ${command.name}`)}`;
    const flags = getOptions(command).map(([name, { short, value, choices, help }]) => {
      const letter = short === undefined ? '' : ` -s ${short}`;
      const argument = choices === undefined ? '' : ` -f -a ${quote(choices.join(' '))}`;
      return `complete -c zephyr ${isCommand} -l ${name}${letter}${value === undefined ? '' : ' -r'}${argument} -d ${quote(help)}`;
    });
    const words =
      command.words === undefined
        ? []
        : [`complete -c zephyr ${isCommand} -f -a ${quote(command.words.join(' '))}`];
    return [
      `complete -c zephyr -n __fish_use_subcommand -f -a ${command.name} -d ${quote(command.summary)}`,
      ...words,
      ...flags,
    ];
  });
  return `${lines.join('\n')}\n`;
}
