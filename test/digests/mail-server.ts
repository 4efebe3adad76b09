// A real mail server for tests: it keeps what it accepted, and can be told to refuse, to put off or to hang up.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type Mood = 'well' | 'busy' | 'refuses' | 'hangs up before' | 'hangs up after' | 'busy after data';

export interface MailServer {
  url: string;
  mood: Mood;
  /** Whole messages that were accepted, and those that were read and then not answered. */
  accepted: string[];
  unanswered: string[];
  tries: number;
  close(): Promise<void>;
}

const refusal = (code: number, message: string): Error => Object.assign(new Error(message), { responseCode: code });

export async function mailServer(mood: Mood = 'well'): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(_address, session, done) {
      it.tries++;
      if (it.mood === 'busy') return done(refusal(451, 'come back later'));
      if (it.mood === 'refuses') return done(refusal(550, 'no such reader'));
      if (it.mood === 'hangs up before') return hangUp(session.id);
      done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const message = Buffer.concat(chunks).toString();
        if (it.mood === 'hangs up after') {
          it.unanswered.push(message);
          return hangUp(session.id);
        }
        if (it.mood === 'busy after data') return done(refusal(452, 'the disk is full'));
        it.accepted.push(message);
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const hangUp = (id: string): void => {
    for (const connection of (server as unknown as { connections: Set<{ id: string; _socket: { destroy(): void } }> })
      .connections)
      if (connection.id === id) connection._socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const it: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mood,
    accepted: [],
    unanswered: [],
    tries: 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return it;
}
