import type { StoredJobEvent } from '@app/jobs';
import type { MessageEvent } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { StreamQueuePosition } from './pooled-stream.js';

/** The queue position, with the client's last event id, so that a reconnect resumes there. */
export function toStreamQueuePositionMessage(position: StreamQueuePosition, lastSeq: number): MessageEvent {
  return { type: 'waiting', id: String(lastSeq), data: { ...position } };
}

export function toJobEventMessage({ seq, type }: StoredJobEvent, data: object): MessageEvent {
  return { type, id: String(seq), data };
}

/** Without the fields of a failure that are internal. */
export function toPublicEventData({ type, data }: Pick<StoredJobEvent, 'type' | 'data'>): object {
  return type === 'failed' ? { step: data['step'], reason: data['reason'] } : data;
}

/** Adds periodic comments, so that proxies keep an idle stream open. */
export function withHeartbeat(stream: Observable<MessageEvent>, seconds: number): Observable<MessageEvent> {
  return new Observable((client) => {
    const timer = setInterval(() => client.next({ comment: 'heartbeat' }), seconds * 1000);
    client.add(() => clearInterval(timer));
    client.add(stream.subscribe(client));
  });
}
