import { codeOf, reasonOf } from '@ringdown/errors';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { signNonce, type NatsKey } from './nkey.js';

export interface ProbeOptions {
  readonly port: number;
  readonly key: NatsKey;
  readonly withinMs: number;
}

/** What a check of another program has found; with the reason if this process was not able to look. */
export type ProbeResult = 'responds' | 'silent' | { readonly couldNotLook: string };

const INBOX = '_INBOX.probe.1';
/**
 * What a server on this machine can cause. With any other error (a lack of descriptors or memory, a local rule) this process was not
 * able to connect at all.
 */
const CAUSED_BY_SERVER: readonly (string | undefined)[] = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];
/** A timer that fires later than this was delayed by our own process or machine: a reply may wait to be read. */
const LATE_MS = 1_000;

/**
 * Whether JetStream responds, checked with the protocol of NATS itself. A server that could not write to a full disk
 * still accepts connections and reports that it is healthy, but never answers any request about its streams.
 */
export function probeJetStream({ port, key, withinMs }: ProbeOptions): Promise<ProbeResult> {
  const socket = connect(port, '127.0.0.1');
  const since = performance.now();
  return new Promise((resolve) => {
    let answer = '';
    let isLoggedIn = false;
    let failure: unknown;
    const timer = setTimeout(() => void giveUp(), withinMs);
    const giveUp = async (): Promise<void> => {
      const lateMs = performance.now() - since - withinMs;
      if (lateMs > LATE_MS) resolve({ couldNotLook: `this process stood still for ${Math.round(lateMs / 1_000)} s` });
      // Timers come before input: a reply that has arrived is still read.
      await turn();
      await turn();
      socket.destroy();
    };
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const [greeting = '', rest] = answer.split('\r\n', 2);
      const [, nonce] = rest === undefined ? [] : (/"nonce":"([^"]+)"/.exec(greeting) ?? []);
      if (nonce !== undefined && !isLoggedIn) {
        isLoggedIn = true;
        socket.write(question(key, nonce));
      }
      if (!answer.includes(`\r\nMSG ${INBOX} `)) return;
      resolve('responds');
      socket.destroy();
    });
    // The close event that follows gives the result.
    socket.on('error', (error) => (failure = error));
    socket.on('close', () => {
      clearTimeout(timer);
      const isSilent = failure === undefined || CAUSED_BY_SERVER.includes(codeOf(failure));
      resolve(isSilent ? 'silent' : { couldNotLook: reasonOf(failure) });
    });
  });
}

function question({ seed, publicKey }: NatsKey, nonce: string): string {
  const login = { verbose: false, pedantic: false, lang: 'probe', version: '1' };
  const proof = { nkey: publicKey, sig: signNonce(seed, nonce) };
  return `CONNECT ${JSON.stringify({ ...login, ...proof })}\r\nSUB ${INBOX} 1\r\nPUB $JS.API.INFO ${INBOX} 0\r\n\r\n`;
}
