import { silent } from '../support/audio.js';
import type { Client, Created } from '../support/client.js';
import type { Receiver, Reply } from '../support/receiver.js';

/** How receivers of webhooks behave, each under a path of its own. */
const BEHAVIOURS = {
  fine: [204],
  failing: [200],
  recovering: [500, 'reset', 201],
  down: [503],
  gone: [410],
  throttling: [429],
  moved: [302],
  hanging: ['hang', 200],
} satisfies Record<string, Reply[]>;

export type Behaviour = keyof typeof BEHAVIOURS;
export type Hooked = Record<Behaviour, Created>;

/** A job for each behaviour; that of `failing` cannot be decoded, the others complete. */
export async function sendHooked(client: Client, receiver: Receiver): Promise<Hooked> {
  const sent = Object.entries(BEHAVIOURS).map(async ([name, replies]) => {
    const callback_url = receiver.reply(pathOf(name as Behaviour), ...replies);
    const bytes = name === 'failing' ? new Uint8Array(100) : silent(1);
    return [name, await client.submit(bytes, { callback_url })] as const;
  });
  return Object.fromEntries(await Promise.all(sent)) as Hooked;
}

export function pathOf(name: Behaviour): string {
  return `/hooks/${name}`;
}
