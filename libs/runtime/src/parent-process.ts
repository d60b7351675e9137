/** Whether the program that started this one, with a channel between them, has gone or given it up. */
export function isParentGone({ send, connected }: Pick<NodeJS.Process, 'send' | 'connected'>): boolean {
  return send !== undefined && !connected;
}
