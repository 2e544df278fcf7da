import { nodeErrorCode, errorReason } from '@ringdown/errors';
import { signNonce, type NatsKey } from '@ringdown/nats-keys';
import { connect, type Socket } from 'node:net';
import { silenceAfter, type ProbeResult } from './silence.js';

export interface ProbeOptions {
  readonly port: number;
  readonly key: NatsKey;
  readonly withinMs: number;
}

const INBOX = '_INBOX.probe.1';
/**
 * What a server on this machine can cause. With any other error (a lack of descriptors or memory, a local rule) this process was not
 * able to connect at all.
 */
const CAUSED_BY_SERVER: readonly (string | undefined)[] = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];
/**
 * Whether JetStream responds, checked with the protocol of NATS itself. A server that could not write to a full disk
 * still accepts connections and reports that it is healthy, but never answers any request about its streams.
 */
export async function probeJetStream({ port, key, withinMs }: ProbeOptions): Promise<ProbeResult> {
  const socket = connect(port, '127.0.0.1');
  const timeUp = new AbortController();
  const found = await Promise.race([probeAnswer(socket, key), silenceAfter(withinMs, timeUp.signal)]);
  timeUp.abort();
  socket.destroy();
  return found;
}

function probeAnswer(socket: Socket, key: NatsKey): Promise<ProbeResult> {
  return new Promise((resolve) => {
    let answer = '';
    let isLoggedIn = false;
    let failure: unknown;
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const [greeting = '', rest] = answer.split('\r\n', 2);
      const [, nonce] = rest === undefined ? [] : (/"nonce":"([^"]+)"/.exec(greeting) ?? []);
      if (nonce !== undefined && !isLoggedIn) {
        isLoggedIn = true;
        socket.write(question(key, nonce));
      }
      if (answer.includes(`\r\nMSG ${INBOX} `)) resolve('responds');
    });
    // The close event that follows gives the result.
    socket.on('error', (error) => (failure = error));
    socket.on('close', () => {
      const isSilent = failure === undefined || CAUSED_BY_SERVER.includes(nodeErrorCode(failure));
      resolve(isSilent ? 'silent' : { couldNotLook: errorReason(failure) });
    });
  });
}

function question({ seed, publicKey }: NatsKey, nonce: string): string {
  const login = { verbose: false, pedantic: false, lang: 'probe', version: '1' };
  const proof = { nkey: publicKey, sig: signNonce(seed, nonce) };
  return `CONNECT ${JSON.stringify({ ...login, ...proof })}\r\nSUB ${INBOX} 1\r\nPUB $JS.API.INFO ${INBOX} 0\r\n\r\n`;
}
