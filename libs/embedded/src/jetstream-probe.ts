import { connect } from 'node:net';
import { signNonce, type NatsKey } from './nkey.js';

export interface ProbeOptions {
  readonly port: number;
  readonly key: NatsKey;
  readonly withinMs: number;
}

const INBOX = '_INBOX.probe.1';

/**
 * Whether JetStream responds, checked with the protocol of NATS itself. A server that could not write to a full disk
 * still accepts connections and reports that it is healthy, but never answers any request about its streams.
 */
export function jetStreamAnswers({ port, key, withinMs }: ProbeOptions): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    let answer = '';
    let isLoggedIn = false;
    const timer = setTimeout(() => socket.destroy(), withinMs);
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const [greeting = '', rest] = answer.split('\r\n', 2);
      const [, nonce] = rest === undefined ? [] : (/"nonce":"([^"]+)"/.exec(greeting) ?? []);
      if (nonce !== undefined && !isLoggedIn) {
        isLoggedIn = true;
        socket.write(question(key, nonce));
      }
      if (!answer.includes(`\r\nMSG ${INBOX} `)) return;
      resolve(true);
      socket.destroy();
    });
    // The close event that follows an error gives the result.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}

function question({ seed, publicKey }: NatsKey, nonce: string): string {
  const login = { verbose: false, pedantic: false, lang: 'probe', version: '1' };
  const proof = { nkey: publicKey, sig: signNonce(seed, nonce) };
  return `CONNECT ${JSON.stringify({ ...login, ...proof })}\r\nSUB ${INBOX} 1\r\nPUB $JS.API.INFO ${INBOX} 0\r\n\r\n`;
}
