import { connect } from 'node:net';

export interface ProbeOptions {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly withinMs: number;
}

const INBOX = '_INBOX.ringdown-probe';

/**
 * Whether JetStream answers, asked in the protocol of NATS itself. A server that could not write to a full disk goes on
 * taking connections and says of itself that it is well, while nothing that concerns its streams is ever answered.
 */
export function jetStreamAnswers({ port, user, password, withinMs }: ProbeOptions): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const login = JSON.stringify({ verbose: false, pedantic: false, lang: 'probe', version: '1', user, pass: password });
  socket.write(`CONNECT ${login}\r\nSUB ${INBOX} 1\r\nPUB $JS.API.INFO ${INBOX} 0\r\n\r\n`);
  return new Promise((resolve) => {
    let answer = '';
    const timer = setTimeout(() => socket.destroy(), withinMs);
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      if (!answer.includes(`\r\nMSG ${INBOX} `)) return;
      resolve(true);
      socket.destroy();
    });
    // The close that follows an error is the answer.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}
