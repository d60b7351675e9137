import type { Command } from '../command.js';
import { EXIT, UsageError } from '../errors.js';
import { renderBash, renderFish, renderZsh } from '../help/completions.js';
import { renderManualPage } from '../help/manual-page.js';

const RENDERERS = { bash: renderBash, zsh: renderZsh, fish: renderFish, man: renderManualPage };

export const completion: Command = {
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
    return Promise.resolve(EXIT.ok);
  },
};
