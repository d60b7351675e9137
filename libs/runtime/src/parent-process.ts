/** True if the program was started with an IPC channel that is closed now. */
export function isParentGone({ send, connected }: Pick<NodeJS.Process, 'send' | 'connected'>): boolean {
  return send !== undefined && !connected;
}
