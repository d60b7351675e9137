import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { until } from '../../e2e/support/until.js';
import { startAtTerminal, startProgram, type StartedProgram } from '../../support/started-program.js';
import { getProgramPath } from './installed-command-line.js';

/** Of one shell with all of its lines. */
const SHELL_MS = 120_000;

/** What a shell offers for each line when the user presses the tabulator key at its end, sorted. */
export type CompleteLines = (lines: readonly string[], home: string) => Promise<string[][]>;

/** As the documentation says, with a prompt that shows when the shell is ready. */
const BASHRC = `PS1='ready'
source <(zephyr completion bash)
note() { printf '%s\\n' "$READLINE_LINE" >> "$HOME/completed"; READLINE_LINE=; READLINE_POINT=0; }
bind 'set bell-style none'
bind -x '"\\C-xn": note'
`;

/** Notes what the completion adds. \`compadd\` with -O, -A or -D only fills arrays. */
const ZSHRC = `autoload -U compinit; compinit -u -D
source <(zephyr completion zsh)
compadd() {
  local argument
  for argument in "$@"; do
    [[ $argument == -- || $argument == - ]] && break
    [[ $argument == -[OAD] ]] && { builtin compadd "$@"; return }
  done
  local -a offered
  builtin compadd -O offered "$@"
  print -rl -- $offered >> $HOME/completed
  builtin compadd "$@"
}
complete_lines() {
  local line
  while IFS= read -r line; do
    BUFFER=$line CURSOR=$#line
    zle list-choices
    print -r -- '=' >> $HOME/completed
  done < $HOME/lines
  exit
}
zle -N zle-line-init complete_lines
`;

/** Kills it after `SHELL_MS`. */
const buildOptions = (home: string) => ({
  cwd: home,
  env: { PATH: `${dirname(getProgramPath())}:${process.env['PATH']}`, HOME: home, TERM: 'xterm' },
  timeout: SHELL_MS,
  killSignal: 'SIGKILL' as const,
});

/** Kills the shell after the work. */
async function withShell<T>(shell: StartedProgram, work: () => Promise<T>): Promise<T> {
  // It has ended, and does not read what is typed.
  shell.child.stdin.on('error', () => undefined);
  try {
    return await work();
  } finally {
    shell.child.kill('SIGKILL');
  }
}

async function untilEnded({ child, output, ended }: StartedProgram): Promise<void> {
  await ended;
  if (child.signalCode !== null)
    throw new Error(`${child.spawnfile} was killed by ${child.signalCode}: ${output()}`);
}

/** Inserts all completions into the line, which is the only way that bash tells them. */
const completeInBash: CompleteLines = async (lines, home) => {
  await writeFile(join(home, '.bashrc'), BASHRC);
  const shell = startAtTerminal('bash -i', buildOptions(home));
  await withShell(shell, async () => {
    await until('bash is ready', () => shell.output().includes('ready'));
    for (const line of lines) shell.child.stdin.write(`${line}\u001B*\u0018n`);
    shell.child.stdin.write('exit\r');
    await untilEnded(shell);
  });
  const completed = (await readFile(join(home, 'completed'), 'utf8')).trimEnd().split('\n');
  return lines.map((line, index) => {
    const typed = line.slice(line.lastIndexOf(' ') + 1);
    const words = (completed[index] ?? '').slice(line.length - typed.length).trimEnd();
    return words === typed ? [] : words.split(' ');
  });
};

const completeInZsh: CompleteLines = async (lines, home) => {
  await writeFile(join(home, '.zshrc'), ZSHRC);
  await writeFile(join(home, 'lines'), lines.map((line) => `${line}\n`).join(''));
  const shell = startAtTerminal('zsh -i', buildOptions(home));
  await withShell(shell, () => untilEnded(shell));
  const completed = await readFile(join(home, 'completed'), 'utf8');
  const blocks = completed.split(/^=\n/m).map((block) => block.trim());
  return lines.map((line, index) => {
    const words = new Set((blocks[index] ?? '').split('\n').filter((word) => word !== ''));
    // Where nothing else fits, zsh offers options before a dash is typed.
    return [...words].filter((word) => !word.startsWith('-') || /-\S*$/.test(line));
  });
};

const completeInFish: CompleteLines = async (lines, home) => {
  const folder = join(home, '.config', 'fish', 'completions');
  await mkdir(folder, { recursive: true });
  const program = `zephyr completion fish > ~/.config/fish/completions/zephyr.fish
for line in $argv; complete -C $line; echo =; end`;
  const shell = startProgram('fish', ['-c', program, ...lines], buildOptions(home));
  await withShell(shell, () => untilEnded(shell));
  const blocks = shell
    .output()
    .split(/^=\n/m)
    .map((block) => block.trim());
  const withoutDescription = (row: string) => row.split('\t')[0] ?? '';
  return lines.map((_, index) => (blocks[index] ? blocks[index].split('\n').map(withoutDescription) : []));
};

export const SHELLS = [
  { name: 'bash', complete: completeInBash },
  { name: 'zsh', complete: completeInZsh },
  { name: 'fish', complete: completeInFish },
] as const;
