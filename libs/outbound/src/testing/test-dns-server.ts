import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What a name has: addresses of either kind, by how often it was looked up before; a failure (SERVFAIL); or no answer at all. */
type DnsRecords = readonly string[] | ((before: number) => readonly string[]) | 'failing' | 'silent';

/** A name server of a test's own, on loopback. */
export interface TestDnsServer {
  /** `address:port`, as `createDnsResolver` takes it. */
  address: string;
  /** May be changed at any time; a name that is not in it does not exist. The root is ''. */
  names: Map<string, DnsRecords>;
  /** How often a name was looked up so far. */
  lookupCount(name: string): number;
  close(): void;
}

interface Question {
  name: string;
  type: number;
  /** Where it ends, in bytes from the beginning. */
  end: number;
}

const [TYPE_A, TYPE_AAAA] = [1, 28];
const HEADER_BYTES = 12;
const [FOUND_FLAGS, FAILED_FLAGS, UNKNOWN_FLAGS] = [0x8180, 0x8182, 0x8183];

export async function startTestDnsServer(): Promise<TestDnsServer> {
  const socket = createSocket('udp4');
  const names: TestDnsServer['names'] = new Map();
  const queryCounts = new Map<string, number>();
  socket.on('message', (query, { port, address }) => {
    const question = readQuestion(query);
    const before = queryCounts.get(question.name) ?? 0;
    // Both kinds of addresses are asked for at once, that of IPv4 first.
    if (question.type !== TYPE_AAAA) queryCounts.set(question.name, before + 1);
    const known = names.get(question.name);
    const looked = question.type === TYPE_AAAA ? Math.max(0, before - 1) : before;
    if (known === 'silent') return;
    const found = typeof known === 'function' ? known(looked) : known;
    socket.send(buildAnswer(query, question, found), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    names,
    lookupCount: (name) => queryCounts.get(name) ?? 0,
    close: () => void socket.close(),
  };
}

function readQuestion(query: Buffer): Question {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function buildAnswer(
  query: Buffer,
  { type, end }: Question,
  known: readonly string[] | 'failing' | undefined,
): Buffer {
  const addresses = known === 'failing' ? [] : (known ?? []);
  const fitting = addresses.filter((address) => type === (isIPv4(address) ? TYPE_A : TYPE_AAAA));
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  const flags = known === 'failing' ? FAILED_FLAGS : FOUND_FLAGS;
  header.writeUInt16BE(known ? flags : UNKNOWN_FLAGS, 2);
  header.writeUInt16BE(fitting.length, 6);
  header.fill(0, 8);
  return Buffer.concat([
    header,
    query.subarray(HEADER_BYTES, end),
    ...fitting.map((text) => buildRecord(text, type)),
  ]);
}

/** Under the name of the question, to be forgotten at once. */
function buildRecord(address: string, type: number): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  return Buffer.concat([
    Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]),
    bytes,
  ]);
}
