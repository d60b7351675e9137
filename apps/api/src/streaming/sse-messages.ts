import type { StoredEvent } from '@app/jobs';
import type { MessageEvent } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { QueuePosition } from './stream-pool.js';

/** Position in the line. It carries the last number the client has, so that a reconnect resumes from there. */
export function toWaitingMessage(position: QueuePosition, lastSeq: number): MessageEvent {
  return { type: 'waiting', id: String(lastSeq), data: { ...position } };
}

export function toEventMessage({ seq, type }: StoredEvent, data: object): MessageEvent {
  return { type, id: String(seq), data };
}

/** Adds a comment every so often, so that proxies keep a quiet stream open; ends with the stream. */
export function withHeartbeat(stream: Observable<MessageEvent>, seconds: number): Observable<MessageEvent> {
  return new Observable((client) => {
    const timer = setInterval(() => client.next({ comment: 'heartbeat' }), seconds * 1000);
    client.add(() => clearInterval(timer));
    client.add(stream.subscribe(client));
  });
}
