/**
 * The minimal event stream: Node http, one listening connection, and one that reads each announced event once. No keys,
 * resuming, metrics, logs or keep-alive.
 */
import { createServer } from 'node:http';
import pg from 'pg';

const READ = {
  name: 'read',
  text: 'SELECT seq, type, data FROM job_event WHERE job_id = $1 AND seq = $2',
};

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 });
const streams = new Map();

const listener = new pg.Client(process.env.DATABASE_URL);
await listener.connect();
listener.on('notification', ({ payload }) => void sendEvent(payload));
await listener.query('LISTEN job_event');

const server = createServer((request, response) => {
  const id = request.url.split('/')[4];
  streams.set(id, response);
  response.once('close', () => streams.delete(id));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());

/** @param {string} payload `JOB_ID:SEQ` */
async function sendEvent(payload) {
  const [id, at] = payload.split(':');
  const response = streams.get(id);
  if (!response) return;
  const { rows } = await pool.query({ ...READ, values: [id, at] });
  for (const { seq, type, data } of rows)
    response.write(`event: ${type}\nid: ${seq}\ndata: ${JSON.stringify(data)}\n\n`);
}
