import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface ReceivedMail {
  from: string;
  to: string[];
  subject: string;
  text: string;
}

/**
 * A mail server that stores mails, rejects every user and recipient, never responds, does not answer to a sign-in or a recipient, or
 * stores mails and confirms them when `confirmSlowMails` is called, depending on `behaviour`.
 */
export class SmtpServer {
  readonly mails: ReceivedMail[] = [];
  behaviour: 'accept' | 'refuse' | 'silent' | 'silent-at-sign-in' | 'silent-at-recipient' | 'slow' = 'accept';
  /** That were named, whatever the answer. */
  recipients = 0;
  private readonly slowReplies: (() => void)[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SmtpServer> {
    const server = createServer();
    const smtp = new SmtpServer(server);
    server.on('connection', (socket) => smtp.serve(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return smtp;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  confirmSlowMails(): void {
    for (const reply of this.slowReplies.splice(0)) reply();
  }

  breakConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.breakConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    if (this.behaviour === 'silent') return;
    let envelope = { from: '', to: [] as string[] };
    let received = '';
    let inData = false;
    const reply = (line: string) => socket.write(`${line}\r\n`);
    reply('220 test ESMTP');
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
      for (;;) {
        const end = received.indexOf(inData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const part = received.slice(0, end);
        received = received.slice(end + (inData ? 5 : 2));
        if (inData) {
          this.mails.push({ ...envelope, ...parseMail(part) });
          envelope = { from: '', to: [] };
          inData = false;
          if (this.behaviour === 'slow') this.slowReplies.push(() => reply('250 stored'));
          else reply('250 stored');
          continue;
        }
        const [command = ''] = part.split(/[ :]/, 1);
        const address = /<(.*?)>/.exec(part)?.[1] ?? '';
        if (command === 'EHLO') {
          reply('250-test');
          reply('250 AUTH PLAIN');
          continue;
        }
        if (command === 'AUTH' && this.behaviour === 'silent-at-sign-in') continue;
        if (command === 'AUTH') {
          reply(this.behaviour === 'refuse' ? '535 wrong user or password' : '235 ok');
          continue;
        }
        if (command === 'MAIL') envelope.from = address;
        if (command === 'RCPT' && this.behaviour === 'refuse') {
          reply('550 no such mailbox');
          continue;
        }
        if (command === 'RCPT') this.recipients += 1;
        if (command === 'RCPT' && this.behaviour === 'silent-at-recipient') continue;
        if (command === 'RCPT') envelope.to.push(address);
        inData = command === 'DATA';
        reply(command === 'DATA' ? '354 go on' : command === 'QUIT' ? '221 bye' : '250 ok');
      }
    });
  }
}

function parseMail(source: string): Pick<ReceivedMail, 'subject' | 'text'> {
  const [head = '', ...parts] = source.split('\r\n\r\n');
  const header = (name: string) =>
    new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(head)?.[1]?.replaceAll(/\r\n\s*/g, '') ?? '';
  const body = parts.join('\r\n\r\n');
  const encoding = header('content-transfer-encoding').toLowerCase();
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : encoding === 'quoted-printable'
        ? decodeQuotedPrintable(body)
        : body;
  return { subject: header('subject'), text };
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
