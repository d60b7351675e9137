import type { MessageEvent } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Observable } from 'rxjs';

/** Proxies are told too that nothing here may be kept or held back. */
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'private, no-cache, no-store, must-revalidate, max-age=0, no-transform',
  pragma: 'no-cache',
  expires: '0',
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
};
const LINE_END = /\r\n|\r|\n/;

/**
 * Answers with events as they come, until they end or the client has gone. It does without a stream of its own and leaves
 * nothing waiting, as most of thousands of streams have nothing to tell for minutes. Events that fail cut the connection.
 * @param maxPending bytes that may wait for a client that does not read before it is cut
 */
export function sendEvents(reply: FastifyReply, events: Observable<MessageEvent>, maxPending: number): void {
  const { raw } = reply.hijack();
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS });
  // Tells the client at once that it is heard.
  raw.write('\n');
  raw.socket?.setNoDelay(true);
  const subscription = events.subscribe({
    next: (event) => {
      if (!raw.write(eventText(event)) && raw.writableLength > maxPending) raw.destroy();
    },
    // Ending in order would say that this was all.
    error: () => raw.destroy(),
    complete: () => raw.end(),
  });
  if (raw.closed) subscription.unsubscribe();
  else raw.once('close', () => subscription.unsubscribe());
}

/** As it goes over the wire: its comment, its fields, a line of `data` for each line. */
export function eventText({ comment, type, id, data }: MessageEvent): string {
  const lines = comment === undefined ? [] : [`: ${comment}`];
  if (type !== undefined) lines.push(`event: ${type}`);
  if (id !== undefined) lines.push(`id: ${id}`);
  if (data !== undefined) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    lines.push(...text.split(LINE_END).map((line) => `data: ${line}`));
  }
  return `${lines.join('\n')}\n\n`;
}
