import type { Command, OptionSpec } from '../command.js';
import { COMMON_OPTION_SPECS } from '../common-options.js';

type NamedOption = OptionSpec & { flags: readonly string[]; name: string };

/** Before a command; `help` takes the name of one. */
const GENERAL_OPTIONS = [
  ['--help', 'show the commands'],
  ['--version', 'show the version'],
] as const;
const HELP_SUMMARY = 'Explain a command';

const listOptions = ({ options }: Command): NamedOption[] =>
  Object.entries({ ...options, ...COMMON_OPTION_SPECS }).map(([name, spec]) => ({
    ...spec,
    name,
    flags: [`--${name}`, ...(spec.short === undefined ? [] : [`-${spec.short}`])],
  }));

/** What the value of an option is. */
function getValueKind({ value, choices }: OptionSpec): 'none' | 'choice' | 'files' | 'folders' | 'text' {
  if (value === undefined) return 'none';
  if (choices !== undefined) return 'choice';
  if (value === 'DIR') return 'folders';
  return value === 'FILE' || value === 'PATH' ? 'files' : 'text';
}

export function renderBashCompletions(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const complete = { files: 'kind=files', folders: 'kind=folders' };
  const cases = commands.map((command) => {
    const options = listOptions(command);
    const values = options.flatMap((option) => {
      const kind = getValueKind(option);
      if (kind === 'none') return [];
      const actions = { ...complete, choice: `words="${option.choices?.join(' ')}"`, text: '' };
      return [`        ${option.flags.join('|')}) ${actions[kind]} ;;`];
    });
    const words =
      command.words === undefined ? [] : [`((COMP_CWORD == 2)) && words="${command.words.join(' ')}"`];
    const others = command.arguments === undefined ? words : [complete[command.arguments]];
    return `    ${command.name})
      case "$previous" in
${values.join('\n')}
        *) if [[ $current == -* ]]; then words="${options.flatMap(({ flags }) => flags).join(' ')}"; else ${others[0] ?? ':'}; fi ;;
      esac ;;`;
  });
  return `_zephyr() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words= kind=
  if ((COMP_CWORD == 1)); then
    words="${names} help"
    [[ $current == -* ]] && words="${GENERAL_OPTIONS.map(([flag]) => flag).join(' ')}"
  else
  # Of --option=value, bash makes three words.
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    help) words="${names}" ;;
  esac
  fi
  case "$kind" in
    files) compopt -o default ;;
    folders) compopt -o dirnames ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _zephyr zephyr
`;
}

export function renderZshCompletions(commands: readonly Command[]): string {
  const quote = (text: string) => text.replaceAll("'", `'\\''`).replaceAll(/[[\]:]/g, '\\$&');
  const complete = { files: '_files', folders: '_files -/' };
  const describe = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, text]) => `'${name}:${quote(text)}'`).join(' ');
  const describeValue = (option: OptionSpec) => {
    const kind = getValueKind(option);
    if (kind === 'none') return '';
    const actions = { ...complete, choice: `(${option.choices?.join(' ')})`, text: ' ' };
    return `:${quote(option.value ?? '')}:${actions[kind]}`;
  };
  const cases = commands.map((command) => {
    const flags = listOptions(command).flatMap((option) => {
      const argument = describeValue(option);
      const prefix = option.multiple === true ? '*' : `(${option.flags.join(' ')})`;
      return option.flags.map((flag) => {
        const joined = argument !== '' && flag.startsWith('--') ? '=' : '';
        return `'${prefix}${flag}${joined}[${quote(option.help)}]${argument}'`;
      });
    });
    const words = command.words === undefined ? [] : [`'1:action:(${command.words.join(' ')})'`];
    const others = command.arguments === undefined ? [] : [`'*:file:${complete[command.arguments]}'`];
    return `    ${command.name}) _arguments ${[...flags, ...words, ...others].join(' ')} ;;`;
  });
  const names = commands.map(({ name, summary }) => [name, summary] as const);
  return `#compdef zephyr
_zephyr() {
  local -a commands=(${describe(names)})
  if ((CURRENT == 2)); then
    local -a general=(${describe(GENERAL_OPTIONS)}) first=($commands ${describe([['help', HELP_SUMMARY]])})
    [[ $words[2] == -* ]] && _describe -o option general || _describe command first
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
    help) ((CURRENT == 2)) && _describe command commands ;;
  esac
}
# As a file of fpath it is called at once.
if [[ $funcstack[1] == _zephyr ]]; then _zephyr "$@"; else compdef _zephyr zephyr; fi
`;
}

export function renderFishCompletions(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const complete = { files: '-F', folders: "-a '(__fish_complete_directories)'" };
  const describeValue = (option: OptionSpec) => {
    const kind = getValueKind(option);
    if (kind === 'none') return '';
    if (kind === 'files') return ' -r -F';
    if (kind === 'folders') return ` -x ${complete.folders}`;
    return kind === 'choice' ? ` -x -a ${quote(option.choices?.join(' ') ?? '')}` : ' -x';
  };
  const lines = commands.flatMap(({ words, ...command }) => {
    const isCommand = `__fish_seen_subcommand_from ${command.name}`;
    const flags = listOptions(command).map((option) => {
      const letter = option.short === undefined ? '' : ` -s ${option.short}`;
      return `complete -c zephyr -n ${quote(isCommand)} -l ${option.name}${letter}${describeValue(option)} -d ${quote(option.help)}`;
    });
    const first =
      words === undefined ? '' : `${isCommand}; and not __fish_seen_subcommand_from ${words.join(' ')}`;
    return [
      `complete -c zephyr -n __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`,
      ...(words === undefined ? [] : [`complete -c zephyr -n ${quote(first)} -a ${quote(words.join(' '))}`]),
      ...(command.arguments === undefined
        ? []
        : [`complete -c zephyr -n ${quote(isCommand)} ${complete[command.arguments]}`]),
      ...flags,
    ];
  });
  const isHelp = quote('__fish_seen_subcommand_from help');
  return `complete -c zephyr -f
${GENERAL_OPTIONS.map(([flag, text]) => `complete -c zephyr -n __fish_use_subcommand -l ${flag.slice(2)} -d ${quote(text)}`).join('\n')}
complete -c zephyr -n __fish_use_subcommand -a help -d ${quote(HELP_SUMMARY)}
${commands.map(({ name, summary }) => `complete -c zephyr -n ${isHelp} -a ${name} -d ${quote(summary)}`).join('\n')}
${lines.join('\n')}
`;
}
