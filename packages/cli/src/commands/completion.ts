import type { Command } from '../command.js';
import { EXIT_CODE_BY_NAME, UsageError } from '../errors.js';
import { renderBashCompletions, renderFishCompletions, renderZshCompletions } from '../help/completions.js';
import { renderManualPage } from '../help/manual-page.js';

const RENDERERS = {
  bash: renderBashCompletions,
  zsh: renderZshCompletions,
  fish: renderFishCompletions,
  man: renderManualPage,
};

export const completionCommand: Command = {
  name: 'completion',
  summary: 'Print the completions of a shell, or the manual page',
  usage: 'bash | zsh | fish | man',
  description: `Add to ~/.bashrc: source <(zephyr completion bash)

Add to ~/.zshrc, after compinit: source <(zephyr completion zsh)

fish: zephyr completion fish > ~/.config/fish/completions/zephyr.fish

Read the manual: man <(zephyr completion man)`,
  words: Object.keys(RENDERERS),
  options: {},
  run(context, [shell, ...rest]) {
    const render = RENDERERS[shell as keyof typeof RENDERERS];
    if (shell === undefined || !Object.hasOwn(RENDERERS, shell) || rest.length > 0)
      throw new UsageError('Name a shell, bash, zsh or fish, or man.');
    context.stdout.write(render(context.commands, context.version));
    return Promise.resolve(EXIT_CODE_BY_NAME.ok);
  },
};
